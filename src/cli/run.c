/* manylink run: a study file in, a result file out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "cli/signals.h"
#include "manylink/run.h"
#include "manylink/text.h"

/* The name that is given, or the study's, of one run with its number. */
static char *choose_output(const struct command_line *line, const struct shard *shard,
                           const struct ml_study *study)
{
    char ending[48] = ".h5";
    const int64_t kept = ml_study_kept_run(study);
    if (kept >= 0)
        (void)snprintf(ending, sizeof ending, ".run-%lld.h5", (long long)kept);
    return shard_output(shard, line->output, line->arguments[0], ending);
}

/* Prints the first run of every way in which runs did not finish, and a step that is too large for
 * it. */
static void print_failed(const struct ml_study *study, const struct ml_run_report *report)
{
    const int64_t kept = ml_study_kept_run(study);
    for (int i = 0; ml_outcome_name(i); i++) {
        if (report->outcomes[i].runs == 0 || ml_outcome_is_sound(i))
            continue;
        const int64_t run = kept >= 0 ? kept : report->outcomes[i].first_run;
        printf("%s: %srun %lld at t = %g s", ml_outcome_name(i),
               report->outcomes[i].runs > 1 ? "first " : "", (long long)run,
               report->outcomes[i].first_time);
        const char *cause = report->causes[i].text;
        printf("%s%s\n", *cause ? "; " : "", cause);
    }
}

static void run_print_report(const struct command_line *line, const char *output,
                             const struct ml_study *study, const struct ml_run_report *report)
{
    char rate[32], time[32];
    if (report->blocks == 0) {
        printf("nothing to do: the study has fewer blocks than there are shards\n");
        print_result(output);
        return;
    }
    if (report->was_finished) {
        say(stdout, "%s is finished already: ", output);
        print_outcomes(report->outcomes);
        printf("; nothing to do\n");
        return;
    }
    if (line->make.donor)
        say(stdout, "%lld of %lld runs are taken of %s\n", (long long)report->runs_taken,
            (long long)report->runs, line->make.donor);
    if (report->runs_found > 0)
        printf("continued from %lld finished runs\n", (long long)report->runs_found);
    printf("%lld run%s in %s, %s steps/s on %d thread%s (%s%s): ", (long long)report->runs,
           report->runs == 1 ? "" : "s", ml_duration_print(report->seconds, time),
           format_count((double)report->member_steps / report->seconds, rate), report->threads,
           report->threads == 1 ? "" : "s", report->isa,
           strcmp(report->kernel, "made") == 0 ? ", kernel made for it"
           : strcmp(report->kernel, "general, then made") == 0
               ? ", general kernel, then one made for it"
               : "");
    print_outcomes(report->outcomes);
    printf("\n");
    print_failed(study, report);
    print_result(output);
}

static int run_study(const struct command_line *line, const struct shard *shard, const char *output,
                     const struct ml_study *study)
{
    struct ml_error err = {0};
    struct ml_outcome_count outcomes[ML_N_OUTCOME] = {0};
    struct ml_run_cause causes[ML_N_OUTCOME];
    struct ml_run_report report = {.size = sizeof report,
                                   .n_outcome = ML_N_OUTCOME,
                                   .outcomes = outcomes,
                                   .causes = line->quiet ? NULL : causes};
    struct progress_line progress;
    const struct ml_run_options options = {
        .size = sizeof options,
        .output = output,
        .n_thread = (int)line->threads,
        .shard = shard->index,
        .shards = shard->count,
        .time_limit = line->make.time_limit,
        .grace = line->make.grace,
        .wait = line->make.wait,
        .kernel = (enum ml_kernel_mode)line->make.kernel,
        .restart = line->make.restart,
        .strict_space = line->make.strict_space,
        .no_native = line->no_native,
        .accuracy = line->make.no_accuracy ? -1 : (int)line->make.accuracy,
        .stop = count_signals,
        .progress = line->quiet ? NULL : progress_show,
        .observe = line->quiet ? NULL : progress_observe,
        .notice = line->quiet ? NULL : progress_notice,
        .finding = line->quiet ? NULL : progress_find,
        .context = &progress,
        .donor = line->make.donor,
        .device = line->make.device,
        .donor_plugin = line->plugin};
    /* a second signal drops them, the third ends at once */
    catch_signals("\nfinishing the blocks being computed; once more to drop them\n");
    if (!line->quiet)
        say_shard(shard, output);
    progress_begin(&progress, study, "runs", "steps", line->make.watch && !line->quiet);
    enum ml_status status = ml_run(study, &options, &report, &err);
    progress_end(&progress);
    if (status == ML_OK && !line->quiet)
        run_print_report(line, output, study, &report);
    progress_print_findings(&progress);
    progress_free(&progress);
    if (status != ML_OK) {
        int code = fail_with(&err);
        if (code == EXIT_INTERRUPTED)
            say_how_to_go_on(line, shard, output);
        return code;
    }
    /* Launchers end all processes when one of them exits with anything but 0. */
    const bool is_launched = *shard->source;
    return report.sound == report.runs || is_launched || line->make.failed_runs_ok
               ? EXIT_DONE
               : EXIT_SOME_RUNS_FAILED;
}

int run_read_study(const struct ml_study *study, const struct command_line *line)
{
    struct shard shard;
    if (!choose_shard(line->make.shard, line->quiet, &shard))
        return EXIT_BAD_INPUT;
    char *output = choose_output(line, &shard, study);
    const int code = run_study(line, &shard, output, study);
    free(output);
    return code;
}

int command_run(const struct command_line *line) { return with_study(line, run_read_study); }
