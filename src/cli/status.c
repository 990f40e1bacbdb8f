/* manylink status: how far a result is. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "manylink/result.h"

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        return c == 'h' ? show_help(self) : fail_usage(self, "that option is not known");
    if (optind == argc)
        return fail_usage(self, "give a result file, whether it is there yet or not");
    for (int i = optind; i < argc; i++) {
        struct ml_error err = {0};
        char *text;
        if (ml_result_status(argv[i], &text, &err) != ML_OK)
            return fail_with(&err);
        fputs(text, stdout);
        free(text);
    }
    return EXIT_DONE;
}

const struct command command_status = {
    .name = "status",
    .arguments = "OUT.h5...",
    .doc = "say how far a result and its shards are, and who is at work",
    .options =
        "Reads what is on disk, and disturbs nobody. Shards are found beside OUT.h5 by their\n"
        "names, OUT.shard-I-of-N.h5. Whether a process on another machine is at work can be\n"
        "told where the file system passes locks on; the age of the last block tells too.\n",
    .run = run,
};
