/* manylink schema: the JSON Schema of the study file. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands.h"

int command_schema(const struct command_line *line)
{
    (void)line;
    char *text = ml_study_schema();
    if (!text)
        return fail_memory();
    puts(text);
    free(text);
    return EXIT_DONE;
}
