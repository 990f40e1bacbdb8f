/* manylink slurm: a job script that spreads a study over a cluster. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/duration.h"
#include "cli/say.h"
#include "cli/speed.h"
#include "manylink/plan.h"
#include "manylink/run.h"
#include "manylink/version.h"

/* What a script is made of. */
struct plan {
    const struct command_line *line;
    char *command, *study, *output; /* absolute paths; owned */
    char *stem;                     /* of the shards' names; owned */
    char name[64];                  /* of the job */
    int64_t n_run, n_block, tasks;
    double work;              /* s of a processor, in all; 0: not known */
    double time_limit, grace; /* s, for the options of `run` */
    bool needs_kernel;        /* one made for the study pays */
};

static void slurm_print_head(const struct plan *p)
{
    const struct command_line *a = p->line;
    char text[32], size[32];
    printf(
        "#!/bin/sh\n"
        "# Written by manylink %s for `sbatch`: %lld runs in %lld blocks, dealt out to %lld tasks "
        "of %lld\n# processors.",
        ML_VERSION, (long long)p->n_run, (long long)p->n_block, (long long)p->tasks, a->cpus);
    if (p->work > 0.0)
        printf(" About %s of one processor like that of this machine in all, %s a task.",
               format_duration(p->work, text),
               format_duration(p->work / (double)p->tasks / (double)a->cpus, size));
    printf(
        "\n# A task that runs out of time, or is requeued, goes on where it was. When all are done "
        "the\n# job MERGE makes the one file. A task that failed is computed again by `sbatch "
        "--array=ID`.\n"
        "#SBATCH --job-name=%s\n#SBATCH --array=0-%lld",
        p->name, (long long)p->tasks - 1);
    if (a->at_most > 0)
        printf("%%%lld", a->at_most);
    printf("\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%lld\n#SBATCH --time=%s\n"
           "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=%%x-%%A_%%a.log\n",
           a->cpus, format_slurm_duration(a->time, text));
    for (int i = 0; i < a->sbatch.n; i++)
        printf("#SBATCH %s\n", a->sbatch.words[i]);
}

static void slurm_print_set(const struct plan *p)
{
    const struct word_list *set = &p->line->set;
    for (int i = 0; i < set->n; i++) {
        fputs(" --set ", stdout);
        print_quoted(stdout, set->words[i]);
    }
}

/* Prints the part for `sh` where the script is no task of an array: on the login node there is a
 * compiler and time does not count, but the study is not computed there. */
static void print_submit(const struct plan *p)
{
    fputs("\n# `sh` of this script submits it", stdout);
    if (p->needs_kernel)
        fputs(", and makes the kernel before: nodes may have no compiler.\n"
              "# Tasks that find no kernel compute the same without",
              stdout);
    fputs(".\nif [ -z \"${SLURM_ARRAY_TASK_ID:-}\" ]; then\n", stdout);
    if (p->needs_kernel) {
        fputs("    ", stdout);
        print_quoted(stdout, p->command);
        fputs(" compile ", stdout);
        print_quoted(stdout, p->study);
        slurm_print_set(p);
        fputs(" || :\n", stdout);
    }
    fputs("    exec sbatch \"$@\" \"$0\"\nfi\n", stdout);
}

/* The first task submits the job that merges, when it begins for the first time. It goes where the
 * array went. */
static void print_merge(const struct plan *p)
{
    const struct command_line *a = p->line;
    char time[32];
    fputs("\nif [ \"$SLURM_ARRAY_TASK_ID\" = \"${SLURM_ARRAY_TASK_MIN:-0}\" ] && "
          "[ \"${SLURM_RESTART_COUNT:-0}\" = 0 ]; then\n"
          "    sbatch --dependency=afterok:\"$SLURM_ARRAY_JOB_ID\" --kill-on-invalid-dep=yes",
          stdout);
    printf(
        " \\\n        --job-name=%s-merge --ntasks=1 --time=%s --requeue --open-mode=append \\\n"
        "        --output=%%x-%%j.log ${SLURM_JOB_ACCOUNT:+\"--account=$SLURM_JOB_ACCOUNT\"} \\\n"
        "        ${SLURM_JOB_PARTITION:+\"--partition=$SLURM_JOB_PARTITION\"} \\\n"
        "        ${SLURM_JOB_QOS:+\"--qos=$SLURM_JOB_QOS\"}",
        p->name, format_slurm_duration(a->time, time));
    for (int i = 0; i < a->sbatch_merge.n; i++) {
        putchar(' ');
        print_quoted(stdout, a->sbatch_merge.words[i]);
    }
    fputs(" <<'MERGE' ||\n#!/bin/sh\n", stdout);
    print_quoted(stdout, p->command);
    fputs(" merge --failed-runs-ok --study ", stdout); /* which may name a plugin */
    print_quoted(stdout, p->study);
    fputs(" -o ", stdout);
    print_quoted(stdout, p->output);
    putchar(' ');
    print_quoted(stdout, p->stem);
    printf(ML_RUN_SHARD_PATTERN
           "\nMERGE\n        echo \"no job that merges could be submitted\" >&2\nfi\n",
           (long long)p->tasks);
}

/* Prints the name of the task's shard and a shell function that tells how many of its blocks are
 * done: a task that is requeued without another block done would be requeued for ever. */
static void print_blocks_done(const struct plan *p)
{
    const int digits = snprintf(NULL, 0, "%lld", (long long)p->tasks - 1);
    fputs("\nresult=", stdout);
    print_quoted(stdout, p->stem);
    printf(
        "\".shard-$(printf %%0%dd \"$SLURM_ARRAY_TASK_ID\")-of-%lld.h5\"\nblocks_done()\n{\n    ",
        digits, (long long)p->tasks);
    print_quoted(stdout, p->command);
    fputs(" status \"$result\" 2>/dev/null |\n"
          "        sed -n '1s/.*: \\([0-9]*\\) of [0-9]* blocks are done.*/\\1/p'\n}\n"
          "before=$(blocks_done)\n",
          stdout);
}

/* A signal that Slurm sends to the whole job reaches manylink by itself, a signal by the option
 * --signal=B: reaches the shell alone. */
static void print_run(const struct plan *p)
{
    print_blocks_done(p);
    fputs("\n# The shell outlives a signal, so that manylink can end in order.\n"
          "ended= caught=\n"
          "trap 'ended=yes caught=yes' TERM\n"
          "trap 'caught=yes; kill -USR1 \"$run\"' USR1 USR2\n",
          stdout);
    print_quoted(stdout, p->command);
    fputs(" run ", stdout);
    print_quoted(stdout, p->study);
    slurm_print_set(p);
    printf(" -o \"$result\" \\\n    --shard \"$SLURM_ARRAY_TASK_ID/%lld\" --failed-runs-ok \\\n"
           "    --threads \"${SLURM_CPUS_PER_TASK:-1}\" --time-limit %.0fs --grace %.0fs &\n"
           "run=$!\n",
           (long long)p->tasks, p->time_limit, p->grace);
    fputs("while\n    code=0 caught=\n    wait \"$run\" || code=$?\n"
          "    [ -n \"$caught\" ] && kill -0 \"$run\" 2>/dev/null # it was `wait` that ended\n"
          "do :; done\n"
          "if [ $code = 130 ] && [ -z \"$ended\" ]; then # out of time: once more\n"
          "    after=$(blocks_done)\n"
          "    [ \"${after:-0}\" != \"${before:-0}\" ] || {\n"
          "        echo \"no block was done in this time, so that more of it is needed\" >&2\n"
          "        exit 1\n    }\n"
          "    # SLURM_JOB_ID of an array's last task is that of them all\n"
          "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\" && sleep 60\nfi\n"
          "exit $code\n",
          stdout);
}

/* What the tasks will do: how many of them have a block for every processor, how long they take,
 * and whether a kernel pays. */
static enum ml_status foresee(struct plan *p, const struct ml_study *study, struct ml_error *err)
{
    struct ml_plan_options options = {
        .size = sizeof options, .n_thread = (int)p->line->cpus, .no_native = p->line->no_native};
    struct ml_plan plan = {.size = sizeof plan};
    enum ml_status status = ml_study_plan(study, &options, &plan, err);
    if (status != ML_OK)
        return status;
    p->n_run = plan.runs;
    p->n_block = plan.room.blocks;
    const int64_t most = p->n_block > p->line->cpus ? p->n_block / p->line->cpus : 1;
    options.shards = p->tasks = p->line->tasks < most ? p->line->tasks : most;
    options.rate = measure_speed(study).rate; /* member-steps/s of a thread */
    status = ml_study_plan(study, &options, &plan, err);
    if (options.rate > 0.0)
        p->work = (double)plan.runs * (double)plan.time.steps / options.rate;
    p->needs_kernel = status == ML_OK && plan.kernel.name && strcmp(plan.kernel.name, "made") == 0;
    return status;
}

/* A block is done in one piece, or not at all. */
static void warn_of_time(const struct plan *p)
{
    char block[32], time[32];
    const double seconds = p->work / (double)p->n_block;
    if (seconds > p->time_limit)
        fprintf(stderr,
                "manylink slurm: a block takes about %s of a processor like that of this machine, "
                "more than a task has with --time %s: no task may finish one\n",
                format_duration(seconds, block), format_duration(p->line->time, time));
}

/* Sets when a task stops: so long before its end that blocks being computed are finished. Blocks
 * that are not are dropped in time for the script to requeue the task. */
static void set_time_limit(struct plan *p)
{
    const double least = 60.0, most = 600.0, share = 0.05, time = p->line->time; /* s */
    const double in_order = fmin(fmax(share * time, least), most);
    const double margin = fmin(in_order + 2.0 * p->work / (double)p->n_block, 0.5 * time);
    p->time_limit = floor(time - margin);
    p->grace = floor(margin - fmin(0.5 * in_order, 0.5 * margin));
}

/* NULL with errno set: without memory, or in a folder that was removed. */
static char *absolute(const char *path)
{
    if (*path == '/')
        return strdup(path);
    char *folder = getcwd(NULL, 0);
    const size_t size = strlen(path) + (folder ? strlen(folder) : 0) + 2;
    char *out = folder ? malloc(size) : NULL;
    if (out)
        (void)snprintf(out, size, "%s/%s", folder, path);
    free(folder);
    return out;
}

/* Whether names can be in a job script, whose here-document a line break could end. */
static bool are_in_lines(const struct plan *p)
{
    const char *const names[] = {p->command, p->study, p->output};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (const char *c = names[i]; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7F) {
                say(stderr, "manylink slurm: %s: ", names[i]);
                fprintf(stderr, "a name with a line break or another control character cannot be "
                                "put into a job script: rename the file or folder\n");
                return false;
            }
    return true;
}

/* Letters, digits, - and _ of the study's name. */
static void slurm_set_name(struct plan *p)
{
    const char *slash = strrchr(p->study, '/'), *from = slash ? slash + 1 : p->study;
    size_t n = 0;
    for (; *from && *from != '.' && n + 1 < sizeof p->name; from++)
        if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *from))
            p->name[n++] = *from;
    p->name[n] = '\0';
    if (n == 0)
        (void)snprintf(p->name, sizeof p->name, "study");
}

static void print_script(const struct plan *p)
{
    slurm_print_head(p);
    print_submit(p);
    print_merge(p);
    print_run(p);
    if (p->tasks < p->line->tasks)
        fprintf(stderr,
                "manylink: the study has %lld blocks, one for a processor at a time: %lld "
                "tasks, not %lld\n",
                (long long)p->n_block, (long long)p->tasks, p->line->tasks);
}

/* Its names are set. */
static int plan_script(struct plan *p, const struct ml_study *study)
{
    struct ml_error err = {0};
    if (!p->command || !p->study || !p->output || !p->stem) {
        fprintf(stderr, "manylink slurm: the names of the files cannot be made absolute: %s\n",
                strerror(errno));
        return EXIT_FAILED;
    }
    if (!are_in_lines(p))
        return EXIT_BAD_INPUT;
    if (foresee(p, study, &err) != ML_OK)
        return fail_with(&err);
    slurm_set_name(p);
    set_time_limit(p);
    warn_of_time(p);
    print_script(p);
    return EXIT_DONE;
}

static int write_script(const struct ml_study *study, const struct command_line *line)
{
    char *own = line->output ? NULL : default_result(line->arguments[0], ".h5");
    const char *output = line->output ? line->output : own;
    struct plan p = {
        .line = line,
        .command = realpath("/proc/self/exe", NULL),
        .study = absolute(line->arguments[0]),
        .output = output ? absolute(output) : NULL,
    };
    p.stem = p.output ? strndup(p.output, ml_run_shard_stem(p.output)) : NULL;
    const int code = plan_script(&p, study);
    free(own);
    free(p.command);
    free(p.study);
    free(p.output);
    free(p.stem);
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
    if (!are_options(&line->sbatch))
        return fail_usage(line->command, "--sbatch: an option that begins with -, in a line");
    if (!are_options(&line->sbatch_merge))
        return fail_usage(line->command, "--sbatch-merge: an option that begins with -, in a line");
    return with_study(line, write_script);
}
