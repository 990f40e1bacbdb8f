/* manylink slurm: a job script that spreads a study over a cluster. */
#include "tools/slurm/slurm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/speed.h"
#include "manylink/text.h"

/* A block is done in one piece, or not at all. */
static void warn_of_time(const struct slurm_script *script)
{
    char block[32], time[32];
    const double seconds = script->work / (double)script->n_block;
    if (seconds > script->time_limit)
        fprintf(stderr,
                "manylink slurm: a block takes about %s of a processor like that of this machine, "
                "more than a task has with --time %s: no task may finish one\n",
                ml_duration_print(seconds, block), ml_duration_print(script->time, time));
}

/* NULL with errno set in a folder that was removed. */
static char *absolute(const char *path)
{
    if (*path == '/')
        return take_text("%s", path);
    char *folder = getcwd(NULL, 0);
    char *out = folder ? take_text("%s/%s", folder, path) : NULL;
    free(folder);
    return out;
}

/* Whether names can be in a job script, whose here-document a line break could end. */
static bool are_in_lines(const struct slurm_script *p)
{
    const char *const names[] = {p->command, p->study, p->output};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (const char *c = names[i]; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7F) {
                say(stderr, "manylink slurm: %s: ", names[i]);
                fprintf(stderr, "cannot put the name into a job script: the name has a line break "
                                "or another control character; rename the file or folder\n");
                return false;
            }
    return true;
}

static int print_script(struct slurm_script *script, const struct ml_study *study)
{
    struct ml_error err = {0};
    const int64_t tasks = script->tasks;
    if (!script->command || !script->study || !script->output) {
        fprintf(stderr, "manylink slurm: cannot make the names of the files absolute: %s\n",
                strerror(errno));
        return EXIT_FAILED;
    }
    if (!are_in_lines(script))
        return EXIT_BAD_INPUT;
    script->rate = measure_speed(study).rate;
    if (slurm_plan(script, study, &err) != ML_OK)
        return fail_with(&err);
    warn_of_time(script);
    slurm_print(script, stdout);
    if (script->tasks < tasks)
        fprintf(stderr,
                "manylink: the study has %lld blocks, one for a processor at a time: %lld "
                "tasks, not %lld\n",
                (long long)script->n_block, (long long)script->tasks, (long long)tasks);
    return EXIT_DONE;
}

static int slurm_study(const struct ml_study *study, const struct command_line *line)
{
    char *own = line->output ? NULL : default_result(line->arguments[0], ".h5");
    const char *output = line->output ? line->output : own;
    char *paths[] = {realpath("/proc/self/exe", NULL), absolute(line->arguments[0]),
                     absolute(output)};
    struct slurm_script script = {
        .command = paths[0],
        .study = paths[1],
        .output = paths[2],
        .set = line->set.words,
        .n_set = line->set.n,
        .sbatch = line->array.sbatch.words,
        .n_sbatch = line->array.sbatch.n,
        .sbatch_merge = line->array.merge.words,
        .n_sbatch_merge = line->array.merge.n,
        .cpus = line->array.cpus,
        .at_most = line->array.at_most,
        .device = line->array.device > 0 ? slurm_device_words[line->array.device] : NULL,
        .time = line->array.time,
        .tasks = line->array.tasks,
        .no_native = line->no_native};
    const int code = print_script(&script, study);
    free(own);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        free(paths[i]);
    return code;
}

static bool are_options(const struct word_list *options)
{
    for (int i = 0; i < options->n; i++)
        if (options->words[i][0] != '-' || strchr(options->words[i], '\n'))
            return false;
    return true;
}

int command_slurm(const struct command_line *line)
{
    if (!are_options(&line->array.sbatch))
        return fail_usage(line->command, "--sbatch: an option that begins with -, in a line");
    if (!are_options(&line->array.merge))
        return fail_usage(line->command, "--sbatch-merge: an option that begins with -, in a line");
    return with_study(line, slurm_study);
}
