/* manylink run: a study file in, a result file out. */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "manylink/run.h"

struct arguments {
    const char *study;
    char *output; /* owned */
    int n_thread;
    bool is_quiet;
    struct study_options study_options;
};

/* -1 to go on, or an exit code. */
static int read_arguments(const struct command *self, int argc, char **argv, struct arguments *out)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"threads", required_argument, NULL, 't'},
        {"set", required_argument, NULL, 's'},    {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},         {0},
    };
    const char *output = NULL;
    long long count;
    for (int c; (c = getopt_long(argc, argv, "o:qh", options, NULL)) != -1;)
        switch (c) {
        case 'o':
            output = optarg;
            break;
        case 't':
            if (!parse_count(optarg, 1, 65536, &count))
                return fail_usage(self, "--threads %s: a whole number from 1 on", optarg);
            out->n_thread = (int)count;
            break;
        case 's':
            if (!study_options_set(&out->study_options, optarg))
                return EXIT_FAILED;
            break;
        case 'q':
            out->is_quiet = true;
            break;
        case 'h':
            return show_help(self);
        default:
            return fail_usage(self, "that option is not known or lacks its value");
        }
    if (optind != argc - 1)
        return fail_usage(self,
                          optind == argc ? "no study file given" : "one study file at a time");
    out->study = argv[optind];
    out->output = output ? strdup(output) : default_result(out->study, ".h5");
    if (!out->output)
        return EXIT_FAILED;
    if (!*out->output)
        return fail_usage(self, "-o: a file name cannot be empty");
    return -1;
}

static void print_outcomes(const struct ml_run_report *report)
{
    const char *comma = "";
    for (int i = 0; ml_run_outcome(i); i++)
        if (report->outcomes[i] > 0) {
            printf("%s%lld %s", comma, (long long)report->outcomes[i], ml_run_outcome(i));
            comma = ", ";
        }
}

static void print_report(const struct arguments *arguments, const struct ml_run_report *report)
{
    char rate[32], time[32], size[32];
    struct stat file;
    if (report->was_finished) {
        printf("%s is finished already: ", arguments->output);
        print_outcomes(report);
        printf("; nothing to do\n");
        return;
    }
    if (report->runs_found > 0)
        printf("continued from %lld finished runs\n", (long long)report->runs_found);
    printf("%lld runs in %s, %s steps/s on %d thread%s (%s): ", (long long)report->runs,
           format_duration(report->seconds, time),
           format_count((double)report->member_steps / report->seconds, rate), report->threads,
           report->threads == 1 ? "" : "s", report->isa);
    print_outcomes(report);
    printf("\nresult: %s", arguments->output);
    if (stat(arguments->output, &file) == 0)
        printf(" (%s)", format_bytes((double)file.st_size, size));
    printf("\n");
}

static int run_study(const struct ml_study *study, const void *own)
{
    const struct arguments *arguments = own;
    assert(arguments->output);
    struct ml_error err = {0};
    struct ml_run_report report;
    struct progress_line line = progress_begin();
    struct ml_run_options options = {
        .output = arguments->output,
        .n_thread = arguments->n_thread,
        /* a second signal drops them, the third ends at once */
        .stop = catch_signals("\nfinishing the blocks in flight; once more to drop them\n"),
        .progress = arguments->is_quiet ? NULL : progress_show,
        .context = &line,
    };
    enum ml_status status = ml_run(study, &options, &report, &err);
    progress_end(&line);
    if (status != ML_OK) {
        int code = fail_with(&err);
        if (code == EXIT_INTERRUPTED)
            fprintf(stderr, "the same command goes on from there\n");
        return code;
    }
    if (!arguments->is_quiet)
        print_report(arguments, &report);
    return report.outcomes[0] == report.runs ? EXIT_DONE : EXIT_SOME_RUNS_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct arguments arguments = {0};
    int code = read_arguments(self, argc, argv, &arguments);
    if (code < 0)
        code = with_study(arguments.study, &arguments.study_options, run_study, &arguments);
    study_options_free(&arguments.study_options);
    free(arguments.output);
    return code;
}

const struct command command_run = {
    .name = "run",
    .arguments = "STUDY.yaml [options]",
    .doc = "integrate every run of a study and write the result file",
    .options =
        "  -o, --output OUT.h5   result file (default: the study's name, here)\n"
        "      --threads N       threads (default: OMP_NUM_THREADS, or all cores)\n"
        "      --set PATH=VALUE  override a key of the study, as often as needed\n"
        "  -q, --quiet           print errors only\n\n"
        "MANYLINK_ISA=baseline|v3|v4 forces an instruction set; results do not depend on it.\n"
        "The same command again continues an interrupted run, or says that it is done.\n",
    .run = run,
};
