/* The commands of tools in a build without these (-DML_TOOLS=OFF). */
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "tools/watch/watch.h"

static int without_tools(const char *command)
{
    fprintf(stderr,
            "cannot run `manylink %s`: this build is without tools; build with -DML_TOOLS=ON\n",
            command);
    return EXIT_BAD_INPUT;
}

static int command_without_tools(const struct command_line *line)
{
    return without_tools(line->command->name);
}

int command_compare(const struct command_line *line) { return command_without_tools(line); }
int command_export(const struct command_line *line) { return command_without_tools(line); }
int command_gait(const struct command_line *line) { return command_without_tools(line); }
int command_slurm(const struct command_line *line) { return command_without_tools(line); }

/* Called before a run begins. */
void watch_begin(struct watch *watch, const struct ml_study *study, int columns, int rows)
{
    (void)watch, (void)study, (void)columns, (void)rows;
    exit(without_tools("run --watch"));
}

void watch_add(struct watch *watch, const struct ml_run_block *block) { (void)watch, (void)block; }

int watch_print(const struct watch *watch, FILE *to)
{
    (void)watch, (void)to;
    return 0;
}
