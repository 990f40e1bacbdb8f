/* Cutoffs of the columns of a table, by residual analysis and by cross-validation. */
#include "inverse/describe_residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/text.h"
#include "inverse/landmarks.h"
#include "inverse/residual.h"
#include "inverse/spline.h"
#include "manylink/fail.h"

enum { RESIDUAL, VALIDATED, N_METHOD };

struct residuals {
    const struct ml_table *table;
    struct ml_yaml_writer *text;
    struct ml_pool pool; /* owns the arrays */
    double rate;
    double *times, *curve;     /* [n_row] even times; scratch */
    double *work;              /* scratch of the analysis */
    double *cutoffs[N_METHOD]; /* [n] Hz, of the columns that have a cutoff */
    int n_column, n[N_METHOD];
};

/* Whether a column has angles or coordinates of a marker, without gaps, that move. */
static bool residuals_has_curve(const struct ml_table *table, int c)
{
    const struct ml_table_column *column = &table->columns[c];
    const char *name = column->param.name;
    bool is_curve = ml_landmark_is_part(table, c) || ml_landmark_is_angle(name) ||
                    strncmp(name, "angle/", strlen("angle/")) == 0;
    bool moves = false;
    for (int64_t k = 0; is_curve && k < table->n_row; k++) {
        is_curve = !isnan(column->to[k]);
        moves |= column->to[k] != column->to[0];
    }
    return is_curve && moves;
}

/* Hz, of times that are even, maybe before they were rounded; 0: of no such times. */
static double residuals_rate(const struct ml_table *table, const double *time)
{
    const int64_t n = table->n_row;
    const double interval = time && n > 1 ? (time[n - 1] - time[0]) / (double)(n - 1) : 0.0;
    if (!time)
        return table->rate;
    /* A sample that was left out moves times by half an interval at least. */
    const double off =
        fmax(0.05 * interval, fmin(0.25 * interval, 2.001 * ml_time_rounding(n, time)));
    for (int64_t k = 1; k < n; k++)
        if (!(fabs(time[k] - fma((double)k, interval, time[0])) <= off))
            return 0.0;
    return 1.0 / interval;
}

static void residuals_write(struct residuals *r, int method, double cutoff)
{
    if (isfinite(cutoff)) {
        r->cutoffs[method][r->n[method]++] = cutoff;
        ml_write(r->text, " %9.3g", cutoff);
    } else {
        ml_write(r->text, " %9s", "-");
    }
}

static void residuals_describe_column(struct residuals *r, int c)
{
    const struct ml_table_column *column = &r->table->columns[c];
    const int64_t n = r->table->n_row;
    const struct ml_residual found = ml_residual_find(n, r->rate, column->to, r->work);
    double validated = (double)NAN;
    memcpy(r->curve, column->to, (size_t)n * sizeof *r->curve);
    const struct ml_smoothed smoothed = {.n_y = 1, .y = r->curve, .cutoff = &validated};
    (void)ml_smooth(n, r->times, &smoothed, NULL); /* without memory: no cutoff */
    ml_write(r->text, "  %-24s %10.3g%-5s", ml_quote(&r->pool, column->param.name), found.noise,
             ml_unit_text(" ", column->param.unit, "").text);
    residuals_write(r, RESIDUAL, found.cutoff);
    residuals_write(r, VALIDATED, validated);
    ml_write(r->text, "\n");
}

static bool residuals_reserve(struct residuals *r)
{
    const int64_t n = r->table->n_row;
    r->times = ml_pool_take(&r->pool, 2 * (size_t)n, sizeof *r->times);
    r->curve = r->times + n;
    r->work = ml_pool_take(&r->pool, (size_t)ml_residual_work(n), sizeof *r->work);
    for (int m = 0; m < N_METHOD; m++)
        r->cutoffs[m] = ml_pool_take(&r->pool, (size_t)r->n_column, sizeof *r->cutoffs[m]);
    for (int64_t k = 0; !r->pool.is_short && k < n; k++)
        r->times[k] = (double)k / r->rate;
    return !r->pool.is_short;
}

static enum ml_status residuals_check(const struct residuals *r, const char *path,
                                      struct ml_error *err)
{
    if (r->n_column == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot analyse residuals: no column has the angle of a joint or a "
                       "moving coordinate of a marker without gaps",
                       path);
    if (!(r->rate > 0.0))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot analyse residuals: the table has no even times, which a filter "
                       "takes; give it a column `time` of such times",
                       path);
    if (r->rate < ML_RESIDUAL_LEAST_RATE)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: cannot analyse residuals: at %g Hz noise cannot be told from motion; "
            "the analysis takes %g Hz or more, `inverse: {spline: {smoothing: gcv}}` any",
            path, r->rate, ML_RESIDUAL_LEAST_RATE);
    if (r->table->n_row < ml_residual_least())
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot analyse residuals of %lld samples: the filter takes %lld", path,
                       (long long)r->table->n_row, (long long)ml_residual_least());
    return ML_OK;
}

enum ml_status ml_residuals_describe(const struct ml_table *table, const char *path,
                                     const double *time, struct ml_yaml_writer *text,
                                     struct ml_error *err)
{
    static const char *const names[] = {"residual analysis", "cross-validation"};
    struct residuals r = {.table = table, .text = text, .rate = residuals_rate(table, time)};
    for (int c = 0; c < table->n_cell; c++)
        r.n_column += table->columns[c].to != time && residuals_has_curve(table, c);
    enum ml_status status = residuals_check(&r, path, err);
    if (status == ML_OK && !residuals_reserve(&r))
        status = ML_E_MEMORY;
    if (status == ML_OK)
        ml_write(text, "%s: %lld samples at %.6g Hz\n  %-24s %-15s %9s %9s Hz\n", path,
                 (long long)table->n_row, r.rate, "column", "     noise", "residual", "gcv");
    for (int c = 0; status == ML_OK && c < table->n_cell; c++)
        if (table->columns[c].to != time && residuals_has_curve(table, c))
            residuals_describe_column(&r, c);
    for (int m = 0; status == ML_OK && m < N_METHOD; m++)
        if (r.n[m] > 0) {
            const double median = ml_median(r.cutoffs[m], r.n[m]);
            ml_write(text, "%s: %d of %d columns, median %.3g Hz\n", names[m], r.n[m], r.n_column,
                     median);
        }
    if (status == ML_OK && r.n[RESIDUAL] > 0)
        ml_write(text, "inverse: {filter: {type: butterworth, order: 2, cutoff: %.2g}}\n",
                 ml_median(r.cutoffs[RESIDUAL], r.n[RESIDUAL]));
    ml_pool_free(&r.pool);
    return status;
}
