/* Ranks the runs of a table by a number: the first of all, or over an axis one at each point of the
 * other axes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/formula.h"
#include "manylink/outcome.h"
#include "run/run_table.h"

struct best {
    struct ml_run_table *table;
    const struct ml_best_options *options;
    struct ml_error *err;
    enum ml_status status;          /* of the column added last */
    bool is_descending;             /* the largest number comes first */
    double none;                    /* that a finished run without the number counts as; NaN: it
                                       does not count */
    int outcome;                    /* column; -1: no run has an outcome */
    struct ml_formula **conditions; /* [options->n_where] of the numbers of all columns */
    double *chosen;                 /* [room] numbers of the chosen runs */
    int64_t *runs;                  /* [room]; -1: none */
    int64_t *counted, *without;     /* [room] as of struct ml_best */
    int64_t room, size, inner;      /* the axis, and the axes behind; without an axis size is 0 */
    struct ml_best found;
};

/* Adds the column of a single number. */
static int best_add_number(struct best *b, const char *name)
{
    struct ml_run_table *table = b->table;
    const int column = table->n_column;
    b->status = ml_run_table_add(table, name, b->err);
    if (b->status == ML_OK && table->n_column > column + 1)
        b->status = ml_fail(b->err, ML_E_INPUT, "%s has %d numbers of a run: name one, such as %s",
                            name, table->n_column - column, table->columns[column].name);
    return column;
}

/* As ml_formula_name_fn: the column of a name, which is added once; a name of `define` stands for
 * its number, as in a study. */
static int best_name(void *context, const char *name, const char **unit)
{
    struct best *b = context;
    struct ml_run_table *table = b->table;
    int column = b->found.column;
    char defined[256];
    (void)snprintf(defined, sizeof defined, "define.%s", name);
    if (!ml_run_table_has(table, name) && ml_run_table_has(table, defined))
        name = defined;
    while (column < table->n_column && strcmp(table->columns[column].name, name) != 0)
        column++;
    if (column == table->n_column && b->status == ML_OK && ml_run_table_has(table, name))
        (void)best_add_number(b, name);
    if (b->status != ML_OK || column == table->n_column)
        return -1;
    *unit = table->columns[column].source->info.unit;
    return column;
}

static enum ml_status best_add_condition(struct best *b, int i)
{
    const char *text = b->options->where[i];
    struct ml_error own = {0};
    enum ml_status status = ml_formula_read(text, best_name, b, &b->conditions[i], &own);
    if (status == ML_OK && !ml_formula_is_condition(b->conditions[i]))
        status = ml_fail(b->err, ML_E_INPUT,
                         "%s: this is a number; a condition compares, as in \"overshoot < 0.05 and "
                         "abs(end_angle.upper) < 3 deg\"",
                         text);
    else if (status != ML_OK && b->status == ML_OK) {
        char *names = ml_run_table_names(b->table);
        ml_fail(b->err, status, "%snames are:%s", own.text ? own.text : "", names ? names : "");
        free(names);
    }
    ml_error_clear(&own);
    return status;
}

/* Columns of the number, of conditions and of the outcome, in this order. */
static enum ml_status best_add_columns(struct best *b)
{
    struct ml_run_table *table = b->table;
    b->found.column = best_add_number(b, b->options->output);
    if (b->status != ML_OK)
        return b->status;
    b->conditions =
        ml_pool_take(&table->pool, (size_t)b->options->n_where + 1, sizeof(struct ml_formula *));
    if (!b->conditions)
        return ML_E_MEMORY;
    for (int i = 0; i < b->options->n_where; i++) {
        const enum ml_status status = best_add_condition(b, i);
        if (status != ML_OK)
            return status;
    }
    b->outcome = table->has_outcome ? table->n_column : -1;
    return table->has_outcome ? ml_run_table_add(table, "outcome", b->err) : ML_OK;
}

/* Finds the axis of `over` and makes room. */
static enum ml_status best_make_room(struct best *b)
{
    struct ml_run_table *table = b->table;
    const char *over = b->options->over;
    const int64_t count = b->options->count < table->n_run ? b->options->count : table->n_run;
    b->room = count > 0 ? count : 0;
    b->found.n_point = 1;
    if (over) {
        int at = 0;
        while (at < table->n_grid && strcmp(table->grid.dim[at], over) != 0)
            at++;
        if (at >= table->n_grid)
            return ml_fail(b->err, ML_E_INPUT,
                           "over %s: the runs have no such axis; the last axis is %s", over,
                           table->n_grid > 0 ? table->grid.dim[table->n_grid - 1]
                                             : "none, of a single run");
        b->size = table->grid.shape[at];
        b->inner = ml_result_count(&table->grid, at + 1, table->n_grid);
        b->room = b->found.n_point = b->found.n = table->n_run / b->size;
    }
    const size_t n = (size_t)b->room + 1;
    b->chosen = ml_pool_take(&table->pool, n, sizeof *b->chosen);
    b->runs = ml_pool_take(&table->pool, n, sizeof *b->runs);
    b->counted = ml_pool_take(&table->pool, n, sizeof *b->counted);
    b->without = ml_pool_take(&table->pool, n, sizeof *b->without);
    if (table->pool.is_short)
        return ML_E_MEMORY;
    memset(b->runs, -1, n * sizeof *b->runs);
    return ML_OK;
}

/* Whether larger or smaller numbers come first, and where a finished run without the number stands,
 * by the attribute of the output. */
static enum ml_status best_find_order(struct best *b)
{
    const char *better = NULL;
    struct ml_run_table *table = b->table;
    const struct ml_run_source *ranked = table->columns[b->found.column].source;
    b->none = (double)NAN;
    if (table->n_grid >= 0 && strncmp(ranked->info.name, "summary/", 8) == 0) {
        const enum ml_status status =
            ml_result_attribute(table->result, ranked->info.name, "better", 0, &better, b->err);
        if (status != ML_OK)
            return status;
    }
    const bool is_larger = better && strcmp(better, "larger") == 0;
    const bool is_largest = b->options->is_largest != 0, is_worst = b->options->is_worst != 0;
    if (better)
        b->none = is_largest || is_larger ? -(double)INFINITY : (double)INFINITY;
    b->found.has_without = better != NULL;
    b->is_descending = (is_largest || is_larger) != is_worst;
    return ML_OK;
}

/* Whether a run counts: it ended as the study asks, has the numbers of all conditions and the
 * ranked number, and meets the conditions. */
static bool best_counts(struct best *b, const double *row)
{
    const double value = row[b->found.column];
    const int end = b->outcome >= 0 ? b->outcome : b->table->n_column;
    if ((b->outcome >= 0 && !ml_outcome_is_sound((int)row[b->outcome])) ||
        !(isfinite(value) || b->found.has_without))
        return false;
    for (int i = b->found.column + 1; i < end; i++)
        if (isnan(row[i])) {
            b->found.n_lacking++;
            return false;
        }
    for (int i = 0; i < b->options->n_where; i++)
        if (!(ml_formula_value(b->conditions[i], row) > 0.0))
            return false;
    return true;
}

static bool best_is_before(const struct best *b, double value, int64_t than)
{
    return b->runs[than] < 0 ||
           (b->is_descending ? value > b->chosen[than] : value < b->chosen[than]);
}

/* Puts a run into the order, behind runs with the same number. */
static void best_insert(struct best *b, double value, int64_t run)
{
    int64_t low = 0, high = b->found.n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (best_is_before(b, value, middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == b->room)
        return;
    const int64_t kept = b->found.n < b->room ? b->found.n++ : b->room - 1;
    memmove(b->chosen + low + 1, b->chosen + low, (size_t)(kept - low) * sizeof *b->chosen);
    memmove(b->runs + low + 1, b->runs + low, (size_t)(kept - low) * sizeof *b->runs);
    b->chosen[low] = value;
    b->runs[low] = run;
}

static void best_visit(struct best *b, int64_t run, const double *row)
{
    const bool is_none = isnan(row[b->found.column]);
    const double value = is_none ? b->none : row[b->found.column];
    if (!best_counts(b, row))
        return;
    b->found.n_counted++;
    b->found.n_without += is_none;
    if (b->size == 0) {
        best_insert(b, value, run);
        return;
    }
    const int64_t at = run / (b->size * b->inner) * b->inner + run % b->inner;
    b->counted[at]++;
    b->without[at] += is_none;
    if (best_is_before(b, value, at)) {
        b->chosen[at] = value;
        b->runs[at] = run;
    }
}

/* Reads all rows, and leaves the points without a run out. */
static enum ml_status best_read(struct best *b)
{
    const int64_t n_column = b->table->n_column, n_run = b->table->n_run;
    const int64_t fit = ML_TABLE_PIECE / n_column + 1, most = fit < n_run ? fit : n_run;
    int64_t *runs = malloc((size_t)most * sizeof *runs + 1), kept = 0;
    double *rows = malloc((size_t)(most * n_column) * sizeof *rows + 1);
    enum ml_status status = runs && rows ? ML_OK : ML_E_MEMORY;
    for (int64_t first = 0; runs && rows && first < n_run && status == ML_OK; first += most) {
        const int64_t n = n_run - first < most ? n_run - first : most;
        for (int64_t i = 0; i < n; i++)
            runs[i] = first + i;
        status = ml_run_table_read(b->table, runs, n, rows, b->err);
        for (int64_t i = 0; i < n && status == ML_OK; i++)
            best_visit(b, first + i, rows + i * n_column);
    }
    free(runs);
    free(rows);
    for (int64_t i = 0; i < b->found.n; i++)
        if (b->runs[i] >= 0) {
            b->runs[kept] = b->runs[i];
            b->counted[kept] = b->counted[i];
            b->without[kept++] = b->without[i];
        }
    b->found.n = kept;
    return status;
}

enum ml_status ml_run_table_best(struct ml_run_table *table, const struct ml_best_options *options,
                                 struct ml_best *out, struct ml_error *err)
{
    struct ml_best_options own = {0};
    struct best b = {.table = table, .options = &own, .err = err};
    memcpy(&own, options, options->size < sizeof own ? options->size : sizeof own);
    b.found.size = out->size;
    enum ml_status status = best_add_columns(&b);
    if (status == ML_OK)
        status = best_find_order(&b);
    if (status == ML_OK)
        status = best_make_room(&b);
    if (status == ML_OK)
        status = best_read(&b);
    b.found.runs = b.runs;
    b.found.counted = b.size > 0 ? b.counted : NULL;
    b.found.without = b.size > 0 ? b.without : NULL;
    for (int i = 0; b.conditions && i < own.n_where; i++)
        ml_formula_free(b.conditions[i]);
    memcpy(out, &b.found, out->size < sizeof *out ? out->size : sizeof *out);
    return status;
}
