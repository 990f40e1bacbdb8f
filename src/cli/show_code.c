/* manylink show-code: the formulas of a study as C. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/speed.h"
#include "manylink/compile.h"
#include "manylink/plan.h"

/* Which kernel the study takes, as a comment of C. */
static int show_kernel(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_plan plan = {.size = sizeof plan};
    const struct speed speed = measure_speed(study);
    const struct ml_plan_options options = {.size = sizeof options,
                                            .no_native = line->no_native,
                                            .rate = speed.rate,
                                            .taken = speed.taken};
    if (ml_study_plan(study, &options, &plan, &err) != ML_OK)
        return fail_with(&err);
    printf("/* kernel: %s%s%s */\n", plan.kernel.name ? plan.kernel.name : "not known",
           plan.kernel.reason ? ": " : "", plan.kernel.reason ? plan.kernel.reason : "");
    return EXIT_DONE;
}

static int show_code(const struct ml_study *study, const struct command_line *line)
{
    const char *code = ml_study_code(study);
    const int exit_code = show_kernel(study, line);
    if (exit_code == EXIT_DONE)
        printf("%s", code ? code : "/* the study has no formulas and no source of its own */\n");
    return exit_code;
}

int command_show_code(const struct command_line *line) { return with_study(line, show_code); }
