/* Uncertainty by the Jacobian at the best point, minima, and residuals. */
#include "fit/found.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "base/singular.h"
#include "fit/coordinate.h"
#include "fit/loss.h"
#include "fit/student.h"

static bool is_sound(const struct ml_descent *d)
{
    return d->end != ML_DESCENT_FAILED && isfinite(d->at.cost);
}

static bool take(struct ml_fit_found *f)
{
    const size_t n = (size_t)f->n, n_start = (size_t)f->starts->n_start,
                 n_column = (size_t)f->starts->measured->n_column,
                 n_time = (size_t)f->starts->measured->n_time;
    struct ml_pool *pool = &f->pool;
    double *rows = ml_pool_take(pool, n * (5 + 3 * n), sizeof *rows);
    f->is_held = ml_pool_take(pool, n, sizeof *f->is_held);
    f->residuals = ml_pool_take(pool, n_column, sizeof *f->residuals);
    f->detail.model = ml_pool_take(pool, n_column * n_time, sizeof(double));
    f->detail.between = ml_pool_take(pool, n_column * n_time, sizeof(double));
    f->detail.jacobian = ml_pool_take(pool, n * n_column * n_time, sizeof(double));
    f->residual = ml_pool_take(pool, n_column * n_time, sizeof(double));
    f->minimum_of = ml_pool_take(pool, n_start, sizeof(int64_t));
    f->leader = ml_pool_take(pool, n_start, sizeof(int64_t));
    f->n_met = ml_pool_take(pool, n_start, sizeof(int64_t));
    if (pool->is_short)
        return false;
    f->estimate = rows;
    f->standard_error = rows + n;
    f->low = rows + 2 * n;
    f->high = rows + 3 * n;
    f->singular = rows + 4 * n;
    f->covariance = rows + 5 * n;
    f->correlation = f->covariance + n * n;
    f->directions = f->correlation + n * n;
    return true;
}

/* Whether a start ended where a leader did: closer than a tenth of a standard deviation in every
 * direction, by the leader's own second derivatives; rounding counts for nothing. */
static bool is_same(const struct ml_fit_found *f, const struct ml_descent *leader,
                    const struct ml_descent *d)
{
    const double near = 0.01 * f->variance + 4.0 * leader->floor;
    double distance = 0.0;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++)
            distance += leader->at.hessian[i * f->n + j] * (d->z[i] - leader->z[i]) *
                        (d->z[j] - leader->z[j]);
    return fabs(distance) <= near && d->at.cost - leader->at.cost <= near;
}

/* The sound start with the least cost that belongs to no minimum yet; -1: none is left. */
static int64_t next_leader(const struct ml_fit_found *f)
{
    const struct ml_descent *d = f->starts->descents;
    int64_t best = -1;
    for (int64_t i = 0; i < f->starts->n_start; i++)
        if (f->minimum_of[i] < 0 && is_sound(&d[i]) && (best < 0 || d[i].at.cost < d[best].at.cost))
            best = i;
    return best;
}

static void find_minima(struct ml_fit_found *f)
{
    const struct ml_descent *d = f->starts->descents;
    for (int64_t leader; (leader = next_leader(f)) >= 0; f->n_minimum++) {
        f->leader[f->n_minimum] = leader;
        for (int64_t i = 0; i < f->starts->n_start; i++)
            if (f->minimum_of[i] < 0 && is_sound(&d[i]) && is_same(f, &d[leader], &d[i])) {
                f->minimum_of[i] = f->n_minimum;
                f->n_met[f->n_minimum]++;
            }
    }
}

double ml_fit_spread(const struct ml_fit_found *f, int k)
{
    return f->singular[k] > 0.0 ? sqrt(f->variance) / f->singular[k] : (double)INFINITY;
}

bool ml_fit_is_rounding(const struct ml_fit_found *f)
{
    bool is_rounding = !f->starts->study->spec.fit.has_deviations;
    for (int c = 0; c < f->starts->measured->n_column; c++)
        is_rounding &= f->residuals[c].is_rounding;
    return is_rounding;
}

/* Singular values of the Jacobian's free columns, and directions with a 0 for numbers held. Returns
 * left singular vectors times singular values [n_free][ml_fit_rows]; NULL without memory. */
static double *find_singular(struct ml_fit_found *f)
{
    const struct ml_fit_range *ranges = f->starts->study->spec.fit.ranges;
    const int64_t m = ml_fit_rows(f), n_more = f->starts->n_more, n_data = m - f->n_prior - n_more;
    double *columns = ml_pool_take(&f->pool, (size_t)m * (size_t)f->n, sizeof *columns);
    double *vectors = ml_pool_take(&f->pool, (size_t)f->n * (size_t)f->n, sizeof *vectors);
    int free[ML_FIT_MOST], n = 0;
    const double *z = f->starts->descents[f->best].z;
    double residuals[ML_FIT_MOST], jacobian[ML_FIT_MOST * ML_FIT_MOST];
    if (!columns || !vectors)
        return NULL;
    ml_fit_priors(&f->starts->study->spec.fit, z, residuals, jacobian);
    for (int i = 0; i < f->n; i++) {
        if (!f->is_held[i]) {
            memcpy(columns + n * m, f->detail.jacobian + i * n_data,
                   (size_t)n_data * sizeof *columns);
            if (n_more > 0)
                memcpy(columns + n * m + n_data, f->starts->more + i * n_more,
                       (size_t)n_more * sizeof *columns);
            int64_t prior = n_data + n_more; /* row */
            for (int k = 0; k < f->n; k++)
                if (ml_fit_has_prior(&ranges[k]))
                    columns[n * m + prior++] = jacobian[k * f->n + i];
            free[n++] = i;
        }
    }
    ml_singular_values(m, n, columns, f->singular, vectors);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            f->directions[k * f->n + free[i]] = vectors[k * n + i];
    return columns;
}

/* Covariance of the numbers: variance D V S^-2 V^T D, D = d number / d z. */
static void find_covariance(struct ml_fit_found *f)
{
    const struct ml_fit_range *ranges = f->starts->study->spec.fit.ranges;
    const double *z = f->starts->descents[f->best].z;
    const double nan = (double)NAN;
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < f->n_free; k++) {
                const double a = f->directions[k * f->n + i], b = f->directions[k * f->n + j];
                const double spread = ml_fit_spread(f, k);
                sum += a == 0.0 || b == 0.0 ? 0.0 : a * b * spread * spread;
            }
            const bool is_known = !f->is_held[i] && !f->is_held[j];
            f->covariance[i * f->n + j] =
                is_known ? sum * ml_fit_scale(&ranges[i], z[i]) * ml_fit_scale(&ranges[j], z[j])
                         : nan;
        }
    for (int i = 0; i < f->n; i++)
        f->standard_error[i] = sqrt(f->covariance[i * f->n + i]);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++)
            f->correlation[i * f->n + j] =
                f->covariance[i * f->n + j] / (f->standard_error[i] * f->standard_error[j]);
}

/* Intervals, of a logarithmic range by its logarithm. */
static void find_intervals(struct ml_fit_found *f)
{
    const struct ml_fit_range *ranges = f->starts->study->spec.fit.ranges;
    for (int i = 0; i < f->n; i++) {
        const double half = f->quantile * f->standard_error[i], at = f->estimate[i];
        const double factor = (double)expl((long double)half / (long double)at);
        f->low[i] = ranges[i].is_log ? at / factor : at - half;
        f->high[i] = ranges[i].is_log ? at * factor : at + half;
    }
}

/* Residuals of a column and their sizes. */
static void find_residuals(struct ml_fit_found *f, int c)
{
    const struct ml_measured_numbers *m = f->starts->measured;
    struct ml_fit_residuals *out = &f->residuals[c];
    const bool is_angle = strcmp(f->starts->study->spec.fit.columns[c].unit, "rad") == 0;
    double squares = 0.0, between = 0.0, before = (double)NAN; /* measured */
    for (int64_t k = 0; k < m->n_time; k++) {
        const double e = m->values[c][k] - f->detail.model[c * m->n_time + k];
        f->residual[c * m->n_time + k] = isfinite(m->values[c][k]) ? e : (double)NAN;
        if (!isfinite(m->values[c][k]))
            continue;
        out->n++;
        squares += e * e;
        between += f->detail.between[c * m->n_time + k] * f->detail.between[c * m->n_time + k];
        out->n_jump += is_angle && fabs(m->values[c][k] - before) > ML_PI;
        before = m->values[c][k];
    }
    out->rms = sqrt(squares / (double)out->n);
    out->between = sqrt(between / (double)out->n);
    out->is_rounding = out->rms <= 100.0 * ML_FIT_ROUNDING * m->size[c];
}

/* The variance that estimates by a loss have in place of that of squares: sum psi^2 / (N - n) over
 * the squared mean of psi' (Huber, Robust Statistics, 7.6). */
static void find_variance(struct ml_fit_found *f)
{
    const struct ml_fit_spec *fit = &f->starts->study->spec.fit;
    const int64_t n_time = f->starts->measured->n_time;
    const double scale = f->starts->scale;
    double squares = 0.0, slopes = 0.0;
    for (int c = 0; c < fit->n_column; c++)
        for (int64_t k = 0; k < n_time; k++) {
            const double r = f->residual[c * n_time + k] / f->starts->measured->sd[c][k];
            if (isnan(r))
                continue;
            const struct ml_loss_value at = ml_loss_at((enum ml_fit_loss)fit->loss, scale, r);
            squares += at.weight * at.weight * r * r;
            slopes += at.slope / (double)f->n_number;
            f->n_weighed += fabs(r) > scale;
        }
    f->variance = squares / (double)f->dof / (slopes * slopes);
}

/* How likely the measured numbers are with normal noise (H. Akaike, IEEE Trans. Autom. Control 19,
 * 716 (1974); G. Schwarz, Ann. Stat. 6, 461 (1978)). */
static void find_likelihood(struct ml_fit_found *f)
{
    const bool is_given = f->starts->study->spec.fit.has_deviations;
    const struct ml_measured_numbers *m = f->starts->measured;
    const double n = (double)f->n_number, k = f->n + !is_given;
    const double variance = is_given ? 1.0 : f->chi2 / n;
    double logs = 0.0;
    for (int64_t i = 0; i < m->n_column * m->n_time; i++)
        if (!isnan(f->residual[i]))
            logs += log(m->sd[i / m->n_time][i % m->n_time]);
    const double two_pi = 6.283185307179586;
    f->likelihood = f->starts->scale > 0.0 || f->n_prior > 0
                        ? (double)NAN
                        : -0.5 * (n * log(two_pi * variance) + f->chi2 / variance) - logs;
    f->aic = 2.0 * k - 2.0 * f->likelihood;
    f->bic = k * log(n) - 2.0 * f->likelihood;
}

/* All numbers that follow from the best point. */
static bool look(struct ml_fit_found *f)
{
    const struct ml_fit_spec *fit = &f->starts->study->spec.fit;
    const struct ml_descent *best = &f->starts->descents[f->best];
    for (int i = 0; i < f->n; i++) {
        f->estimate[i] = ml_fit_number(&fit->ranges[i], best->z[i]);
        f->is_held[i] = best->z[i] <= 0.0 || best->z[i] >= 1.0;
        f->n_free += !f->is_held[i];
        f->n_prior += ml_fit_has_prior(&fit->ranges[i]);
    }
    f->n_number = f->starts->measured->n_number;
    f->dof = f->n_number + f->n_prior - f->n_free;
    f->chi2 = 2.0 * best->at.cost;
    f->variance = fit->has_deviations ? 1.0 : f->chi2 / (double)f->dof;
    f->quantile = ml_student_975(fit->has_deviations && !f->starts->scale ? INT64_MAX : f->dof);
    for (int c = 0; c < fit->n_column; c++)
        find_residuals(f, c);
    if (f->starts->scale > 0.0)
        find_variance(f);
    find_likelihood(f);
    find_minima(f);
    double *left = find_singular(f);
    if (!left)
        return false;
    find_covariance(f);
    find_intervals(f);
    return ml_fit_look_at_residuals(f, left);
}

enum ml_status ml_fit_find(struct ml_starts *starts, const struct ml_ensemble_options *how,
                           struct ml_fit_found *f, struct ml_error *err)
{
    *f = (struct ml_fit_found){.starts = starts, .n = starts->n};
    if (!take(f))
        return ML_E_MEMORY;
    for (int64_t i = 0; i < starts->n_start; i++)
        f->minimum_of[i] = -1;
    enum ml_status status = starts->study->spec.fit.loss == ML_LOSS_SQUARES
                                ? ML_OK
                                : ml_starts_weigh(starts, &f->detail, how, err);
    f->best = next_leader(f);
    if (status == ML_OK)
        status = ml_starts_refine(starts, f->best, how, err);
    if (status == ML_OK)
        status = ml_starts_look(starts, f->best, &f->detail, how, err);
    return status == ML_OK && !look(f) ? ML_E_MEMORY : status;
}

void ml_fit_found_free(struct ml_fit_found *f) { ml_pool_free(&f->pool); }
