/* manylink inverse: joint torques and forces of a given motion. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "manylink/inverse.h"

/* A line each. */
static void print_notes(const char *study, const char *notes)
{
    for (const char *end; (end = strchr(notes, '\n')) != NULL; notes = end + 1)
        say(stderr, "%s: note: %.*s\n", study, (int)(end - notes), notes);
}

static int write_inverse(const struct ml_study *study, const struct command_line *line,
                         const char *output)
{
    struct ml_error err = {0};
    struct ml_inverse_report report = {.size = sizeof report};
    const struct ml_inverse_options options = {.size = sizeof options,
                                               .motion = line->motion,
                                               .output = output,
                                               .run = line->run,
                                               .n_thread = (int)line->threads,
                                               .stop = count_signals};
    catch_signals("\nstopping\n");
    if (ml_inverse(study, &options, &report, &err) != ML_OK)
        return fail_with(&err);
    if (report.motions > 1)
        printf("%lld motions", (long long)report.motions);
    else
        printf("one motion, %lld set%s of parameters", (long long)report.results,
               report.results == 1 ? "" : "s");
    printf(", %lld samples\n", (long long)report.samples);
    print_result(output);
    print_notes(ml_study_name(study), report.notes);
    if (report.not_finite == 0)
        return EXIT_DONE;
    (void)fprintf(stderr, "%lld of %lld results are not finite\n", (long long)report.not_finite,
                  (long long)report.results);
    return EXIT_SOME_RUNS_FAILED;
}

static int inverse(const struct ml_study *study, const struct command_line *line)
{
    char *own = line->output ? NULL : default_result(line->arguments[0], "_inverse.h5");
    const char *output = line->output ? line->output : own;
    const int code = output ? write_inverse(study, line, output) : EXIT_FAILED;
    free(own);
    return code;
}

int command_inverse(const struct command_line *line)
{
    if (line->run >= 0 && !line->motion)
        return fail_usage(line->command, "--run chooses from the result file that --motion names");
    return with_study(line, inverse);
}
