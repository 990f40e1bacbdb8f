/* manylink status: the progress of a result and its shards. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "manylink/result.h"

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
