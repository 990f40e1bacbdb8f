/* manylink motion: the columns of a file with a motion, and the keys of a study that read it. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "manylink/inverse.h"

int command_motion(const struct command_line *line)
{
    struct ml_error err = {0};
    char *text;
    if (ml_motion_describe(line->arguments[0], &text, &err) != ML_OK)
        return fail_with(&err);
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}
