/* manylink info: what is in a result file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "manylink/result.h"

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"changed", no_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {0}};
    struct ml_error err = {0};
    bool may_be_changed = false;
    char *text;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        if (c == 'c')
            may_be_changed = true;
        else
            return c == 'h' ? show_help(self) : fail_usage(self, "that option is not known");
    if (optind != argc - 1)
        return fail_usage(self, "give one result file");
    if (ml_result_describe(argv[optind], may_be_changed, &text, &err) != ML_OK)
        return fail_with(&err);
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

const struct command command_info = {
    .name = "info",
    .arguments = "OUT.h5",
    .doc = "say what is in a result file",
    .options = "      --changed         also of a file that another program has changed\n",
    .run = run,
};
