/* Reads the tables that a fit compares with, and finds the samples around their times. */
#include "fit/measured.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/open.h"
#include "columns/cells.h"
#include "columns/table.h"
#include "linalg/lagrange.h"
#include "manylink/fail.h"

struct reading {
    const struct ml_study *study;
    const struct ml_fit_spec *fit;
    const struct ml_motions *motion;     /* NULL: runs */
    const struct ml_fit_column *columns; /* of the table at hand */
    int64_t n_before;                    /* numbers of the tables before */
    bool is_last;                        /* of the tables */
    struct ml_table table;
    struct ml_measured_numbers *out; /* of the table at hand, in the end of all */
};

/* Has the numbers, or the deviations, of a column of the fit read from a column of the table, in
 * the unit of the state; NULL after a problem. */
static double *choose_column(struct reading *r, const struct ml_fit_column *wanted,
                             const char *name)
{
    const int c = ml_table_find_chosen(&r->table, name);
    struct ml_pool *pool = &r->out->pool;
    if (c < 0) {
        ml_table_missing(&r->table, name,
                         r->fit->is_joint ? ": `fit` of the study names it; an experiment without "
                                            "the number names it in `leave_out`"
                                          : ": `fit` of the study names it");
        return NULL;
    }
    struct ml_table_column *column = &r->table.columns[c];
    const bool is_stated = strcmp(column->param.unit, "1") != 0;
    if (is_stated && !wanted->is_formula && strcmp(column->param.unit, wanted->unit) != 0)
        ml_problem(&r->table.problems, column->location,
                   "column %s is in %s, but `%s` in %s; name another column",
                   ml_quote(pool, column->param.name), column->param.unit, wanted->name,
                   wanted->unit);
    if (column->to) {
        ml_problem(&r->table.problems, column->location,
                   "column %s stands for two numbers of the fit; name one column for each",
                   ml_quote(pool, column->param.name));
        return NULL;
    }
    if (!is_stated && r->table.degrees == ML_DEGREES_YES && strncmp(wanted->unit, "rad", 3) == 0)
        column->scale = ML_DEGREE;
    column->to = ml_pool_take(pool, (size_t)r->out->n_time + 1, sizeof(double));
    column->takes_gaps = true;
    return column->to;
}

/* Deviations of column i: one for all numbers, or those of a column of the table, which several
 * columns of a unit may share. */
static void choose_deviations(struct reading *r, int i)
{
    struct ml_measured_numbers *out = r->out;
    const struct ml_fit_column *own = &r->columns[i];
    for (int k = 0; k < i && own->sd_column; k++) {
        const struct ml_fit_column *other = &r->columns[k];
        if (other->sd_column && strcmp(other->sd_column, own->sd_column) == 0 &&
            strcmp(other->unit, own->unit) == 0) {
            out->sd[i] = out->sd[k];
            return;
        }
    }
    out->sd[i] = own->sd_column ? choose_column(r, own, own->sd_column)
                                : ml_pool_take(&out->pool, (size_t)out->n_time + 1, sizeof(double));
    for (int64_t k = 0; out->sd[i] && !own->sd_column && k < out->n_time; k++)
        out->sd[i][k] = isnan(own->sd) ? 1.0 : own->sd;
}

static void choose_columns(struct reading *r)
{
    struct ml_measured_numbers *out = r->out;
    out->n_time = r->table.n_row;
    out->values = ml_pool_take(&out->pool, (size_t)out->n_column, sizeof *out->values);
    out->sd = ml_pool_take(&out->pool, (size_t)out->n_column, sizeof *out->sd);
    out->least_sd = ml_pool_take(&out->pool, (size_t)out->n_column, sizeof(double));
    out->time = ml_pool_take(&out->pool, (size_t)out->n_time + 1, sizeof(double));
    out->size = ml_pool_take(&out->pool, (size_t)out->n_column, sizeof(double));
    if (out->pool.is_short)
        return;
    if (r->fit->time)
        ml_table_set_time(&r->table, r->fit->time);
    const int time = ml_table_find(&r->table, ML_TABLE_TIME);
    if (time < 0 && r->table.problems.count == 0)
        ml_table_missing(&r->table, ML_TABLE_TIME, "; `fit: {time: NAME}` names another column");
    else if (time >= 0)
        r->table.columns[time].to = out->time;
    for (int i = 0; i < out->n_column; i++)
        out->values[i] = choose_column(r, &r->columns[i], r->columns[i].column);
    for (int i = 0; i < out->n_column && r->table.problems.count == 0; i++)
        choose_deviations(r, i);
}

/* Reports the first number without a deviation above 0. */
static void check_deviations(struct reading *r)
{
    struct ml_measured_numbers *out = r->out;
    for (int i = 0; i < out->n_column; i++) {
        out->least_sd[i] = (double)INFINITY;
        for (int64_t k = 0; k < out->n_time; k++) {
            if (!isfinite(out->values[i][k]))
                continue;
            out->least_sd[i] = fmin(out->least_sd[i], out->sd[i][k]);
            if (isfinite(out->sd[i][k]) && out->sd[i][k] >= ML_FIT_LEAST_SD)
                continue;
            ml_problem(&r->table.problems, ml_table_location(&r->table, k),
                       "the standard deviation of `%s`, column %s, is %.6g here but must be above "
                       "0; leave such lines out",
                       r->columns[i].name, ml_quote(&out->pool, r->columns[i].sd_column),
                       out->sd[i][k]);
            return;
        }
    }
}

/* Reports a column without numbers; counts and sizes those that are there. */
static void count_numbers(struct reading *r)
{
    struct ml_measured_numbers *out = r->out;
    for (int i = 0; i < out->n_column; i++) {
        int64_t n = 0;
        double squares = 0.0;
        for (int64_t k = 0; k < out->n_time; k++)
            if (isfinite(out->values[i][k])) {
                n++;
                squares += out->values[i][k] * out->values[i][k];
            }
        out->size[i] = n > 0 ? sqrt(squares / (double)n) : 0.0;
        if (n == 0)
            ml_problem(&r->table.problems, ml_table_location(&r->table, 0),
                       "column `%s` has no number; %s", r->columns[i].column,
                       r->fit->is_joint ? "give its name to `leave_out` of the experiment"
                                        : "leave it out of `columns`");
        out->n_number += n;
        out->n_missing += out->n_time - n;
    }
    const int64_t n_number = r->n_before + out->n_number;
    if (r->is_last && n_number <= r->fit->n_range && r->table.problems.count == 0)
        ml_problem(&r->table.problems, ml_table_location(&r->table, 0),
                   "%lld measured number%s cannot determine %d fitted number%s and the noise; "
                   "measure more, or vary fewer",
                   (long long)n_number, n_number == 1 ? "" : "s", r->fit->n_range,
                   r->fit->n_range == 1 ? "" : "s");
}

/* Reports the first time outside of the run, or of the motion. */
static void check_span(struct reading *r)
{
    const struct ml_study_spec *spec = &r->study->spec;
    const struct ml_measured_numbers *out = r->out;
    const struct ml_motions *m = r->motion;
    const double start = m ? m->time[0] : spec->time.start,
                 end = m ? m->time[m->n_time - 1]
                         : fma((double)spec->time.n_step, spec->time.step, spec->time.start),
                 rounding = 1e-3 * (m ? ml_motions_interval(m) : spec->time.step);
    for (int64_t k = 0; k < out->n_time; k++)
        if (out->time[k] < start - rounding || out->time[k] > end + rounding) {
            ml_problem(&r->table.problems, ml_table_location(&r->table, k),
                       "time is %.10g s, but the %s is from %.10g s to %.10g s; %sleave such "
                       "lines out",
                       out->time[k], m ? "motion" : "run", start, end,
                       m                    ? ""
                       : out->time[k] > end ? "lengthen it by time.end, or "
                                            : "let it begin before, by time.start, or ");
            return;
        }
}

static int64_t count_samples(const struct reading *r)
{
    return r->motion ? r->motion->n_time : r->study->spec.time.n_step * r->out->n_part + 1;
}

/* Samples up to a time: 2.5 is the middle between samples 2 and 3. */
static double sample_of(const struct reading *r, double t)
{
    const struct ml_study_spec *spec = &r->study->spec;
    if (!r->motion)
        return (t - spec->time.start) / spec->time.step * r->out->n_part;
    const double *time = r->motion->time;
    int64_t low = 0, high = r->motion->n_time - 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(time[middle] <= t ? &low : &high) = middle;
    }
    return (double)low + (t - time[low]) / (time[high] - time[low]);
}

/* Weights of the samples from `first` on at sample x: in steps of runs, and at the times of a
 * motion, whose samples need not be evenly spaced. */
static void weigh(const struct reading *r, int64_t first, double x, double *weights)
{
    const int n = r->out->n_tap;
    double at[ML_FIT_TAPS];
    for (int i = 0; i < n; i++)
        at[i] = r->motion ? r->motion->time[first + i] : (double)i;
    const int64_t before = (int64_t)floor(x);
    const double *time = r->motion ? r->motion->time : NULL;
    const double t = !time ? x - (double)first
                     : before + 1 < r->motion->n_time
                         ? fma(x - (double)before, time[before + 1] - time[before], time[before])
                         : time[r->motion->n_time - 1];
    ml_lagrange_weights(n, at, t, weights);
}

static int64_t measured_gcd(int64_t a, int64_t b) { return b ? measured_gcd(b, a % b) : a; }

/* Leaves out the samples that stand beside no time. */
static void thin(struct ml_measured_numbers *out)
{
    int64_t every = 0;
    for (int64_t k = 0; k < out->n_time && out->n_tap == 1; k++)
        every = measured_gcd(every, out->first[k]);
    out->every = every > 0 ? every : 1;
    for (int64_t k = 0; k < out->n_time; k++)
        out->first[k] /= out->every;
}

static bool is_at_sample(double x)
{
    const double same = 1e-6; /* part of a step: times of files are rounded */
    return fabs(x - nearbyint(x)) <= same;
}

/* Divides ticks of runs by tolerance, so that all measured times are at ticks, if few parts do. */
static void divide_ticks(struct reading *r)
{
    enum { MOST = 16 };
    struct ml_measured_numbers *out = r->out;
    bool are = false;
    for (int n = 1; !are && n <= MOST; n++) {
        out->n_part = n;
        are = true;
        for (int64_t k = 0; are && k < out->n_time; k++)
            are = is_at_sample(sample_of(r, out->time[k]));
    }
    out->n_part = are ? out->n_part : 1;
}

static bool place_times(struct reading *r)
{
    struct ml_measured_numbers *out = r->out;
    const size_t n = (size_t)out->n_time + 1;
    if (!r->motion && r->study->spec.time.is_adaptive)
        divide_ticks(r);
    const int64_t n_sample = count_samples(r);
    out->first = ml_pool_take(&out->pool, n, sizeof *out->first);
    out->weights = ml_pool_take(&out->pool, n, sizeof *out->weights);
    if (!out->first || !out->weights)
        return false;
    out->n_tap = 1;
    for (int64_t k = 0; k < out->n_time; k++) {
        if (!is_at_sample(sample_of(r, out->time[k])))
            out->n_tap = n_sample < ML_FIT_TAPS ? (int)n_sample : ML_FIT_TAPS;
    }
    const int64_t last = n_sample - out->n_tap; /* sample that may be the first */
    for (int64_t k = 0; k < out->n_time; k++) {
        const double x = sample_of(r, out->time[k]), whole = nearbyint(x);
        const bool is_sample = is_at_sample(x);
        int64_t first = out->n_tap == 1 ? (int64_t)whole : (int64_t)floor(x) - (out->n_tap - 1) / 2;
        first = first < 0 ? 0 : first > last ? last : first;
        out->first[k] = first;
        weigh(r, first, is_sample ? whole : x, out->weights[k]);
        if (first + out->n_tap - 1 > out->n_step)
            out->n_step = first + out->n_tap - 1;
    }
    out->n_step = out->n_step > 0 ? out->n_step : 1;
    out->every = 1;
    if (!r->motion)
        thin(out);
    return true;
}

/* Reads the table of one experiment. */
static enum ml_status read_table(struct reading *r, const char *path, struct ml_error *err)
{
    struct ml_pool *pool = &r->out->pool;
    const char *example = ml_pool_format(pool, ML_TABLE_TIME ",%s,...", r->columns[0].column);
    const bool is_open = example && ml_table_open(&r->table, pool, path, false, example);
    if (!is_open && !pool->is_short)
        return ml_fail(err, ml_open_status(errno), "%s: %s", path, ml_open_reason(errno));
    r->table.repeats = true;
    r->table.n_row += r->table.has_twin && r->table.n_stated < 0; /* a measurement, not OpenSim's */
    if (is_open && r->table.problems.count == 0)
        choose_columns(r);
    if (is_open && r->table.problems.count == 0 && !pool->is_short)
        ml_table_read(&r->table);
    if (is_open && r->table.problems.count == 0 && !pool->is_short) {
        ml_times_undo_rounding(r->out->n_time, r->out->time);
        count_numbers(r);
        check_deviations(r);
        check_span(r);
    }
    return pool->is_short ? ML_E_MEMORY : ml_problems_report(&r->table.problems, err);
}

/* Room for the numbers of all tables, at up to n_time times, none of which is there yet. */
static bool take_all(struct ml_measured_numbers *out, int n_column, int64_t n_time)
{
    const size_t n = (size_t)n_column, n_row = (size_t)n_time + 1;
    struct ml_pool *pool = &out->pool;
    double *rows = ml_pool_take(pool, 2 * n * n_row, sizeof *rows);
    out->n_column = n_column;
    out->values = ml_pool_take(pool, n, sizeof *out->values);
    out->sd = ml_pool_take(pool, n, sizeof *out->sd);
    out->least_sd = ml_pool_take(pool, n, sizeof(double));
    out->size = ml_pool_take(pool, n, sizeof(double));
    out->time = ml_pool_take(pool, n_row, sizeof(double));
    if (pool->is_short)
        return false;
    for (size_t c = 0; c < n; c++) {
        out->values[c] = rows + 2 * c * n_row;
        out->sd[c] = out->values[c] + n_row;
        for (size_t k = 0; k < n_row; k++) {
            out->values[c][k] = (double)NAN;
            out->sd[c][k] = 1.0;
        }
    }
    return true;
}

/* Puts the numbers of all tables beside the times of all: a time that is repeated in a table is
 * there as often as in the table that has it most often.
 *   tables  [fit->n_experiment]
 *   next    [fit->n_experiment] 0 */
static void join_tables(const struct ml_fit_spec *fit, const struct ml_measured_numbers *tables,
                        int64_t *next, struct ml_measured_numbers *out)
{
    for (;;) {
        double now = (double)INFINITY;
        for (int e = 0; e < fit->n_experiment; e++)
            if (next[e] < tables[e].n_time)
                now = fmin(now, tables[e].time[next[e]]);
        if (!isfinite(now))
            return;
        for (int e = 0; e < fit->n_experiment; e++) {
            if (next[e] == tables[e].n_time || tables[e].time[next[e]] != now)
                continue;
            for (int c = 0; c < tables[e].n_column; c++) {
                const int to = fit->experiments[e].first + c;
                out->values[to][out->n_time] = tables[e].values[c][next[e]];
                out->sd[to][out->n_time] = tables[e].sd[c][next[e]];
            }
            next[e]++;
        }
        out->time[out->n_time++] = now;
    }
}

static bool join(const struct ml_fit_spec *fit, const struct ml_measured_numbers *tables,
                 struct ml_measured_numbers *out)
{
    int64_t n_time = 0;
    for (int e = 0; e < fit->n_experiment; e++)
        n_time += tables[e].n_time;
    int64_t *next = ml_pool_take(&out->pool, (size_t)fit->n_experiment, sizeof *next);
    if (!next || !take_all(out, fit->n_column, n_time))
        return false;
    join_tables(fit, tables, next, out);
    for (int e = 0; e < fit->n_experiment; e++) {
        const size_t n = (size_t)tables[e].n_column * sizeof(double);
        memcpy(out->least_sd + fit->experiments[e].first, tables[e].least_sd, n);
        memcpy(out->size + fit->experiments[e].first, tables[e].size, n);
        out->n_number += tables[e].n_number;
        out->n_missing += tables[e].n_missing;
    }
    return true;
}

enum ml_status ml_measured_read(const struct ml_study *study, const struct ml_motions *motion,
                                struct ml_measured_numbers *out, struct ml_error *err)
{
    const struct ml_fit_spec *fit = &study->spec.fit;
    struct reading r = {.study = study, .fit = fit, .motion = motion};
    *out = (struct ml_measured_numbers){.n_part = 1};
    struct ml_measured_numbers *tables =
        ml_pool_take(&out->pool, (size_t)fit->n_experiment, sizeof *tables);
    enum ml_status status = tables ? ML_OK : ML_E_MEMORY;
    for (int e = 0; status == ML_OK && e < fit->n_experiment; e++) {
        r.out = &tables[e];
        r.out->n_column = fit->experiments[e].n_column;
        r.columns = fit->columns + fit->experiments[e].first;
        r.is_last = e == fit->n_experiment - 1;
        status = read_table(&r, fit->experiments[e].path, err);
        r.n_before += r.out->n_number;
    }
    r.out = out;
    if (status == ML_OK && !(join(fit, tables, out) && place_times(&r)))
        status = ML_E_MEMORY;
    for (int e = 0; tables && e < fit->n_experiment; e++)
        ml_measured_free(&tables[e]);
    return status;
}

void ml_measured_free(struct ml_measured_numbers *measured) { ml_pool_free(&measured->pool); }
