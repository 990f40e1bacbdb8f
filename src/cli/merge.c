/* manylink merge: the results of shards joined. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "manylink/merge.h"

static void say_notice(void *context, const char *text)
{
    (void)context;
    print_notice(text);
}

static int merge(struct ml_merge_options *options, bool is_quiet)
{
    struct ml_error err = {0};
    struct ml_merge_report report = {.size = sizeof report};
    const char *isa = getenv("MANYLINK_ISA");
    char time[32];
    options->isa = isa && *isa ? isa : NULL;
    catch_signals("\nstopping; the same command goes on from there\n");
    options->stop = count_signals;
    options->notice = say_notice;
    if (ml_merge(options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (report.was_finished && !is_quiet)
        say(stdout, "%s is finished already; nothing to do\n", options->output);
    else if (!is_quiet) {
        printf("%lld runs of %d shards in %s: ", (long long)report.runs, options->n_input,
               format_duration(report.seconds, time));
        print_outcomes(report.outcomes);
        printf("\n");
        print_result(options->output);
    }
    return report.outcomes[0] == report.runs ? EXIT_DONE : EXIT_SOME_RUNS_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"partial", no_argument, NULL, 'p'},
        {"study", required_argument, NULL, 's'},  {"plugin", required_argument, NULL, 'l'},
        {"restart", no_argument, NULL, 'r'},      {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},         {0},
    };
    struct ml_merge_options merging = {.size = sizeof merging, .wait = PATIENCE};
    bool is_quiet = false;
    for (int c; (c = getopt_long(argc, argv, "o:qh", options, NULL)) != -1;)
        if (c == 'h')
            return show_help(self);
        else if (c == 'o')
            merging.output = optarg;
        else if (c == 's')
            merging.study = optarg;
        else if (c == 'l')
            merging.plugin = optarg;
        else if (c == 'p')
            merging.partial = 1;
        else if (c == 'r')
            merging.restart = 1;
        else if (c == 'q')
            is_quiet = true;
        else
            return fail_usage(self, "that option is not known or lacks its value");
    merging.no_native = native_is_refused();
    merging.inputs = (const char *const *)argv + optind;
    merging.n_input = argc - optind;
    if (merging.n_input == 0)
        return fail_usage(self, "no results of shards given");
    if (!merging.output || !*merging.output)
        return fail_usage(self, "-o OUT.h5 says where the result goes");
    return merge(&merging, is_quiet);
}

const struct command command_merge = {
    .name = "merge",
    .arguments = "SHARD.h5... -o OUT.h5",
    .doc = "join the results of shards",
    .options =
        "  -o, --output OUT.h5   result file\n"
        "      --partial         make a result although shards are missing: their runs have\n"
        "                        the outcome `missing`; with more of them, merge again\n"
        "      --plugin FILE     the study's plugin, if it is not where it was: loaded only if\n"
        "                        this or the --study file names it\n"
        "      --study FILE      the study file, if it is not where it was\n"
        "      --restart         discard what is there; interrupted and repeated, go on\n"
        "  -q, --quiet           print errors only\n\n"
        "In any order; what is missing and what overlaps is named. The result is that of one\n"
        "run of the whole study, to the bit.\n",
    .run = run,
};
