/* manylink inverse: joint torques and forces of a given motion. */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "manylink/inverse.h"

struct arguments {
    const char *study;
    char *output; /* owned */
    struct ml_inverse_options options;
    struct study_options study_options;
};

/* -1 to go on, or an exit code. */
static int read_arguments(const struct command *self, int argc, char **argv, struct arguments *out)
{
    static const struct option options[] = {
        {"motion", required_argument, NULL, 'm'},
        {"run", required_argument, NULL, 'r'},
        {"output", required_argument, NULL, 'o'},
        {"threads", required_argument, NULL, 't'},
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    const char *output = NULL;
    long long run = -1, n_thread = 0;
    for (int c; (c = getopt_long(argc, argv, "o:h", options, NULL)) != -1;)
        if (c == 'h')
            return show_help(self);
        else if (c == 'm')
            out->options.motion = optarg;
        else if (c == 'o')
            output = optarg;
        else if (c == 'r' && !parse_count(optarg, 0, INT64_MAX, &run))
            return fail_usage(self, "--run %s: a whole number from 0 on", optarg);
        else if (c == 't' && !parse_count(optarg, 1, 65536, &n_thread))
            return fail_usage(self, "--threads %s: a whole number from 1 on", optarg);
        else if (c == 's' && !study_options_set(&out->study_options, optarg))
            return EXIT_FAILED;
        else if (c == '?')
            return fail_usage(self, "that option is not known or lacks its value");
    if (optind != argc - 1)
        return fail_usage(self, "give one study file");
    if (output && !*output)
        return fail_usage(self, "-o: a file name cannot be empty");
    if (run >= 0 && !out->options.motion)
        return fail_usage(self, "--run chooses from the result file that --motion names");
    out->study = argv[optind];
    out->output = default_result(out->study, "_inverse.h5");
    out->options.output = output ? output : out->output;
    out->options.run = run;
    out->options.n_thread = (int)n_thread;
    return out->output ? -1 : EXIT_FAILED;
}

/* A line each. */
static void print_notes(const char *study, const char *notes)
{
    for (const char *end; (end = strchr(notes, '\n')) != NULL; notes = end + 1)
        say(stderr, "%s: note: %.*s\n", study, (int)(end - notes), notes);
}

static int inverse(const struct ml_study *study, const void *own)
{
    const struct arguments *arguments = own;
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    struct ml_inverse_options options = arguments->options;
    options.size = sizeof options;
    catch_signals("\nstopping\n");
    options.stop = count_signals;
    if (ml_inverse(study, &options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (report.motions > 1)
        printf("%lld motions", (long long)report.motions);
    else
        printf("one motion, %lld set%s of parameters", (long long)report.results,
               report.results == 1 ? "" : "s");
    printf(", %lld samples\n", (long long)report.samples);
    print_result(arguments->options.output);
    print_notes(ml_study_name(study), report.notes);
    if (report.not_finite == 0)
        return EXIT_DONE;
    (void)fprintf(stderr, "%lld of %lld results are not finite\n", (long long)report.not_finite,
                  (long long)report.results);
    return EXIT_SOME_RUNS_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct arguments arguments = {0};
    int code = read_arguments(self, argc, argv, &arguments);
    if (code < 0)
        code = with_study(arguments.study, &arguments.study_options, inverse, &arguments);
    study_options_free(&arguments.study_options);
    free(arguments.output);
    return code;
}

const struct command command_inverse = {
    .name = "inverse",
    .arguments = "STUDY.yaml [options]",
    .doc = "joint torques and forces of a given motion",
    .options =
        "      --motion FILE     the motion: a table (CSV) with the columns time, angle/NAME and,\n"
        "                        if known, rate/NAME, acceleration/NAME; or a result of `run`\n"
        "                        (default: what the study's key `motion` describes)\n"
        "      --run N           of a result, the motion of run N (default: of every run)\n"
        "  -o, --output OUT.h5   result file (default: the study's name and _inverse, here)\n"
        "      --threads N       threads (default: OMP_NUM_THREADS, or all cores)\n"
        "      --set PATH=VALUE  override a key of the study, as often as needed\n",
    .run = run,
};
