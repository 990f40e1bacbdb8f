/* manylink inverse: joint torques and forces of a given motion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "cli/signals.h"
#include "manylink/inverse.h"

/* A line each. */
static void print_notes(const char *study, const char *notes)
{
    for (const char *end; (end = strchr(notes, '\n')) != NULL; notes = end + 1)
        say(stderr, "%s: note: %.*s\n", study, (int)(end - notes), notes);
}

static void inverse_print_report(const char *output, const struct ml_inverse_report *report)
{
    if (report->blocks == 0) {
        printf("nothing to do: there are fewer blocks than shards\n");
        print_result(output);
        return;
    }
    if (report->was_finished) {
        say(stdout, "%s is finished already; nothing to do\n", output);
        return;
    }
    if (report->results_found > 0)
        printf("continued from %lld finished results\n", (long long)report->results_found);
    if (report->motions > 1)
        printf("%lld motions", (long long)report->results);
    else
        printf("one motion, %lld set%s of parameters", (long long)report->results,
               report->results == 1 ? "" : "s");
    printf(", %lld samples\n", (long long)report->samples);
    print_result(output);
}

/* Notices that no option asks for. */
static int tell(const char *study, const struct ml_inverse_report *report, bool is_ok)
{
    print_notes(study, report->notes);
    if (report->not_finite == 0)
        return EXIT_DONE;
    (void)fprintf(stderr, "%lld of %lld results are not finite\n", (long long)report->not_finite,
                  (long long)report->results);
    return is_ok ? EXIT_DONE : EXIT_SOME_RUNS_FAILED;
}

static int write_inverse(const struct ml_study *study, const struct command_line *line,
                         const struct shard *shard, const char *output)
{
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    struct progress_line progress;
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .motion = line->motion,
                                               .output = output,
                                               .run = line->run,
                                               .n_thread = (int)line->threads,
                                               .shard = shard->index,
                                               .shards = shard->count,
                                               .restart = line->make.restart,
                                               .wait = line->make.wait,
                                               .time_limit = line->make.time_limit,
                                               .grace = line->make.grace,
                                               .strict_space = line->make.strict_space,
                                               .stop = count_signals,
                                               .progress = line->quiet ? NULL : progress_show,
                                               .notice = line->quiet ? NULL : progress_notice,
                                               .context = &progress};
    catch_signals("\nfinishing the blocks being computed; once more to drop them\n");
    if (!line->quiet)
        say_shard(shard, output);
    progress_begin(&progress, study, "results", "samples", false);
    enum ml_status status = ml_inverse(study, &options, &report, &err);
    progress_end(&progress);
    progress_free(&progress);
    if (status != ML_OK) {
        print_notes(ml_study_name(study), report.notes);
        const int code = fail_with(&err);
        if (code == EXIT_INTERRUPTED)
            say_how_to_go_on(line, shard, output);
        return code;
    }
    if (!line->quiet)
        inverse_print_report(output, &report);
    return tell(ml_study_name(study), &report, line->make.failed_runs_ok);
}

static int inverse(const struct ml_study *study, const struct command_line *line)
{
    struct shard shard;
    if (!choose_shard(line->make.shard ? line->make.shard : "none", line->quiet, &shard))
        return EXIT_BAD_INPUT;
    char *output = shard_output(&shard, line->output, line->arguments[0], "_inverse.h5");
    const int code = write_inverse(study, line, &shard, output);
    free(output);
    return code;
}

int command_inverse(const struct command_line *line)
{
    if (line->run >= 0 && !line->motion)
        return fail_usage(line->command, "--run chooses from the result file that --motion names");
    return with_study(line, inverse);
}
