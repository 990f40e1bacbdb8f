/* manylink table: one row per run, of swept values, outcome and all numbers of the summary. */
#include <string.h>

#include "cli/command.h"
#include "cli/run_table.h"
#include "manylink/outcome.h"

static bool table_has_row(const struct table *table, int64_t row)
{
    const char *wanted = table->line->outcome;
    const char *name = wanted ? ml_outcome_name((int)table->outcome->values[row]) : NULL;
    return !wanted || (name && strcmp(name, wanted) == 0);
}

static void table_visit(void *context, int64_t run, int64_t row)
{
    const struct table *table = context;
    (void)run;
    if (table_has_row(table, row))
        table_put_row(table, row);
}

/* -1, or an exit code: a word that stands for no outcome. */
static int table_check_outcome(const struct command_line *line)
{
    char names[200] = "";
    for (int i = 0; line->outcome && ml_outcome_name(i); i++) {
        if (strcmp(line->outcome, ml_outcome_name(i)) == 0)
            return -1;
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                       i > 0 ? ", " : "", ml_outcome_name(i));
    }
    return line->outcome
               ? fail_usage(line->command, "--outcome %s: one of %s", line->outcome, names)
               : -1;
}

int command_table(const struct command_line *line)
{
    struct ml_error err = {0};
    struct table table = {0};
    int code = table_check_outcome(line);
    if (code < 0)
        code = table_open(&table, line, &err);
    if (code < 0)
        code = table_take(&table);
    table.n_shown = table.n_column;
    if (code < 0) {
        table_put_header(&table);
        (void)fputc('\n', stdout);
        code = table_each(&table, table_visit, &table);
    }
    table_close(&table);
    return code;
}
