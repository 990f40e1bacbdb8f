/* manylink verify: whether a result is sound. */
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "manylink/verify.h"

static int verify(struct ml_verify_options *options)
{
    struct ml_error err = {0};
    struct ml_verify_report report = {.size = sizeof report};
    const char *isa = getenv("MANYLINK_ISA");
    char time[32];
    options->isa = isa && *isa ? isa : NULL;
    catch_signals("\nstopping\n");
    options->stop = count_signals;
    if (ml_verify(options, &report, &err) != ML_OK)
        return fail_with(&err);
    say(stdout,
        "%s: sound: every checksum matches, and %lld of %lld runs computed again (seed %u) have "
        "the same bits; %s\n",
        options->path, (long long)report.runs_computed, (long long)report.runs,
        (unsigned)options->seed, format_duration(report.seconds, time));
    if (report.runs_missing > 0)
        printf("%lld runs are missing: it was merged without all shards\n",
               (long long)report.runs_missing);
    return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"runs", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'e'},
        {"threads", required_argument, NULL, 't'},
        {"study", required_argument, NULL, 's'},
        {"plugin", required_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    long long n_run = 256, seed = (long long)time(NULL) % 1000000, n_thread = 0;
    struct ml_verify_options verifying = {.size = sizeof verifying};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        if (c == 'h')
            return show_help(self);
        else if (c == 's')
            verifying.study = optarg;
        else if (c == 'p')
            verifying.plugin = optarg;
        else if (c == 'n' && !parse_count(optarg, 0, INT64_MAX / 8, &n_run))
            return fail_usage(self, "--runs %s: a whole number from 0 on", optarg);
        else if (c == 'e' && !parse_count(optarg, 0, UINT32_MAX, &seed))
            return fail_usage(self, "--seed %s: a whole number from 0 to 4294967295", optarg);
        else if (c == 't' && !parse_count(optarg, 1, 65536, &n_thread))
            return fail_usage(self, "--threads %s: a whole number from 1 on", optarg);
        else if (c == '?')
            return fail_usage(self, "that option is not known or lacks its value");
    if (optind != argc - 1)
        return fail_usage(self, "give one result file");
    verifying.no_native = native_is_refused();
    verifying.path = argv[optind];
    verifying.n_run = n_run;
    verifying.seed = (uint32_t)seed;
    verifying.n_thread = (int)n_thread;
    return verify(&verifying);
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "OUT.h5 [options]",
    .doc = "check every checksum of a result and compute a sample of its runs again",
    .options =
        "      --runs N          runs to compute again, drawn at random (256)\n"
        "      --seed S          of the draw (default: the clock's)\n"
        "      --threads N       threads\n"
        "      --study FILE      the study file, if it is not where it was\n"
        "      --plugin FILE     the study's plugin, if it is not where it was\n\n"
        "Exit code 0: it is sound; 1: what is damaged or differs is named. Tables are\n"
        "read where the study read them. A result may come from anybody, and the plugin that it\n"
        "names is code: it is loaded only with --plugin, or with a --study that names it, and\n"
        "only if it has the checksum that the result says.\n",
    .run = run,
};
