/* manylink merge: the results of shards joined. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/signals.h"
#include "manylink/merge.h"
#include "manylink/text.h"

static void merge_say_notice(void *context, const char *text)
{
    (void)context;
    print_notice(text);
}

static int merge_shards(const struct ml_merge_options *options, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_outcome_count outcomes[ML_N_OUTCOME] = {0};
    struct ml_merge_report report = {
        .size = sizeof report, .n_outcome = ML_N_OUTCOME, .outcomes = outcomes};
    char time[32];
    catch_signals("\nstopping; the same command continues from there\n");
    if (ml_merge(options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (report.was_finished && !line->quiet)
        say(stdout, "%s is finished already; nothing to do\n", options->output);
    else if (!line->quiet) {
        printf("%lld runs of %d shards in %s: ", (long long)report.runs, options->n_input,
               ml_duration_print(report.seconds, time));
        print_outcomes(report.outcomes);
        printf("\n");
        print_result(options->output);
    }
    return report.sound == report.runs || (line->make.failed_runs_ok && report.runs_missing == 0)
               ? EXIT_DONE
               : EXIT_SOME_RUNS_FAILED;
}

int command_merge(const struct command_line *line)
{
    const double patience =
        60.0; /* s: a requeued job may be there before its predecessor has gone */
    const struct ml_merge_options options = {.size = sizeof options,
                                             .inputs = line->arguments,
                                             .n_input = line->n_argument,
                                             .output = line->output,
                                             .study = line->study,
                                             .plugin = line->plugin,
                                             .motion = line->motion,
                                             .partial = line->array.partial,
                                             .restart = line->make.restart,
                                             .no_native = line->no_native,
                                             .wait = patience,
                                             .stop = count_signals,
                                             .notice = merge_say_notice};
    return merge_shards(&options, line);
}
