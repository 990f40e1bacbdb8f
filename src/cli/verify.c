/* manylink verify: whether a result is sound. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/command.h"
#include "cli/signals.h"
#include "manylink/text.h"
#include "manylink/verify.h"

static int verify_result(const struct ml_verify_options *options)
{
    struct ml_error err = {0};
    struct ml_verify_report report = {.size = sizeof report};
    char time[32];
    catch_signals("\nstopping\n");
    if (ml_verify(options, &report, &err) != ML_OK)
        return fail_with(&err);
    say(stdout,
        "%s: sound: every checksum matches, and %lld of %lld runs computed again (seed %u) have "
        "the same bits; %s\n",
        options->path, (long long)report.runs_computed, (long long)report.runs,
        (unsigned)options->seed, ml_duration_print(report.seconds, time));
    if (report.runs_missing > 0)
        printf("%lld runs are missing: it was merged without all shards\n",
               (long long)report.runs_missing);
    if (report.outputs_older > 0)
        printf("not compared: %lld of the summary's datasets, which an older version computed by "
               "another definition, as their descriptions say\n",
               (long long)report.outputs_older);
    return EXIT_DONE;
}

int command_verify(const struct command_line *line)
{
    const long long seed =
        line->check.seed >= 0 ? line->check.seed : (long long)time(NULL) % 1000000;
    const struct ml_verify_options options = {.size = sizeof options,
                                              .path = line->arguments[0],
                                              .study = line->study,
                                              .plugin = line->plugin,
                                              .motion = line->motion,
                                              .n_run = line->check.runs,
                                              .seed = (uint32_t)seed,
                                              .n_thread = (int)line->threads,
                                              .no_native = line->no_native,
                                              .stop = count_signals};
    return verify_result(&options);
}
