/* manylink export: a kept run over time, or a motion and its torques, for other programs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/components.h"
#include "cli/motion_file.h"
#include "cli/say.h"
#include "cli/summary_mat.h"
#include "manylink/result.h"

struct export
{
    const struct command_line *line;
    struct ml_result *result;
    struct ml_error *err;
    const char *group; /* "trajectories/" or "inverse/" */
    int64_t at;        /* the run's place, in row order of the dimensions of runs */
    struct motion motion;
};

static int export_fail(struct export *export, enum ml_status status)
{
    export->err->status = status;
    return fail_with(export->err);
}

/* The kept runs, in words: all of a few, else the first and the last. */
static void export_say_kept(const int64_t *kept, int64_t n)
{
    const int64_t few = 12, some = 3;
    for (int64_t i = 0; i < n; i++)
        if (n <= few || i < some || i == n - 1)
            say(stderr, "%s%lld",
                i == 0                  ? ""
                : n > few && i == n - 1 ? ", ..., "
                                        : ", ",
                (long long)kept[i]);
}

/* The place of the run that is asked for among those that were kept; -1, or an exit code. */
static int export_choose(struct export *export, const int64_t *kept, int64_t n)
{
    const struct command_line *line = export->line;
    if (line->run < 0 && n == 1)
        return -1;
    for (int64_t i = 0; i < n; i++)
        if (kept[i] == line->run) {
            export->at = i;
            return -1;
        }
    say(stderr,
        line->run < 0 ? "%s: give --run K, one of the runs that were kept: "
                      : "%s: run %lld was not kept; kept are: ",
        line->arguments[0], line->run);
    export_say_kept(kept, n);
    if (line->run >= 0)
        say(stderr, "\n`manylink run STUDY.yaml --run %lld` computes it alone, at every step",
            line->run);
    say(stderr, "\n");
    return EXIT_BAD_INPUT;
}

static int export_find_kept(struct export *export, const char *path, int64_t n)
{
    int64_t *kept = malloc((size_t)n * sizeof *kept);
    enum ml_status status =
        kept ? ml_result_read_int64(export->result, path, NULL, NULL, kept, (size_t)n, export->err)
             : ML_E_MEMORY;
    const int code = status == ML_OK ? export_choose(export, kept, n) : export_fail(export, status);
    free(kept);
    return code;
}

/* Of a grid of torques: the runs of a study by number. */
static int export_find_motion(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    const struct command_line *line = export->line;
    if (!ml_result_find(export->result, "inverse/torque", &info))
        return export_fail(export, ML_E_FILE);
    const int64_t n = component_count(&info, 0, info.n_run_dim);
    if (info.n_run_dim == 1 && strcmp(info.dim[0], "run") == 0)
        return export_find_kept(export, "inverse/run", n);
    if (line->run >= n || (line->run < 0 && n > 1)) {
        say(stderr, "%s: give --run K, from 0 to %lld: the last swept quantity varies fastest\n",
            line->arguments[0], (long long)n - 1);
        return EXIT_BAD_INPUT;
    }
    export->at = line->run < 0 ? 0 : line->run;
    return -1;
}

static int export_find(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    if (ml_result_find(export->result, "inverse/time", &info)) {
        export->group = "inverse/";
        return export_find_motion(export);
    }
    export->group = "trajectories/";
    if (ml_result_find(export->result, "trajectories/run", &info) && info.rank == 1) {
        return export_find_kept(export, info.name, info.shape[0]);
    }
    if (!ml_result_find(export->result, "runs/run", &info))
        return fail_without_runs(export->result, export->line->arguments[0],
                                 "exported are results of `run` and `inverse`");
    say(stderr,
        "%s: no run was kept over time; give the study\n    save: {trajectory: {every: 20}}\n"
        "or compute one run alone: `manylink run STUDY.yaml --run K`\n",
        export->line->arguments[0]);
    return EXIT_BAD_INPUT;
}

/* Whether --columns has the name, of a dataset or of one of its components; it is not given: yes.
 */
static bool export_wants(const struct command_line *line, const char *name)
{
    const char *names = line->columns;
    if (!names)
        return true;
    for (size_t length = strlen(name);; names++) {
        if (strncmp(names, name, length) == 0 && (names[length] == ',' || !names[length]))
            return true;
        names += strcspn(names, ",");
        if (!*names)
            return false;
    }
}

/* Adds component i of a dataset. */
static enum ml_status export_add(struct export *export, const struct ml_array_info *info, int64_t i,
                                 struct motion_part *part)
{
    int64_t start[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    const int first = info->n_run_dim, last = info->rank - 1;
    char *name;
    enum ml_status status =
        component_name(export->result, info, first, last, i, '/', &name, export->err);
    if (status != ML_OK)
        return status;
    if (!export_wants(export->line, dataset_name(info)) && !export_wants(export->line, name) &&
        first < info->rank && last >= 0 && strcmp(dataset_name(info), "time") != 0) {
        free(name);
        return ML_OK;
    }
    for (int k = last - 1; k >= 0; k--) {
        const int64_t inner = component_count(info, k + 1, k < first ? first : last);
        start[k] = (k < first ? export->at : i) / inner % info->shape[k];
        count[k] = 1;
    }
    count[last] = info->shape[last];
    part->columns[part->n] = name;
    return ml_result_read(export->result, info->name, start, count,
                          part->values + part->n++ * export->motion.n_room,
                          (size_t) export->motion.n_room, export->err);
}

static bool export_is_over_time(const struct export *export, const struct ml_array_info *info)
{
    return strncmp(info->name, export->group, strlen(export->group)) == 0 && info->rank > 0 &&
           info->type != ML_ARRAY_TEXT && strcmp(info->dim[info->rank - 1], "time") == 0;
}

static enum ml_status export_add_part(struct export *export, const struct ml_array_info *info)
{
    const int64_t n = component_count(info, info->n_run_dim, info->rank - 1);
    struct motion *motion = &export->motion;
    if (n == 0)
        return ML_OK;
    struct motion_part *more =
        realloc(motion->parts, (size_t)(motion->n_part + 1) * sizeof *motion->parts);
    if (!more)
        return ML_E_MEMORY;
    motion->parts = more;
    struct motion_part *part = &more[motion->n_part++];
    *part = (struct motion_part){.name = dataset_name(info), .unit = info->unit};
    part->columns = calloc((size_t)n, sizeof *part->columns);
    part->values = malloc((size_t)n * (size_t)motion->n_room * sizeof *part->values);
    enum ml_status status = part->columns && part->values ? ML_OK : ML_E_MEMORY;
    for (int64_t i = 0; i < n && status == ML_OK; i++)
        status = export_add(export, info, i, part);
    if (status == ML_OK && part->n == 0) {
        free(part->columns);
        free(part->values);
        motion->n_part--;
    }
    return status;
}

static char *export_title(struct export *export)
{
    const char *text = "";
    if (ml_result_text(export->result, "title", 0, &text, export->err) != ML_OK)
        ml_error_clear(export->err);
    char *title = strdup(text ? text : "");
    for (char *c = title; c && *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    return title;
}

/* Whether there is any number at a time. */
static bool export_has_any(const struct motion *motion, int64_t at)
{
    for (int p = 1; p < motion->n_part; p++)
        for (int i = 0; i < motion->parts[p].n; i++)
            if (!isnan(motion->parts[p].values[i * motion->n_room + at]))
                return true;
    return false;
}

/* A run that did not finish has no numbers after its end. */
static void export_cut(struct export *export)
{
    struct motion *motion = &export->motion;
    motion->n_time = motion->n_room;
    while (motion->n_time > 0 && !export_has_any(motion, motion->n_time - 1))
        motion->n_time--;
    if (motion->n_time < motion->n_room)
        say(stderr, "%s: the run ended early: %lld of %lld times are written\n",
            export->line->arguments[0], (long long)motion->n_time, (long long)motion->n_room);
}

static int export_refuse_columns(const struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    const char *comma = "";
    say(stderr, "manylink export: --columns %s: no such column; there are:", export->line->columns);
    for (int i = 0; ml_result_dataset(export->result, i, &info); i++)
        if (export_is_over_time(export, &info)) {
            say(stderr, "%s %s", comma, dataset_name(&info));
            comma = ",";
        }
    say(stderr, "\nOne component of several is NAME/COMPONENT\n");
    return EXIT_BAD_INPUT;
}

/* -1, or an exit code. */
static int export_read(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    char path[64];
    (void)snprintf(path, sizeof path, "%stime", export->group);
    if (!ml_result_find(export->result, path, &info) || info.rank != 1)
        return export_fail(export, ML_E_FILE);
    export->motion.n_room = info.shape[0];
    export->motion.title = export_title(export);
    enum ml_status status = export->motion.title ? export_add_part(export, &info) : ML_E_MEMORY;
    for (int i = 0; status == ML_OK && ml_result_dataset(export->result, i, &info); i++)
        if (strcmp(dataset_name(&info), "time") != 0 && export_is_over_time(export, &info))
            status = export_add_part(export, &info);
    if (status != ML_OK)
        return export_fail(export, status);
    if (export->motion.n_part < 2)
        return export_refuse_columns(export);
    export_cut(export);
    return -1;
}

/* Every name of --columns stands for something. */
static int export_check_columns(const struct export *export)
{
    const struct motion *motion = &export->motion;
    const char *names = export->line->columns;
    while (names && *names) {
        const size_t length = strcspn(names, ",");
        bool is_known = false;
        for (int p = 0; p < motion->n_part; p++)
            for (int i = 0; i < motion->parts[p].n; i++) {
                const char *column = motion->parts[p].columns[i], *name = motion->parts[p].name;
                is_known = is_known ||
                           (strlen(column) == length && !strncmp(column, names, length)) ||
                           (strlen(name) == length && !strncmp(name, names, length));
            }
        if (!is_known)
            return export_refuse_columns(export);
        names += length + (names[length] == ',');
    }
    return -1;
}

/* Writes beside the file, and puts it in its place: whole, or not at all. */
static int export_write(struct export *export, const struct motion_format *format)
{
    const char *path = export->line->output;
    char *temporary = NULL;
    size_t size;
    FILE *name = open_memstream(&temporary, &size);
    if (!name)
        return export_fail(export, ML_E_MEMORY);
    (void)fprintf(name, "%s.%ld.tmp", path, (long)getpid());
    if (fclose(name) != 0 || !temporary)
        return export_fail(export, ML_E_MEMORY);
    FILE *file = fopen(temporary, "wbx");
    bool fits = true, is_written = false;
    enum ml_status status = ML_OK;
    if (file) {
        if (export->line->summary)
            status =
                summary_write_mat(file, export->result, export->motion.title, &fits, export->err);
        else
            fits = format->write(file, &export->motion);
        is_written = fits && status == ML_OK && !ferror(file);
        is_written = fclose(file) == 0 && is_written && rename(temporary, path) == 0;
    }
    int code = EXIT_FAILED;
    if (status != ML_OK)
        code = export_fail(export, status);
    else if (!fits)
        say(stderr, "%s: a %s file holds %s%s\n", path, format->ending, format->limit,
            export->line->summary ? "" : ": choose --columns");
    else if (!is_written)
        say(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    if (file && !is_written)
        (void)unlink(temporary);
    free(temporary);
    return !fits ? EXIT_BAD_INPUT : is_written ? EXIT_DONE : code;
}

static void export_free(struct export *export)
{
    struct motion *motion = &export->motion;
    for (int p = 0; p < motion->n_part; p++) {
        for (int i = 0; i < motion->parts[p].n; i++)
            free(motion->parts[p].columns[i]);
        free(motion->parts[p].columns);
        free(motion->parts[p].values);
    }
    free(motion->parts);
    free(motion->title);
    ml_result_free(export->result);
}

/* A file does not take the place of the result itself, nor of what is no file; -1, or a code. */
static int export_check_output(const struct command_line *line)
{
    struct stat result, output;
    if (stat(line->output, &output) != 0)
        return -1;
    if (stat(line->arguments[0], &result) == 0 && result.st_dev == output.st_dev &&
        result.st_ino == output.st_ino)
        return fail_usage(line->command, "--output %s: is the result itself", line->output);
    if (!S_ISREG(output.st_mode))
        return fail_usage(line->command, "--output %s: is not an ordinary file", line->output);
    return -1;
}

/* Checks the options beside --summary; -1, or an exit code. */
static int export_check_summary(const struct command_line *line, const struct motion_format *format)
{
    if (strcmp(format->ending, ".mat") != 0)
        return fail_usage(line->command,
                          "--output %s: with --summary it ends in .mat; "
                          "`manylink table` prints CSV",
                          line->output);
    return line->run >= 0 ? fail_usage(line->command, "--summary is of all runs: no --run") : -1;
}

/* -1, or an exit code. */
static int export_find_summary(struct export *export)
{
    struct ml_array_info info = {.size = sizeof info};
    export->motion.title = export_title(export);
    if (!export->motion.title)
        return export_fail(export, ML_E_MEMORY);
    for (int i = 0; ml_result_dataset(export->result, i, &info); i++)
        if (strncmp(info.name, "summary/", 8) == 0)
            return -1;
    return fail_without_runs(export->result, export->line->arguments[0],
                             "summaries are of results of `run` and `inverse`");
}

int command_export(const struct command_line *line)
{
    struct ml_error err = {0};
    struct export export = {.line = line, .err = &err};
    const struct motion_format *format = motion_format_of(line->output);
    if (!format)
        return fail_usage(line->command,
                          "--output %s: its name ends in none of " MOTION_FORMATS_LIST,
                          line->output);
    int code = export_check_output(line);
    if (code < 0 && line->summary)
        code = export_check_summary(line, format);
    if (code >= 0)
        return code;
    if (ml_result_open(line->arguments[0], &export.result, &err) != ML_OK)
        return fail_with(&err);
    code = line->summary ? export_find_summary(&export) : export_find(&export);
    if (code < 0 && !line->summary)
        code = export_read(&export);
    if (code < 0)
        code = export_check_columns(&export);
    if (code < 0)
        code = export_write(&export, format);
    export_free(&export);
    if (code == EXIT_DONE)
        say(stdout, "%s\n", line->output);
    return code;
}
