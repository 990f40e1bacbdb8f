/* Commands that print a text: motion, schema, show-code, show-equations, status. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/speed.h"
#include "manylink/compile.h"
#include "manylink/inverse.h"
#include "manylink/plan.h"
#include "manylink/result.h"

int command_motion(const struct command_line *line)
{
    struct ml_error err = {0};
    char *text;
    if ((line->check.residuals ? ml_motion_residuals : ml_motion_describe)(line->arguments[0],
                                                                           &text, &err) != ML_OK)
        return fail_with(&err);
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

int command_schema(const struct command_line *line)
{
    (void)line;
    char *text = need(ml_study_schema());
    puts(text);
    free(text);
    return EXIT_DONE;
}

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

static int show_equations(const struct ml_study *study, const struct command_line *line)
{
    char *text = ml_study_equations(study, line->check.latex);
    if (!text) {
        (void)fprintf(stderr,
                      "manylink: cannot show the equations: conditions are nested more than "
                      "1000 deep, or there is no memory\n");
        return EXIT_FAILED;
    }
    printf("%s", *text               ? text
                 : line->check.latex ? "% the study has no formulas of its own\n"
                                     : "# the study has no formulas of its own\n");
    free(text);
    return EXIT_DONE;
}

int command_show_equations(const struct command_line *line)
{
    return with_study(line, show_equations);
}

int command_status(const struct command_line *line)
{
    for (int i = 0; i < line->n_argument; i++) {
        struct ml_error err = {0};
        char *text;
        if ((line->json ? ml_result_status_json : ml_result_status)(line->arguments[i], &text,
                                                                    &err) != ML_OK)
            return fail_with(&err);
        fputs(text, stdout);
        if (line->json)
            fputc('\n', stdout);
        free(text);
    }
    return EXIT_DONE;
}
