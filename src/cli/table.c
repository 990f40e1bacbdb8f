/* manylink table: one row per run, of swept values, outcome and all numbers of the summary. */
#include <string.h>

#include "cli/command.h"
#include "cli/run_table.h"
#include "manylink/outcome.h"

/* The rows of an outcome, which is a column behind those that are shown. */
struct chosen_rows {
    int outcome, column;
};

static bool table_has_row(const void *context, const double *row)
{
    const struct chosen_rows *chosen = context;
    return row[chosen->column] == (double)chosen->outcome;
}

/* -1, or an exit code: a word that stands for no outcome. */
static int table_check_outcome(const struct command_line *line, int *outcome)
{
    char names[200] = "";
    for (int i = 0; line->table.outcome && ml_outcome_name(i); i++) {
        *outcome = i;
        if (strcmp(line->table.outcome, ml_outcome_name(i)) == 0)
            return -1;
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                       i > 0 ? ", " : "", ml_outcome_name(i));
    }
    return line->table.outcome
               ? fail_usage(line->command, "--outcome %s: one of %s", line->table.outcome, names)
               : -1;
}

/* Adds the columns that are asked for; -1, or an exit code. */
static int table_take(const struct printed_table *table, struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    int64_t width;
    if (table->line->table.columns)
        return table_add_columns(table, err);
    if (ml_run_table_add(table->table, NULL, err) != ML_OK)
        return table_fail(table, err);
    for (int i = 0; ml_run_table_wide(table->table, i, &info, &width); i++)
        say(stderr, "left out: %s, %lld numbers of a run; --columns %s has them\n",
            ml_result_name(&info), (long long)width, ml_result_name(&info));
    return -1;
}

/* Adds the column of outcomes behind those that are shown. */
static int table_take_outcome(struct printed_table *table, struct chosen_rows *chosen,
                              struct ml_error *err)
{
    struct ml_run_column column = {.size = sizeof column};
    while (ml_run_table_column(table->table, table->n_shown, &column))
        table->n_shown++;
    if (!table->line->table.outcome)
        return -1;
    chosen->column = table->n_shown;
    table->has_row = table_has_row;
    table->context = chosen;
    const enum ml_status status = ml_run_table_add(table->table, "outcome", err);
    if (status != ML_E_INPUT)
        return status == ML_OK ? -1 : fail_with(err);
    ml_error_clear(err);
    say(stderr, "%s: has no outcomes of its runs\n", table->line->arguments[0]);
    return EXIT_BAD_INPUT;
}

int command_table(const struct command_line *line)
{
    struct ml_error err = {0};
    struct printed_table table = {0};
    struct chosen_rows chosen = {0};
    int code = table_check_outcome(line, &chosen.outcome);
    if (code < 0)
        code = table_open(&table, line, &err);
    if (code < 0)
        code = table_take(&table, &err);
    if (code < 0)
        code = table_take_outcome(&table, &chosen, &err);
    if (code < 0) {
        table_print_names(&table);
        (void)fputc('\n', stdout);
        code = table_print_runs(&table, NULL, ml_run_table_rows(table.table), &err);
    }
    table_close(&table);
    return code;
}
