/* Reads a motion from a text table: which columns are there, and that their numbers are usable. */
#include "inverse/csv.h"

#include <errno.h>
#include <locale.h>
#include <string.h>

#include "base/fail.h"
#include "base/open.h"
#include "columns/table.h"
#include "inverse/intervals.h"
#include "yaml/nearest.h"

/* What a column has. */
struct column {
    int row;   /* enum ml_motion_row, or one of these */
    int curve; /* of rows */
};

enum { OF_TIME = -1, UNKNOWN = -2 };

struct reader {
    const struct ml_study *study;
    struct ml_motions *out;
    struct ml_pool pool; /* of this reading */
    struct ml_table table;
};

static int curves_of(const struct reader *r, int row)
{
    return ml_motion_curves(r->study->ensemble.model.n, (enum ml_motion_row)row);
}

static const char *csv_name_of(struct reader *r, int row, int i)
{
    const char *name = ml_pool_format(&r->pool, "%s/%s", ml_motion_name((enum ml_motion_row)row),
                                      ml_motion_curve(r->study, (enum ml_motion_row)row, i));
    return name ? name : "";
}

/* Index of a row's curve of that name; -1 if not found. */
static int find_curve(const struct reader *r, int row, const char *name)
{
    for (int i = 0; i < curves_of(r, row); i++)
        if (strcmp(ml_motion_curve(r->study, (enum ml_motion_row)row, i), name) == 0)
            return i;
    return -1;
}

/* A hint to add about the name of an unknown column. */
static const char *csv_hint(const char *name)
{
    if (strstr(name, "deg") || strstr(name, "\u00b0"))
        return "; angles are in rad: degrees times pi/180";
    return "";
}

static void csv_tell_unknown(struct reader *r, const struct ml_table_column *at)
{
    const char *name = at->param.name;
    struct ml_nearest nearest = ml_nearest_any(name);
    ml_nearest_offer(&nearest, ML_TABLE_TIME);
    for (int q = 0; q < ML_N_MOTION; q++)
        for (int i = 0; i < curves_of(r, q); i++)
            ml_nearest_offer(&nearest, csv_name_of(r, q, i));
    ml_problem(&r->table.problems, at->location,
               "column %s is of no segment of the study and no coordinate of its base; the nearest "
               "is `%s`%s",
               ml_quote(&r->pool, name), nearest.best ? nearest.best : ML_TABLE_TIME,
               csv_hint(name));
}

/* What a column's name says. */
static struct column read_name(struct reader *r, const struct ml_table_column *at)
{
    struct column column = {UNKNOWN, -1};
    const char *name = at->param.name, *slash = strchr(name, '/');
    if (strcmp(name, ML_TABLE_TIME) == 0)
        column.row = OF_TIME;
    for (int q = 0; slash && q < ML_N_MOTION; q++) {
        const char *row = ml_motion_name((enum ml_motion_row)q);
        if (strlen(row) != (size_t)(slash - name) || strncmp(name, row, strlen(row)) != 0)
            continue;
        column.curve = find_curve(r, q, slash + 1);
        if (column.curve < 0)
            csv_tell_unknown(r, at);
        else {
            column.row = q;
            return column;
        }
    }
    return column;
}

static bool has_row(struct reader *r, int row)
{
    for (int i = 0; i < curves_of(r, row); i++)
        if (ml_table_find(&r->table, csv_name_of(r, row, i)) >= 0)
            return true;
    return false;
}

static void tell_missing(struct reader *r)
{
    if (ml_table_find(&r->table, ML_TABLE_TIME) < 0)
        ml_table_missing(&r->table, ML_TABLE_TIME, "");
    for (int q = 0; q < ML_N_MOTION; q++) {
        const bool needs_base = q == ML_MOTION_BASE && (has_row(r, ML_MOTION_BASE_RATE) ||
                                                        has_row(r, ML_MOTION_BASE_ACCELERATION));
        r->out->is_given[q] = q == ML_MOTION_ANGLE || needs_base || has_row(r, q);
        for (int i = 0; r->out->is_given[q] && i < curves_of(r, q); i++)
            if (ml_table_find(&r->table, csv_name_of(r, q, i)) < 0)
                ml_table_missing(&r->table, csv_name_of(r, q, i),
                                 q == ML_MOTION_ANGLE ? ""
                                 : q < ML_MOTION_BASE ? ": it is given for all segments or for none"
                                                      : ": of a base that moves x and y are given");
    }
}

/* Room for all samples. */
static void csv_make_room(struct reader *r)
{
    struct ml_motions *out = r->out;
    out->n_time = r->table.n_row;
    out->n_motion = 1;
    out->time = ml_pool_take(&out->pool, (size_t)out->n_time, sizeof(double));
    for (int q = 0; q < ML_N_MOTION; q++)
        if (out->is_given[q])
            out->values[q] = ml_pool_take(&out->pool, (size_t)curves_of(r, q) * (size_t)out->n_time,
                                          sizeof(double));
}

static void read_columns(struct reader *r)
{
    struct ml_table *table = &r->table;
    struct ml_motions *out = r->out;
    for (int i = 0; i < table->n_column && table->problems.count < ML_PROBLEMS_SHOWN; i++)
        (void)read_name(r, &table->columns[i]);
    if (table->problems.count == 0)
        tell_missing(r);
    if (table->problems.count > 0)
        return;
    csv_make_room(r);
    for (int i = 0; i < table->n_column && !out->pool.is_short; i++) {
        const struct column column = read_name(r, &table->columns[i]);
        if (column.row == OF_TIME)
            table->columns[i].to = out->time;
        else if (column.row >= 0)
            table->columns[i].to = &out->values[column.row][column.curve * out->n_time];
    }
    if (!out->pool.is_short)
        ml_table_read(table);
}

/* A spline that stands in for what is not given, or smooths it, takes no gaps, and no samples that
 * are so near to each other that what is left of the last digits of their angles makes its
 * accelerations. */
static void check_gaps(struct reader *r)
{
    const struct ml_motions *m = r->out;
    if ((ml_motions_are_whole(m) && !r->study->spec.smoothing.is_validated) || m->n_time < 2)
        return;
    const double usual = ml_median_interval(&r->pool, m->n_time, m->time);
    for (int64_t k = 1; k < m->n_time && !r->pool.is_short; k++) {
        const double interval = m->time[k] - m->time[k - 1];
        if (interval * ML_CROWD < usual)
            ml_problem(&r->table.problems, ml_table_location(&r->table, k),
                       "time is %g, only %.3g s after the line before: too soon for a spline, by "
                       "the usual %.3g s between lines; leave one of the two lines out",
                       m->time[k], interval, usual);
        if (interval > ML_GAP * usual)
            ml_problem(&r->table.problems, ml_table_location(&r->table, k),
                       "time is %g, but in the line before %g: a gap of more than %d times the "
                       "usual %.3g s, which no spline can fill; give rates and accelerations, or "
                       "a table for either side",
                       m->time[k], m->time[k - 1], (int)ML_GAP, usual);
    }
}

static enum ml_status read_table(struct reader *r, const char *path, struct ml_error *err)
{
    const char *first = r->study->spec.segment_names[0];
    const char *example = ml_pool_format(&r->pool, ML_TABLE_TIME ",angle/%s,...", first);
    const bool is_open = example && ml_table_open(&r->table, &r->pool, path, example);
    if (!is_open && !r->pool.is_short)
        return ml_fail(err, ML_E_FILE, "%s: %s", path, ml_open_reason(errno));
    if (is_open && r->table.n_column > 0)
        read_columns(r);
    if (is_open && r->table.problems.count == 0 && !r->pool.is_short && !r->out->pool.is_short)
        check_gaps(r);
    if (r->pool.is_short || r->out->pool.is_short)
        return ml_fail(err, ML_E_MEMORY, "%s: out of memory", path);
    return ml_problems_report(&r->table.problems, err);
}

enum ml_status ml_csv_open(const struct ml_study *study, const char *path, struct ml_motions *out,
                           struct ml_error *err)
{
    struct reader r = {.study = study, .out = out};
    const enum ml_status status = read_table(&r, path, err);
    ml_pool_free(&r.pool);
    return status;
}
