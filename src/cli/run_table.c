/* Prints rows piece by piece: memory does not grow with the runs. */
#include "cli/run_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manylink/text.h"

enum { PIECE = 1 << 18, /* numbers that are read at once */ NUMBER = 12 /* "-1.23457e-05" */ };

int table_open(struct printed_table *table, const struct command_line *line, struct ml_error *err)
{
    *table = (struct printed_table){.line = line,
                                    .separator = line->table.tsv ? '\t' : ',',
                                    .is_aligned = !line->table.tsv && isatty(STDOUT_FILENO)};
    enum ml_status status = ml_result_open(line->arguments[0], &table->result, err);
    if (status != ML_OK)
        return fail_with(err);
    status = ml_run_table_open(table->result, &table->table, err);
    if (status != ML_E_INPUT)
        return status == ML_OK ? -1 : fail_with(err);
    ml_error_clear(err);
    return fail_without_runs(table->result, line->arguments[0],
                             "tables are of results of `run` and `inverse`");
}

void table_close(struct printed_table *table)
{
    free(table->cells);
    ml_run_table_free(table->table);
    ml_result_free(table->result);
}

int table_fail(const struct printed_table *table, struct ml_error *err)
{
    if (err->status != ML_E_INPUT)
        return fail_with(err);
    say(stderr, "manylink %s: %s", table->line->command->name,
        err->text ? err->text : ml_status_text(err->status));
    ml_error_clear(err);
    return EXIT_BAD_INPUT;
}

int table_add_columns(const struct printed_table *table, struct ml_error *err)
{
    const char *names = table->line->table.columns;
    enum ml_status status = ML_OK;
    while (status == ML_OK) {
        const size_t length = strcspn(names, ",");
        char *name = take_text("%.*s", (int)length, names);
        status = ml_run_table_add(table->table, name, err);
        free(name);
        if (!names[length])
            break;
        names += length + 1;
    }
    return status == ML_OK ? -1 : table_fail(table, err);
}

static void begin_cell(const struct printed_table *table, int i)
{
    if (i > 0 && table->is_aligned)
        (void)fputs("  ", stdout);
    else if (i > 0)
        (void)fputc(table->separator, stdout);
}

/* "name (unit)" */
static char *title_of(const struct ml_run_column *column)
{
    const bool has_unit = *column->unit && strcmp(column->unit, "1") != 0;
    return take_text(has_unit ? "%s (%s)" : "%s", column->name, column->unit);
}

void table_print_names(struct printed_table *table)
{
    struct ml_run_column column = {.size = sizeof column};
    while (ml_run_table_column(table->table, table->n_column, &column))
        table->n_column++;
    table->cells = take((size_t)table->n_column, sizeof *table->cells);
    for (int i = 0; i < table->n_shown; i++) {
        (void)ml_run_table_column(table->table, i, &column);
        char *title = title_of(&column);
        table->cells[i] =
            (struct cells){.width = (int)strlen(title) > NUMBER ? (int)strlen(title) : NUMBER,
                           .is_outcome = strcmp(column.dataset, "runs/outcome") == 0};
        begin_cell(table, i);
        if (table->is_aligned)
            say(stdout, "%*s", NUMBER, title);
        else
            ml_text_word(stdout, title, table->separator);
        free(title);
    }
}

static void print_cell(const struct printed_table *table, int i, double value)
{
    const int width = table->is_aligned ? table->cells[i].width : 0;
    begin_cell(table, i);
    if (table->cells[i].is_outcome && ml_outcome_name((int)value))
        (void)printf("%*s", width, ml_outcome_name((int)value));
    else if (table->is_aligned && isnan(value))
        (void)printf("%*s", width, "-");
    else if (table->is_aligned)
        (void)printf("%*.6g", width, value);
    else
        ml_text_number(stdout, value, "");
}

/* Prints runs first .. first + n - 1, of the order of `runs` if there is one.
 *   some  [n] room; rows [n][n_column] room */
static enum ml_status print_piece(const struct printed_table *table, const int64_t *runs,
                                  int64_t first, int64_t n, int64_t *some, double *rows,
                                  struct ml_error *err)
{
    for (int64_t i = 0; i < n; i++)
        some[i] = runs ? runs[first + i] : first + i;
    const enum ml_status status = ml_run_table_read(table->table, some, n, rows, err);
    for (int64_t i = 0; i < n && status == ML_OK; i++) {
        const double *row = rows + i * table->n_column;
        if (table->has_row && !table->has_row(table->context, row))
            continue;
        for (int k = 0; k < table->n_shown; k++)
            print_cell(table, k, row[k]);
        if (table->end_row)
            table->end_row(table->context, first + i);
        (void)fputc('\n', stdout);
    }
    return status;
}

int table_print_runs(const struct printed_table *table, const int64_t *runs, int64_t n_run,
                     struct ml_error *err)
{
    const int64_t fit = PIECE / (table->n_column + 1) + 1, most = fit < n_run ? fit : n_run;
    int64_t *some = take((size_t)most, sizeof *some);
    double *rows = take((size_t)(most * table->n_column), sizeof *rows);
    enum ml_status status = ML_OK;
    for (int64_t first = 0; status == ML_OK && first < n_run && !ferror(stdout); first += most) {
        const int64_t n = n_run - first < most ? n_run - first : most;
        status = print_piece(table, runs, first, n, some, rows, err);
    }
    free(some);
    free(rows);
    return status == ML_OK ? EXIT_DONE : fail_with(err);
}
