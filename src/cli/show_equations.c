/* manylink show-equations: the equations of a study's own system. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "manylink/study.h"

static int show_equations(const struct ml_study *study, const struct command_line *line)
{
    char *text = ml_study_equations(study, line->latex);
    if (!text) {
        (void)fprintf(stderr,
                      "manylink: cannot show the equations: conditions are nested more than "
                      "1000 deep, or there is no memory\n");
        return EXIT_FAILED;
    }
    printf("%s", *text         ? text
                 : line->latex ? "% the study has no formulas of its own\n"
                               : "# the study has no formulas of its own\n");
    free(text);
    return EXIT_DONE;
}

int command_show_equations(const struct command_line *line)
{
    return with_study(line, show_equations);
}
