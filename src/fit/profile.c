/* Points of the profiles on a grid. */
#include "fit/profile.h"

#include <math.h>

#include "fit/coordinate.h"
#include "manylink/fail.h"

static const struct ml_fit_range *range_of(const struct ml_fit_found *f, int i)
{
    return &f->starts->study->spec.fit.ranges[i];
}

/* Covariance of z; 0 where it is not known. */
static double covariance_of_z(const struct ml_fit_found *f, int i, int j)
{
    const double *z = ml_profile_best(f)->z;
    const double sum = f->covariance[i * f->n + j] /
                       (ml_fit_scale(range_of(f, i), z[i]) * ml_fit_scale(range_of(f, j), z[j]));
    return isfinite(sum) ? sum : 0.0;
}

/* z of a step from the estimate along parameter i, with the others where a linear model has them.
 */
static void predict(const struct ml_fit_found *f, int i, double step, double *z)
{
    const double variance = covariance_of_z(f, i, i);
    for (int j = 0; j < f->n; j++) {
        const double slope = variance > 0.0 ? covariance_of_z(f, i, j) / variance : 0.0;
        z[j] = fmin(fmax(ml_profile_best(f)->z[j] + (j == i ? step : slope * step), 0.0), 1.0);
    }
}

static double unit_of_profile(const struct ml_fit_found *f, int i)
{
    const double most = 0.25;
    const double curvature =
        ml_profile_best(f)->at.hessian[i * f->n + i]; /* of a number at its bound */
    const double error =
        f->is_held[i] ? sqrt(f->variance / curvature) : sqrt(covariance_of_z(f, i, i));
    return error > 0.0 && error < most ? error : most;
}

/* Keeps point k of parameter i. */
static void keep_point(struct ml_fit_profile *p, int i, int k, const struct ml_descent *d)
{
    const double tau = ml_profile_tau(p->found, d->at.cost);
    const int64_t at = (int64_t)i * ML_PROFILE_POINTS + k;
    p->tau[at] = isfinite(tau) ? copysign(tau, p->offset[k]) : (double)NAN;
    for (int j = 0; j < p->n; j++)
        p->numbers[at * p->n + j] =
            isfinite(tau) ? ml_fit_number(range_of(p->found, j), d->z[j]) : (double)NAN;
}

static void clear_points(struct ml_fit_profile *p)
{
    const int64_t n = (int64_t)p->n * ML_PROFILE_POINTS;
    for (int64_t at = 0; at < n; at++)
        p->tau[at] = (double)NAN;
    for (int64_t at = 0; at < n * p->n; at++)
        p->numbers[at] = (double)NAN;
    for (int i = 0; i < p->n; i++)
        keep_point(p, i, ML_PROFILE_SIDE, ml_profile_best(p->found));
}

/* Points of the grid within the bounds, from the estimate outwards.
 *   fixed, of  [n_point] out: parameter and offset of each
 *   points     [n_point][n] out */
static int64_t place_grid(const struct ml_fit_profile *p, int *fixed, int *of, double *points)
{
    const struct ml_fit_found *f = p->found;
    int64_t n_point = 0;
    for (int i = 0; i < p->n; i++)
        for (int m = 2; m < 2 * ML_PROFILE_SIDE + 2; m++) {
            const int k = ML_PROFILE_SIDE + (m % 2 ? -m / 2 : m / 2);
            const double step = p->offset[k] * p->unit[i], z = ml_profile_best(f)->z[i] + step;
            if (z < 0.0 || z > 1.0)
                continue;
            predict(f, i, step, points + n_point * p->n);
            fixed[n_point] = i;
            of[n_point++] = k;
        }
    return n_point;
}

static enum ml_status find_grid(struct ml_fit_profile *p, struct ml_profile_end *ends,
                                const struct ml_ensemble_options *how, struct ml_error *err)
{
    const size_t most = (size_t)p->n * ML_PROFILE_POINTS;
    struct ml_starts starts = {0};
    int *fixed = ml_pool_take(&p->pool, most, sizeof *fixed);
    int *of = ml_pool_take(&p->pool, most, sizeof *of);
    double *points = ml_pool_take(&p->pool, most * (size_t)p->n, sizeof *points);
    if (p->pool.is_short)
        return ML_E_MEMORY;
    const int64_t n_point = place_grid(p, fixed, of, points);
    const enum ml_status status =
        ml_profile_fit_others(p, n_point, fixed, points, &starts, how, err);
    for (int64_t k = 0; status == ML_OK && k < n_point; k++) {
        const double offset = p->offset[of[k]];
        keep_point(p, fixed[k], of[k], &starts.descents[k]);
        ml_profile_end_narrow(
            p, &starts.descents[k],
            &ends[fixed[k] * ML_PROFILE_ENDS + (offset > 0.0 ? ML_PROFILE_HIGH : ML_PROFILE_LOW)]);
    }
    ml_starts_free(&starts);
    return status;
}

static struct ml_profile_end *take_profile(struct ml_fit_profile *p)
{
    const size_t n = (size_t)p->n, n_point = ML_PROFILE_POINTS;
    double *rows = ml_pool_take(&p->pool, n_point + 3 * n + n * n_point * (1 + n), sizeof *rows);
    if (!rows)
        return NULL;
    p->offset = rows;
    p->unit = rows + n_point;
    p->low = p->unit + n;
    p->high = p->low + n;
    p->tau = p->high + n;
    p->numbers = p->tau + n * n_point;
    for (int k = 0; k < ML_PROFILE_POINTS; k++)
        p->offset[k] = 4.0 * (k - ML_PROFILE_SIDE) / ML_PROFILE_SIDE;
    for (int i = 0; i < p->n; i++)
        p->unit[i] = unit_of_profile(p->found, i);
    clear_points(p);
    return ml_profile_ends_begin(p);
}

enum ml_status ml_fit_profile_find(const struct ml_fit_found *found,
                                   const struct ml_ensemble_options *how, struct ml_fit_profile *p,
                                   struct ml_error *err)
{
    *p = (struct ml_fit_profile){.found = found, .n = found->n};
    if (ml_fit_is_rounding(found))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot find profiles: the residuals are rounding errors; leave "
                       "--profile out, or give the noise of the data by `sd`",
                       found->starts->study->spec.name);
    struct ml_profile_end *ends = take_profile(p);
    if (!ends)
        return ML_E_MEMORY;
    const enum ml_status status = find_grid(p, ends, how, err);
    return status == ML_OK ? ml_profile_ends_find(p, ends, how, err) : status;
}

void ml_fit_profile_free(struct ml_fit_profile *p) { ml_pool_free(&p->pool); }
