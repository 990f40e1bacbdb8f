/* manylink export: a kept run over time, or a motion and its torques, for other programs. */
#include "tools/export/export.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"

/* Refuses to replace the result itself, or a device or folder; -1, or a code. */
static int export_check_output(const struct command_line *line)
{
    struct stat result, output;
    if (stat(line->output, &output) != 0)
        return -1;
    if (stat(line->arguments[0], &result) == 0 && result.st_dev == output.st_dev &&
        result.st_ino == output.st_ino)
        return fail_usage(line->command, "cannot write --output %s: the file is the result itself",
                          line->output);
    if (!S_ISREG(output.st_mode))
        return fail_usage(line->command, "cannot write --output %s: no ordinary file",
                          line->output);
    return -1;
}

/* Checks the options beside --summary; -1, or an exit code. */
static int export_check_summary(const struct command_line *line, const struct motion_format *format)
{
    if (strcmp(format->ending, ".mat") != 0)
        return fail_usage(line->command,
                          "cannot write --output %s: with --summary the name ends in .mat; "
                          "`manylink table` prints CSV",
                          line->output);
    if (line->run >= 0 || line->table.cycles)
        return fail_usage(line->command, "--summary is of all runs: no --run and no --cycles");
    return -1;
}

/* Whether the result has a dataset whose path begins so. */
static bool export_has(const struct ml_result *result, const char *begin)
{
    struct ml_array_info info = {.size = sizeof info};
    for (int i = 0; ml_result_dataset(result, i, &info); i++)
        if (strncmp(info.name, begin, strlen(begin)) == 0)
            return true;
    return false;
}

static int export_result(const struct command_line *line, struct export_request *request)
{
    struct ml_error err = {0};
    if (line->table.summary && !export_has(request->result, "summary/"))
        return fail_without_runs(request->result, request->path,
                                 "summaries are of results of `run` and `inverse`");
    if (!line->table.summary && !export_has(request->result, "inverse/time") &&
        !export_has(request->result, "runs/run"))
        return fail_without_runs(request->result, request->path,
                                 "exported are results of `run` and `inverse`");
    const enum ml_status status = export_file(request, &err);
    if (request->n_time < request->n_all)
        say(stderr, "%s: the run ended early: %lld of %lld times are written\n", request->path,
            (long long)request->n_time, (long long)request->n_all);
    if (status != ML_OK)
        return fail_with(&err);
    say(stdout, "%s\n", line->output);
    return EXIT_DONE;
}

int command_export(const struct command_line *line)
{
    struct ml_error err = {0};
    struct export_request request = {.path = line->arguments[0],
                                     .output = line->output,
                                     .format = motion_format_of(line->output),
                                     .is_summary = line->table.summary,
                                     .run = line->run,
                                     .over = line->table.cycles ? "percent" : "time",
                                     .columns = line->table.columns};
    if (!request.format)
        return fail_usage(line->command,
                          "cannot write --output %s: the name ends in none of " MOTION_FORMATS_LIST,
                          line->output);
    int code = export_check_output(line);
    if (code < 0 && line->table.summary)
        code = export_check_summary(line, request.format);
    if (code >= 0)
        return code;
    if (ml_result_open(request.path, &request.result, &err) != ML_OK)
        return fail_with(&err);
    code = export_result(line, &request);
    ml_result_free(request.result);
    return code;
}
