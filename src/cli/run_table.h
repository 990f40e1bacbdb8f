/* Columns of a run table as lines of text: on a terminal aligned, with six digits, else cells
 * between separators. */
#ifndef ML_CLI_RUN_TABLE_H
#define ML_CLI_RUN_TABLE_H

#include "cli/messages.h"
#include "cli/options.h"
#include "manylink/run_table.h"

struct printed_table {
    const struct command_line *line;
    struct ml_result *result;
    struct ml_run_table *table;
    int n_shown;  /* columns that are printed, the first */
    int n_column; /* of a row */
    struct cells {
        int width; /* characters on a terminal */
        bool is_outcome;
    } * cells; /* [n_shown] */
    char separator;
    bool is_aligned;
    /* Whether a row is printed; prints behind the cells of row i of those asked for. NULL: all,
     * nothing. */
    bool (*has_row)(const void *context, const double *row);
    void (*end_row)(const void *context, int64_t i);
    const void *context;
};

/* Opens the result of the line and its table. -1, or an exit code after a message; close in any
 * case. */
int table_open(struct printed_table *table, const struct command_line *line, struct ml_error *err);
void table_close(struct printed_table *table);

/* Adds the columns of --columns. -1, or an exit code after a message. */
int table_add_columns(const struct printed_table *table, struct ml_error *err);

/* Prints the message of a call about the table behind the name of the command; an exit code. */
int table_fail(const struct printed_table *table, struct ml_error *err);

/* Prints the names of the columns that are shown, with units, without a line end. */
void table_print_names(struct printed_table *table);

/* Reads and prints rows, after table_print_names; an exit code.
 *   runs  [n_run] in their order; NULL: 0 .. n_run - 1 */
int table_print_runs(const struct printed_table *table, const int64_t *runs, int64_t n_run,
                     struct ml_error *err);

#endif
