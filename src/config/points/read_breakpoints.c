/* Tables that say how a number changes over time. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

#include "base/open.h"
#include "columns/cells.h"
#include "columns/table.h"
#include "config/sections/sections.h"
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
                   "the only column is `" ML_TABLE_TIME "`");
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
    const int found = ml_table_find_chosen(table, name);
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

/* Unit and range of the values of a column. */
static void set_values(struct ml_table *table, int column, const struct ml_param *param)
{
    struct ml_table_column *values = &table->columns[column];
    const char *name = values->param.name;
    values->param = *param;
    values->param.name = name;
    if (table->degrees == ML_DEGREES_YES && values->scale == 1.0 &&
        strncmp(param->unit, "rad", 3) == 0)
        values->scale = ML_DEGREE;
}

/* Reports where the curve is too steep for its numbers.
 *   name  of the column of times */
static void check_pieces(struct ml_table *table, const char *name,
                         const struct ml_breakpoints *breakpoints)
{
    for (int64_t k = 0; k + 1 < breakpoints->n; k++)
        for (int power = 0; power < 4; power++)
            if (!isfinite(breakpoints->cubic[k][power])) {
                ml_problem(&table->problems, ml_table_location(table, k + 1),
                           "%s is %g, too close to the time of the line before for a smooth curve",
                           name, breakpoints->time[k + 1]);
                return;
            }
}

/* Reports times of the study before or after those of the table. */
static void check_span(struct ml_reader *r, struct ml_location location,
                       const struct ml_table *table, const struct ml_breakpoints *breakpoints)
{
    char number[4][ML_NUMBER_TEXT];
    const double start = r->spec->time.start, end = r->spec->time.end;
    const double first = breakpoints->time[0], last = breakpoints->time[breakpoints->n - 1];
    if (r->spec->time.n_step > 0 && (first > start || last < end))
        ml_problem(&r->problems, location,
                   "the times of %s are %s to %s s but must cover those of the study, %s to %s s",
                   table->problems.name, ml_number_text(first, number[0]),
                   ml_number_text(last, number[1]), ml_number_text(start, number[2]),
                   ml_number_text(end, number[3]));
}

/* Fills numbers that are missing, as those of a point where no force is, by the line between their
 * neighbours; false if all are. */
static bool bridge(int64_t n, const double *time, const double *from, double *to)
{
    int64_t last = -1;
    for (int64_t k = 0; k < n; k++) {
        to[k] = from[k];
        if (isnan(from[k]))
            continue;
        for (int64_t j = last + 1; j < k; j++) {
            const double before = last < 0 ? from[k] : from[last];
            const double share = last < 0 ? 0.0 : (time[j] - time[last]) / (time[k] - time[last]);
            to[j] = fma(share, from[k] - before, before);
        }
        last = k;
    }
    for (int64_t j = last + 1; last >= 0 && j < n; j++)
        to[j] = from[last];
    return last >= 0;
}

/* The curve through the samples of a column over those of another.
 *   has_stairs  the value of a sample holds up to the next */
static const struct ml_breakpoints *read_columns(struct ml_reader *r, struct ml_table *table,
                                                 int over, int column, bool has_stairs,
                                                 struct ml_breakpoints *breakpoints)
{
    struct ml_pool *pool = r->spec->pool;
    const size_t n = (size_t)table->n_row;
    double *time = ml_pool_take(pool, n, sizeof *time);
    double *value = ml_pool_take(pool, n, sizeof *value);
    double *whole = ml_pool_take(r->pool, n, sizeof *whole);
    double(*cubic)[4] = ml_pool_take(pool, n, sizeof *cubic);
    const char *name = table->columns[column].param.name;
    if (!time || !value || !whole || !cubic)
        return NULL;
    if (n < 2)
        ml_problem(&table->problems, ml_table_location(table, 0),
                   "a curve needs two samples at least; the table has one");
    table->columns[over].to = time;
    table->columns[column].to = value;
    ml_table_read(table);
    if (table->problems.count > 0)
        return NULL;
    if (ml_table_other_rate(table, (int64_t)n, time) > 0.0)
        breakpoints->header_rate = table->rate;
    if (r->measured) /* a motion from the same file has these times too */
        ml_times_undo_rounding((int64_t)n, time);
    if (!bridge((int64_t)n, time, value, whole))
        ml_problem(&table->problems, table->columns[column].location, "%s has no numbers",
                   ml_quote(r->pool, name));
    ml_pchip((int64_t)n, time, whole, cubic);
    for (size_t k = 0; k + 1 < n && has_stairs; k++)
        cubic[k][1] = cubic[k][2] = cubic[k][3] = 0.0;
    breakpoints->n = (int64_t)n;
    breakpoints->time = time;
    breakpoints->value = value;
    breakpoints->cubic = (const double(*)[4])cubic;
    breakpoints->column = ml_pool_text(pool, name, strlen(name));
    breakpoints->checksum = XXH3_64bits(table->problems.text, table->problems.length);
    check_pieces(table, table->columns[over].param.name, breakpoints);
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

/* Opens the file that `node` names; NULL after telling, or without memory.
 *   example  a line of names, for messages
 *   out      its name */
static struct ml_table *open_table(struct ml_reader *r, const struct ml_node *node,
                                   const char *file, const char *example,
                                   struct ml_breakpoints *out)
{
    const char *path = file ? ml_read_path(r, file) : NULL;
    struct ml_table *table = ml_pool_take(r->pool, 1, sizeof *table);
    if (!path || !table || !out || is_told(r, path))
        return NULL;
    if (!ml_table_open(table, r->pool, path, true, example)) {
        ml_problem(&r->problems, ml_read_location(node, "file"), "file is %s: %s",
                   ml_quote(r->pool, file), ml_open_reason(errno));
        return NULL;
    }
    out->file = ml_pool_text(r->spec->pool, file, strlen(file));
    ml_problems_join(&r->problems, &table->problems);
    return table->problems.count == 0 && !table->pool->is_short ? table : NULL;
}

/* Takes the times from the column, or by the rate, that the study names. */
static void set_times(struct ml_table *table, const struct ml_signal_keys *keys,
                      struct ml_breakpoints *breakpoints, struct ml_pool *pool)
{
    if (keys->time) {
        ml_table_set_time(table, keys->time);
        breakpoints->by = ml_pool_text(pool, keys->time, strlen(keys->time));
    }
    if (keys->rate > 0.0 && ml_table_find(table, ML_TABLE_TIME) >= 0) {
        ml_problem(&table->problems, (struct ml_location){.line = table->names_line, .column = 1},
                   "the table has times, by a column or the rate in its header; leave `rate` out");
    } else if (keys->rate > 0.0) {
        ml_table_set_rate(table, keys->rate);
        breakpoints->rate = keys->rate;
    }
}

const struct ml_breakpoints *ml_read_breakpoints(struct ml_reader *r, const struct ml_node *node,
                                                 const struct ml_signal_keys *keys,
                                                 const struct ml_param *param)
{
    struct ml_breakpoints *breakpoints = ml_pool_take(r->spec->pool, 1, sizeof *breakpoints);
    struct ml_table *table = open_table(r, node, keys->file, ML_TABLE_TIME ",value", breakpoints);
    if (!table)
        return NULL;
    set_times(table, keys, breakpoints, r->spec->pool);
    const int time = ml_table_find(table, ML_TABLE_TIME);
    if (time < 0 && table->problems.count == 0)
        ml_table_missing(table, ML_TABLE_TIME,
                         "; `time: NAME` or `rate: HZ` beside `file` gives the times");
    if (table->problems.count > 0)
        return NULL;
    const int column = keys->column ? read_breakpoints_find_named(r, node, keys->column, table)
                                    : find_only(r, node, table);
    if (column < 0)
        return NULL;
    set_values(table, column, param);
    /* points and moments mean nothing where no force is */
    table->columns[column].takes_gaps =
        r->measured && r->measured->threshold > 0.0 && strncmp(param->name, "force", 5) != 0;
    breakpoints->is_held = keys->is_held;
    if (!read_columns(r, table, time, column, keys->is_held, breakpoints))
        return NULL;
    if (!r->is_for_inverse) /* which looks at the times of the motion */
        check_span(r, ml_read_location(node, "file"), table, breakpoints);
    return breakpoints;
}

/* Index of the column that a key of a table names; -1 after telling. */
static int find_column(struct ml_table *table, const char *name)
{
    const int found = ml_table_find(table, name);
    if (found < 0)
        ml_table_missing(table, name, "");
    return found;
}

const struct ml_breakpoints *ml_read_curve(struct ml_reader *r, const struct ml_node *node,
                                           const struct ml_curve_keys *keys)
{
    struct ml_breakpoints *curve = ml_pool_take(r->spec->pool, 1, sizeof *curve);
    struct ml_table *table = keys->x && keys->y ? open_table(r, node, keys->file, "x,y", curve)
                                                : NULL; /* which was told */
    if (!table)
        return NULL;
    const int x = find_column(table, keys->x), y = find_column(table, keys->y);
    if (x == y && x >= 0)
        ml_problem(&r->problems, ml_read_location(node, "y"), "x and y are the same column");
    if (table->degrees == ML_DEGREES_YES)
        ml_problem(
            &table->problems, (struct ml_location){.line = 1, .column = 1},
            "the file is in degrees but does not name the columns with angles; write the unit "
            "behind their names, as in `alpha (deg)`, and remove the line about degrees");
    if (x < 0 || y < 0 || x == y || table->problems.count > 0)
        return NULL;
    table->order = keys->x;
    curve->is_held = keys->outside == ML_OUTSIDE_HOLD;
    curve->has_stairs = keys->has_stairs;
    return read_columns(r, table, x, y, keys->has_stairs, curve);
}
