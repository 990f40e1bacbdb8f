/* manylink slurm: a job script that spreads a study over a cluster. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/say.h"
#include "cli/speed.h"
#include "engine/kernel_choice.h"
#include "manylink/version.h"
#include "store/shard_name.h"
#include "study/study.h"

enum { MOST_EXTRA = 64 };

struct arguments {
    const char *study;
    char *output; /* owned */
    long long tasks, cpus;
    double time;                   /* s, of a task */
    const char *extra[MOST_EXTRA]; /* options of sbatch */
    int n_extra;
    struct study_options study_options;
};

/* What a script is made of. */
struct plan {
    const struct arguments *arguments;
    char *command, *study, *output; /* absolute paths; owned */
    char *stem;                     /* of the shards' names; owned */
    char name[64];                  /* of the job */
    int64_t n_run, n_block, tasks;
    double work;       /* s of a processor, in all; 0: not known */
    double time_limit; /* s, for --time-limit */
    bool needs_kernel; /* one made for the study pays */
};

static void print_head(const struct plan *p)
{
    const struct arguments *a = p->arguments;
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
        "the\n# job MERGE makes the one file.\n"
        "#SBATCH --job-name=%s\n#SBATCH --array=0-%lld\n#SBATCH --ntasks=1\n"
        "#SBATCH --cpus-per-task=%lld\n#SBATCH --time=%s\n#SBATCH --requeue\n"
        "#SBATCH --open-mode=append\n#SBATCH --output=%%x-%%A_%%a.log\n",
        p->name, (long long)p->tasks - 1, a->cpus, format_slurm_duration(a->time, text));
    for (int i = 0; i < a->n_extra; i++)
        printf("#SBATCH %s\n", a->extra[i]);
}

/* On the login node, where there is a compiler and time does not count. */
static void print_compile(const struct plan *p)
{
    const struct study_options *options = &p->arguments->study_options;
    fputs(
        "\n# `sh` of this script, instead of `sbatch`, makes the kernel first: nodes may have no\n"
        "# compiler. Tasks that find none compute the same without.\n"
        "if [ -z \"${SLURM_JOB_ID:-}\" ]; then\n    ",
        stdout);
    print_quoted(stdout, p->command);
    fputs(" compile ", stdout);
    print_quoted(stdout, p->study);
    for (int i = 0; i < options->n_override; i++) {
        fputs(" --set ", stdout);
        print_quoted(stdout, options->overrides[i]);
    }
    fputs(" || :\n    exec sbatch \"$0\"\nfi\n", stdout);
}

/* The first task submits the job that merges, once: a file tells that it has. */
static void print_merge(const struct plan *p)
{
    const struct arguments *a = p->arguments;
    char time[32];
    fputs("\nsubmitted=", stdout);
    print_quoted(stdout, p->output);
    fputs(".merge-$SLURM_ARRAY_JOB_ID\n"
          "export submitted\n"
          "if [ \"$SLURM_ARRAY_TASK_ID\" = 0 ] && [ ! -e \"$submitted\" ]; then\n"
          "    sbatch --dependency=afterok:\"$SLURM_ARRAY_JOB_ID\" --kill-on-invalid-dep=yes",
          stdout);
    printf(" \\\n        --job-name=%s-merge --ntasks=1 --time=%s --requeue --open-mode=append \\\n"
           "        --output=%%x-%%j.log",
           p->name, format_slurm_duration(a->time, time));
    for (int i = 0; i < a->n_extra; i++) {
        putchar(' ');
        print_quoted(stdout, a->extra[i]);
    }
    fputs(" <<'MERGE' && : >\"$submitted\" ||\n#!/bin/sh\nrm -f \"$submitted\"\n", stdout);
    print_quoted(stdout, p->command);
    fputs(" merge --study ", stdout); /* which may name a plugin: a result's word is not taken */
    print_quoted(stdout, p->study);
    fputs(" -o ", stdout);
    print_quoted(stdout, p->output);
    putchar(' ');
    print_quoted(stdout, p->stem);
    printf(ML_SHARD_PATTERN " || [ $? = 3 ] # 3: some runs did not finish\nMERGE\n"
                            "        echo \"no job that merges could be submitted\" >&2\nfi\n",
           (long long)p->tasks);
}

/* Prints a shell function that tells how many blocks of the task's shard are done: what is requeued
 * without one more would be requeued for ever. */
static void print_blocks_done(const struct plan *p)
{
    const int digits = snprintf(NULL, 0, "%lld", (long long)p->tasks - 1);
    fputs("\nblocks_done()\n{\n    ", stdout);
    print_quoted(stdout, p->command);
    fputs(" status ", stdout);
    print_quoted(stdout, p->stem);
    printf("\".shard-$(printf %%0%dd \"$SLURM_ARRAY_TASK_ID\")-of-%lld.h5\" 2>/dev/null |\n"
           "        sed -n '1s/.*: \\([0-9]*\\) of [0-9]* blocks are done.*/\\1/p'\n}\n"
           "before=$(blocks_done)\n",
           digits, (long long)p->tasks);
}

static void print_run(const struct plan *p)
{
    const struct study_options *options = &p->arguments->study_options;
    print_blocks_done(p);
    fputs("\n# The shell outlives a signal, so that manylink can end in order.\nsignalled=\n"
          "trap 'signalled=yes' TERM\ncode=0\n",
          stdout);
    print_quoted(stdout, p->command);
    fputs(" run ", stdout);
    print_quoted(stdout, p->study);
    fputs(" -o ", stdout);
    print_quoted(stdout, p->output);
    fputs(" \\\n   ", stdout);
    for (int i = 0; i < options->n_override; i++) {
        fputs(" --set ", stdout);
        print_quoted(stdout, options->overrides[i]);
    }
    printf(" --threads \"${SLURM_CPUS_PER_TASK:-1}\" --time-limit %.0fs || code=$?\n",
           p->time_limit);
    fputs("if [ $code = 130 ] && [ -z \"$signalled\" ]; then # out of time: once more\n"
          "    after=$(blocks_done)\n"
          "    [ \"${after:-0}\" != \"${before:-0}\" ] || {\n"
          "        echo \"no block was done in this time, so that more of it is needed\" >&2\n"
          "        exit 1\n    }\n"
          "    # SLURM_JOB_ID of an array's last task is that of them all\n"
          "    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\" && sleep 60\nfi\n"
          "exit $code\n",
          stdout);
}

static bool needs_kernel(const struct plan *p, const struct ml_ensemble *e, double rate)
{
    const struct ml_kernel_wish wish = {.no_native = native_is_refused(),
                                        .n_run = e->n_run / p->tasks + 1,
                                        .n_thread = (int)p->arguments->cpus,
                                        .rate = rate};
    return ml_kernel_foresee(e, &wish).kind == ML_IS_MADE;
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
                format_duration(seconds, block), format_duration(p->arguments->time, time));
}

/* Leaves time for the blocks in flight and for putting the result together; what is dropped then, a
 * tenth of it later, is dropped before Slurm ends the task. */
static double time_limit_of(const struct plan *p)
{
    const double least = 60.0, most = 600.0, share = 0.05, time = p->arguments->time; /* s */
    const double block = p->work / (double)p->n_block;
    const double margin = fmin(fmax(share * time, least), most) + 2.0 * block;
    return floor(fmin(time - fmin(margin, 0.5 * time), (time - 0.5 * least) / 1.1));
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
static void set_name(struct plan *p)
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

static int write_script(const struct ml_study *study, const void *own)
{
    const struct arguments *a = own;
    const struct ml_ensemble *e = &study->ensemble;
    struct plan p = {
        .arguments = a,
        .command = realpath("/proc/self/exe", NULL),
        .study = absolute(a->study),
        .output = absolute(a->output),
        .n_run = e->n_run,
        .n_block = ml_ensemble_blocks(e),
    };
    p.stem = p.output ? strndup(p.output, (size_t)ml_shard_stem(p.output)) : NULL;
    const int64_t most = p.n_block > a->cpus ? p.n_block / a->cpus : 1; /* a block each */
    p.tasks = a->tasks < most ? a->tasks : most;
    int code = EXIT_DONE;
    if (!p.command || !p.study || !p.output || !p.stem) {
        fprintf(stderr, "manylink slurm: the names of the files cannot be made absolute: %s\n",
                strerror(errno));
        code = EXIT_FAILED;
    } else if (!are_in_lines(&p)) {
        code = EXIT_BAD_INPUT;
    } else {
        const double rate = measure_speed(study).rate; /* member-steps/s of a thread */
        p.work = rate > 0.0 ? (double)e->n_run * (double)e->n_step / rate : 0.0;
        p.needs_kernel = needs_kernel(&p, e, rate);
        set_name(&p);
        p.time_limit = time_limit_of(&p);
        warn_of_time(&p);
        print_head(&p);
        if (p.needs_kernel)
            print_compile(&p);
        print_merge(&p);
        print_run(&p);
        if (p.tasks < a->tasks)
            fprintf(stderr,
                    "manylink: the study has %lld blocks, one for a processor at a time: %lld "
                    "tasks, not %lld\n",
                    (long long)p.n_block, (long long)p.tasks, a->tasks);
    }
    free(p.command);
    free(p.study);
    free(p.output);
    free(p.stem);
    return code;
}

/* -1, or an exit code. */
static int read_option(const struct command *self, int c, struct arguments *out)
{
    switch (c) {
    case 'n':
        return parse_count(optarg, 1, ML_MOST_SHARDS, &out->tasks)
                   ? -1
                   : fail_usage(self, "--tasks %s: a whole number from 1 to %d", optarg,
                                ML_MOST_SHARDS);
    case 'c':
        return parse_count(optarg, 1, 65536, &out->cpus)
                   ? -1
                   : fail_usage(self, "--cpus %s: a whole number from 1 on", optarg);
    case 't': /* of a number alone Slurm says it is minutes, and we that it is seconds */
        return optarg[strspn(optarg, "0123456789.")] && parse_duration(optarg, &out->time) &&
                       out->time >= 60.0
                   ? -1
                   : fail_usage(self,
                                "--time %s: a time of a minute or more, with its unit: 20m, 3h50m, "
                                "4:00:00",
                                optarg);
    case 'b':
        if (out->n_extra == MOST_EXTRA || strchr(optarg, '\n'))
            return fail_usage(self, "--sbatch: at most %d options, each in a line", MOST_EXTRA);
        out->extra[out->n_extra++] = optarg;
        return -1;
    case 's':
        return study_options_set(&out->study_options, optarg) ? -1 : EXIT_FAILED;
    case 'h':
        return show_help(self);
    default:
        return fail_usage(self, "that option is not known or lacks its value");
    }
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"tasks", required_argument, NULL, 'n'},
        {"time", required_argument, NULL, 't'},   {"cpus", required_argument, NULL, 'c'},
        {"sbatch", required_argument, NULL, 'b'}, {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},         {0},
    };
    struct arguments arguments = {.cpus = 1};
    const char *output = NULL;
    int code = -1;
    for (int c; code < 0 && (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
        if (c == 'o')
            output = optarg;
        else
            code = read_option(self, c, &arguments);
    if (code < 0 && optind != argc - 1)
        code = fail_usage(self, "give one study file");
    if (code < 0 && (arguments.tasks == 0 || arguments.time <= 0.0 || (output && !*output)))
        code =
            fail_usage(self, "--tasks and --time say how many tasks there are, and how long each "
                             "may take");
    if (code < 0) {
        arguments.study = argv[optind];
        arguments.output = output ? strdup(output) : default_result(arguments.study, ".h5");
        code = arguments.output
                   ? with_study(arguments.study, &arguments.study_options, write_script, &arguments)
                   : EXIT_FAILED;
    }
    study_options_free(&arguments.study_options);
    free(arguments.output);
    return code;
}

const struct command command_slurm = {
    .name = "slurm",
    .arguments = "STUDY.yaml --tasks N --time T",
    .doc = "write a job script for Slurm: an array of tasks, then one that merges",
    .options = "  -o, --output OUT.h5   result file (default: the study's name, here)\n"
               "      --tasks N         tasks of the array: shards of the study\n"
               "      --time T          time limit of a task: 4:00:00, 3h50m; it stops a while "
               "before and\n"
               "                        is requeued\n"
               "      --cpus C          processors, and threads, of a task (1)\n"
               "      --sbatch OPTION   an option of sbatch, as often as needed: --sbatch "
               "--partition=long\n"
               "      --set PATH=VALUE  override a key of the study, as often as needed\n\n"
               "    manylink slurm study.yaml --tasks 200 --time 4:00:00 >study.slurm\n"
               "    sh study.slurm # `manylink compile`, if a kernel pays, then sbatch\n",
    .run = run,
};
