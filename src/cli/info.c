/* manylink info: the contents of a result file. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "manylink/result.h"

int command_info(const struct command_line *line)
{
    struct ml_error err = {0};
    char *text;
    if (ml_result_describe(line->arguments[0], line->changed, &text, &err) != ML_OK)
        return fail_with(&err);
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}
