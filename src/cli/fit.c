/* manylink fit: numbers of a study from measured trajectories. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/shard.h"
#include "cli/signals.h"
#include "manylink/fit.h"

static void fit_notice(void *context, const char *text)
{
    (void)context;
    say(stderr, "%s\n", text);
}

static int write_fit(const struct ml_study *study, const struct command_line *line,
                     const char *output)
{
    struct ml_error err = {0};
    struct ml_fit_report report = {.size = sizeof report};
    const struct ml_fit_options options = {.size = sizeof options,
                                           .output = output,
                                           .n_thread = (int)line->threads,
                                           .stop = count_signals,
                                           .notice = line->quiet ? NULL : fit_notice,
                                           .kernel = (enum ml_kernel_mode)line->make.kernel,
                                           .no_native = line->no_native,
                                           .profile = line->make.profile};
    catch_signals("\nending the fit\n");
    if (ml_fit(study, &options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (!line->quiet) {
        (void)fputs(report.page, stdout);
        printf("\n%lld runs in %.2g s on %d thread%s\n", (long long)report.runs, report.seconds,
               report.threads, report.threads == 1 ? "" : "s");
        print_result(output);
    }
    free(report.page);
    return EXIT_DONE;
}

static int fit(const struct ml_study *study, const struct command_line *line)
{
    struct shard shard;
    if (!choose_shard("none", true, &shard))
        return EXIT_BAD_INPUT;
    char *output = shard_output(&shard, line->output, line->arguments[0], "_fit.h5");
    const int code = write_fit(study, line, output);
    free(output);
    return code;
}

int command_fit(const struct command_line *line) { return with_study(line, fit); }
