/* Tables that say how a number changes over time. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "base/open.h"
#include "columns/table.h"
#include "columns/times.h"
#include "columns/units.h"
#include "config/sections.h"
#include "model/forces/pchip.h"
#include "yaml/nearest.h"
#include "yaml/number.h"

/* Index of the only column besides the time; -1 after telling. */
static int find_only(struct ml_reader *r, const struct ml_node *node, struct ml_table *table)
{
    const int time = ml_table_find(table, ML_TABLE_TIME);
    if (table->n_column == 2)
        return 1 - time;
    if (table->n_column < 2) {
        ml_problem(&table->problems, table->columns[0].location,
                   "there is no column besides `" ML_TABLE_TIME "`");
        return -1;
    }
    ml_problem(
        &r->problems, node->location,
        "key `column` is missing: %s has %d columns besides `" ML_TABLE_TIME "`, such as `%s`",
        table->problems.name, table->n_column - 1, table->columns[time == 0 ? 1 : 0].param.name);
    return -1;
}

/* Index of the column of that name; -1 after telling. */
static int read_breakpoints_find_named(struct ml_reader *r, const struct ml_node *node,
                                       const char *name, struct ml_table *table)
{
    const int found = ml_table_find(table, name);
    struct ml_nearest nearest = ml_nearest_any(name);
    if (found >= 0 && strcmp(name, ML_TABLE_TIME) != 0)
        return found;
    for (int i = 0; i < table->n_column; i++)
        if (strcmp(table->columns[i].param.name, ML_TABLE_TIME) != 0)
            ml_nearest_offer(&nearest, table->columns[i].param.name);
    ml_problem(&r->problems, ml_read_location(node, "column"),
               "column is %s, but %s has no such values%s%s%s", ml_quote(r->pool, name),
               table->problems.name, nearest.best ? "; the nearest is `" : "",
               nearest.best ? nearest.best : "", nearest.best ? "`" : "");
    return -1;
}

/* Reads the samples into time and value [n_row]. */
static void read_samples(struct ml_table *table, int column, const struct ml_param *param,
                         double *time, double *value)
{
    struct ml_table_column *values = &table->columns[column];
    const char *name = values->param.name;
    values->param = *param;
    values->param.name = name;
    values->to = value;
    if (table->degrees == ML_DEGREES_YES && values->scale == 1.0 &&
        strncmp(param->unit, "rad", 3) == 0)
        values->scale = ML_DEGREE;
    table->columns[ml_table_find(table, ML_TABLE_TIME)].to = time;
    ml_table_read(table);
}

/* Tells where the curve is too steep for its numbers. */
static void check_pieces(struct ml_table *table, const struct ml_breakpoints *breakpoints)
{
    for (int64_t k = 0; k + 1 < breakpoints->n; k++)
        for (int power = 0; power < 4; power++)
            if (!isfinite(breakpoints->cubic[k][power])) {
                ml_problem(&table->problems, ml_table_location(table, k + 1),
                           "time is %g, too soon after the line before for a smooth curve",
                           breakpoints->time[k + 1]);
                return;
            }
}

/* Tells that the study asks for times before or after those of the table. */
static void check_span(struct ml_reader *r, struct ml_location location,
                       const struct ml_table *table, const struct ml_breakpoints *breakpoints)
{
    char number[4][ML_NUMBER_TEXT];
    const double start = r->spec->start, end = r->spec->end;
    const double first = breakpoints->time[0], last = breakpoints->time[breakpoints->n - 1];
    if (r->spec->n_step > 0 && (first > start || last < end))
        ml_problem(&r->problems, location,
                   "the times of %s are %s to %s s but must cover those of the study, %s to %s s",
                   table->problems.name, ml_number_text(first, number[0]),
                   ml_number_text(last, number[1]), ml_number_text(start, number[2]),
                   ml_number_text(end, number[3]));
}

/* The curve through the samples of a column. */
static const struct ml_breakpoints *read_column(struct ml_reader *r, struct ml_table *table,
                                                int column, const struct ml_param *param,
                                                struct ml_breakpoints *breakpoints)
{
    struct ml_pool *pool = r->spec->pool;
    const size_t n = (size_t)table->n_row;
    double *time = ml_pool_take(pool, n, sizeof *time);
    double *value = ml_pool_take(pool, n, sizeof *value);
    double(*cubic)[4] = ml_pool_take(pool, n, sizeof *cubic);
    const char *name = table->columns[column].param.name;
    if (!time || !value || !cubic)
        return NULL;
    if (n < 2)
        ml_problem(&table->problems, ml_table_location(table, 0),
                   "there is one sample; a curve takes two at least");
    read_samples(table, column, param, time, value);
    if (table->problems.count > 0)
        return NULL;
    if (r->measured) /* a motion from the same file has these times too */
        ml_times_undo_rounding((int64_t)n, time);
    ml_pchip((int64_t)n, time, value, cubic);
    breakpoints->n = (int64_t)n;
    breakpoints->time = time;
    breakpoints->value = value;
    breakpoints->cubic = (const double(*)[4])cubic;
    breakpoints->column = ml_pool_text(pool, name, strlen(name));
    breakpoints->checksum = XXH3_64bits(table->problems.text, table->problems.length);
    check_pieces(table, breakpoints);
    return breakpoints;
}

/* Whether mistakes of that file are told already, because of another column. */
static bool is_told(const struct ml_reader *r, const char *path)
{
    for (const struct ml_problems *file = r->problems.next; file; file = file->next)
        if (file->count > 0 && strcmp(file->name, path) == 0)
            return true;
    return false;
}

const struct ml_breakpoints *ml_read_breakpoints(struct ml_reader *r, const struct ml_node *node,
                                                 const struct ml_signal_keys *keys,
                                                 const struct ml_param *param)
{
    const char *path = keys->file ? ml_read_path(r, keys->file) : NULL;
    struct ml_table *table = ml_pool_take(r->pool, 1, sizeof *table);
    struct ml_breakpoints *breakpoints = ml_pool_take(r->spec->pool, 1, sizeof *breakpoints);
    const struct ml_location location = ml_read_location(node, "file");
    if (!path || !table || !breakpoints || is_told(r, path))
        return NULL;
    if (!ml_table_open(table, r->pool, path, ML_TABLE_TIME ",value")) {
        ml_problem(&r->problems, location, "file is %s: %s", ml_quote(r->pool, keys->file),
                   ml_open_reason(errno));
        return NULL;
    }
    breakpoints->file = ml_pool_text(r->spec->pool, keys->file, strlen(keys->file));
    ml_problems_join(&r->problems, &table->problems);
    if (table->problems.count == 0 && ml_table_find(table, ML_TABLE_TIME) < 0)
        ml_table_missing(table, ML_TABLE_TIME, "");
    if (table->problems.count > 0 || table->pool->is_short)
        return NULL;
    const int column = keys->column ? read_breakpoints_find_named(r, node, keys->column, table)
                                    : find_only(r, node, table);
    if (column < 0 || !read_column(r, table, column, param, breakpoints))
        return NULL;
    if (!r->is_for_inverse) /* which looks at the times of the motion */
        check_span(r, location, table, breakpoints);
    return breakpoints;
}
