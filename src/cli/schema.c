/* manylink schema: the JSON Schema of the study file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        return c == 'h' ? show_help(self) : fail_usage(self, "that option is not known");
    if (optind != argc)
        return fail_usage(self, "it takes no arguments");
    char *text = ml_study_schema();
    if (!text)
        return EXIT_FAILED;
    puts(text);
    free(text);
    return EXIT_DONE;
}

const struct command command_schema = {
    .name = "schema",
    .arguments = "",
    .doc = "print the JSON Schema of the study file, for editors",
    .run = run,
};
