/* First- and second-order reliability. The design point u* minimises |u| on g(u) = 0; there
 * u* = beta alpha with alpha = -grad g/|grad g|. FORM has P = Phi(-beta), of a plane through u*.
 * SORM (Breitung, Journal of Engineering Mechanics 110, 357, 1984) has
 *
 *     P = Phi(-beta) det(1 + beta A)^(-1/2),
 *
 * where A is the part of the Hessian of g across alpha, over |grad g|: its eigenvalues are the
 * curvatures of g = 0. Derivatives are central differences, a batch of runs at a time. */
#include "statistics/design_point.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/cholesky.h"
#include "design/distribution.h"
#include "manylink/fail.h"
#include "yaml/pool.h"

/* Steps of differences. An error of the gradient turns alpha, and moves beta by its square.
 * Curvatures take longer steps: numbers such as the largest observed value are rough. */
static const double difference = 0.02, bend = 0.1;

/* Step lengths 1, 1/2, .. of a line search, all tried at once. */
enum { N_LENGTH = 8, MOST_ITERATIONS = 100, MOST_CURVED = 100 /* inputs */ };

struct search {
    const struct ml_limit_state *limit;
    struct ml_design_point *point;
    double *gradient, *direction; /* [n]; from the point to that of the plane that g is there */
    double value, slope;          /* g and |grad g| at the point */
    double *points, *g;           /* [n_room][n], [n_room] of a batch */
    struct ml_pool pool;
};

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Room for a batch of points; false without memory. */
static bool take_batch(struct search *s, size_t n_point)
{
    s->points = ml_pool_take(&s->pool, n_point, (size_t)s->limit->n * sizeof *s->points);
    s->g = ml_pool_take(&s->pool, n_point, sizeof *s->g);
    return !s->pool.is_short;
}

/* Row k of the batch: the point of the search, to be moved. */
static double *batch_point(struct search *s, int64_t k)
{
    double *row = s->points + k * s->limit->n;
    memcpy(row, s->point->u, (size_t)s->limit->n * sizeof *row);
    return row;
}

static enum ml_status run_batch(struct search *s, int64_t n_point, struct ml_error *err)
{
    return s->limit->find(s->limit->context, n_point, s->points, s->g, err);
}

/* Finds g, its gradient, alpha and beta of the plane that g is at the point. Beside a point without
 * a number the difference is one-sided. */
static enum ml_status find_gradient(struct search *s, struct ml_error *err)
{
    const int n = s->limit->n;
    (void)batch_point(s, 0);
    for (int j = 0; j < n; j++) {
        batch_point(s, 1 + 2 * j)[j] -= difference;
        batch_point(s, 2 + 2 * j)[j] += difference;
    }
    const enum ml_status status = run_batch(s, 1 + 2 * n, err);
    if (status != ML_OK)
        return status;
    s->value = s->g[0];
    for (int j = 0; j < n; j++) {
        const double low = s->g[1 + 2 * j], high = s->g[2 + 2 * j];
        s->gradient[j] = !isfinite(low)    ? (high - s->value) / difference
                         : !isfinite(high) ? (s->value - low) / difference
                                           : (high - low) / (2.0 * difference);
    }
    s->slope = sqrt(dot(n, s->gradient, s->gradient));
    for (int j = 0; j < n; j++)
        s->point->alpha[j] = -s->gradient[j] / s->slope;
    s->point->index = dot(n, s->point->alpha, s->point->u) + s->value / s->slope;
    for (int j = 0; j < n; j++)
        s->direction[j] = s->point->index * s->point->alpha[j] - s->point->u[j];
    return ML_OK;
}

/* Whether the point is where the plane that g is there is nearest to the origin. */
static bool is_found(const struct search *s)
{
    const double most = 1e-5;
    return sqrt(dot(s->limit->n, s->direction, s->direction)) <=
           most * fmax(1.0, fabs(s->point->index));
}

/* Weight of |g| in the merit |u|^2/2 + c |g|, above |u|/|grad g|, so that the direction of the
 * search descends. */
static double find_weight(const struct search *s)
{
    const double ahead = s->point->index * s->point->index,
                 distance = dot(s->limit->n, s->point->u, s->point->u);
    return fmax((2.0 * sqrt(distance) + 1e-3) / s->slope,
                0.5 * ahead / fmax(fabs(s->value), 1e-6 * s->slope));
}

/* Goes along the direction of Hasofer, Lind, Rackwitz and Fiessler, by the longest step with which
 * the merit falls (Zhang and Der Kiureghian, 6th IFIP WG 7.5, 297, 1995). */
static enum ml_status step(struct search *s, struct ml_error *err)
{
    const double share = 0.1;   /* of the fall that the slope promises */
    const double longest = 2.0; /* deviations: far from the point g is no plane */
    const int n = s->limit->n;
    double *u = s->point->u;
    const double weight = find_weight(s), merit = 0.5 * dot(n, u, u) + weight * fabs(s->value);
    const double whole = fmin(1.0, longest / sqrt(dot(n, s->direction, s->direction)));
    const double fall = dot(n, u, s->direction) +
                        weight * copysign(1.0, s->value) * dot(n, s->gradient, s->direction);
    for (int k = 0; k < N_LENGTH; k++) {
        double *trial = batch_point(s, k);
        for (int j = 0; j < n; j++)
            trial[j] += whole * ldexp(s->direction[j], -k);
    }
    const enum ml_status status = run_batch(s, N_LENGTH, err);
    for (int k = 0; status == ML_OK && k < N_LENGTH; k++) {
        const double *trial = s->points + k * n;
        if (0.5 * dot(n, trial, trial) + weight * fabs(s->g[k]) <=
            merit + share * whole * ldexp(fall, -k)) {
            memcpy(u, trial, (size_t)n * sizeof *u);
            return status;
        }
    }
    s->point->doubt = ML_DOUBT_NOT_CONVERGED;
    return status;
}

static enum ml_status search_point(struct search *s, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; status == ML_OK && s->point->doubt == ML_DOUBT_NONE; i++) {
        status = find_gradient(s, err);
        if (status != ML_OK || is_found(s))
            return status;
        if (!isfinite(s->value) || !isfinite(s->slope))
            s->point->doubt = ML_DOUBT_NO_NUMBER;
        else if (s->slope == 0.0)
            s->point->doubt = ML_DOUBT_FLAT;
        else if (i == MOST_ITERATIONS)
            s->point->doubt = ML_DOUBT_NOT_CONVERGED;
        else
            status = step(s, err);
    }
    return status;
}

/* Vector i, of n - 1, of an orthonormal basis across alpha: columns of the reflection that takes
 * the largest component of alpha to an axis. */
static void across(const struct search *s, int i, double *out)
{
    const int n = s->limit->n;
    const double *alpha = s->point->alpha;
    int largest = 0;
    for (int j = 1; j < n; j++)
        largest = fabs(alpha[j]) > fabs(alpha[largest]) ? j : largest;
    const double pivot = alpha[largest] + copysign(1.0, alpha[largest]);
    const double square = 2.0 + 2.0 * fabs(alpha[largest]);
    const int column = i + (i >= largest);
    for (int j = 0; j < n; j++)
        out[j] = (j == column) - 2.0 * alpha[column] * (j == largest ? pivot : alpha[j]) / square;
}

/* Moves row k of the batch by `by` along vector i across alpha. */
static void move_across(struct search *s, int64_t k, int i, double by)
{
    double *row = s->points + k * s->limit->n;
    across(s, i, s->direction);
    for (int j = 0; j < s->limit->n; j++)
        row[j] += by * s->direction[j];
}

/* Row of the batch of vectors i > j, both moved by `sign` steps. */
static int64_t row_of_pair(int m, int i, int j, bool is_up)
{
    return 1 + 2 * m + 2 * (i * (i - 1) / 2 + j) + is_up;
}

/* Runs the point, and the points beside it across alpha along each vector and each pair of vectors,
 * by a step to either side. */
static enum ml_status run_beside(struct search *s, int m, struct ml_error *err)
{
    (void)batch_point(s, 0);
    for (int i = 0; i < m; i++)
        for (int up = 0; up < 2; up++) {
            const double by = up ? bend : -bend;
            (void)batch_point(s, 1 + 2 * i + up);
            move_across(s, 1 + 2 * i + up, i, by);
            for (int j = 0; j < i; j++) {
                const int64_t k = row_of_pair(m, i, j, up);
                (void)batch_point(s, k);
                move_across(s, k, i, by);
                move_across(s, k, j, by);
            }
        }
    return run_batch(s, 1 + m + (int64_t)m * m, err);
}

/* 1 + beta A, its lower triangle. */
static void find_curvatures(const struct search *s, int m, double *a)
{
    const double *g = s->g, scale = s->point->index / (bend * bend * s->slope);
    for (int i = 0; i < m; i++) {
        const double beside = g[1 + 2 * i] + g[2 + 2 * i] - 2.0 * g[0];
        a[i * m + i] = 1.0 + scale * beside;
        for (int j = 0; j < i; j++) {
            const double of_j = g[1 + 2 * j] + g[2 + 2 * j] - 2.0 * g[0];
            const double both = g[row_of_pair(m, i, j, false)] + g[row_of_pair(m, i, j, true)];
            a[i * m + j] = 0.5 * scale * (both - 2.0 * g[0] - beside - of_j);
        }
    }
}

/* Corrects the probability of a point that was found. */
static enum ml_status correct(struct search *s, struct ml_error *err)
{
    const double least_pivot = 1e-3;
    const int m = s->limit->n - 1;
    const size_t n_point = 1 + (size_t)m + (size_t)m * (size_t)m;
    s->point->doubt = ML_DOUBT_NO_CURVATURE;
    if (s->limit->n > MOST_CURVED)
        return ML_OK;
    double *a = ml_pool_take(&s->pool, (size_t)m * (size_t)m + 1, sizeof *a);
    if (!a || !take_batch(s, n_point))
        return ml_fail(err, ML_E_MEMORY, "no memory for %zu points", n_point);
    const enum ml_status status = run_beside(s, m, err);
    if (status != ML_OK)
        return status;
    find_curvatures(s, m, a);
    double factor = 1.0;
    const bool is_bent_less = ml_cholesky_factorise(m, m, least_pivot, a);
    for (int i = 0; is_bent_less && i < m; i++)
        factor /= a[i * m + i];
    if (is_bent_less) {
        s->point->curved = s->point->probability * factor;
        s->point->doubt = ML_DOUBT_NONE;
    }
    return ML_OK;
}

enum ml_status ml_design_point_find(const struct ml_limit_state *limit,
                                    struct ml_design_point *point, struct ml_error *err)
{
    const size_t n = (size_t)limit->n;
    struct search s = {.limit = limit, .point = point};
    s.gradient = ml_pool_take(&s.pool, n, sizeof *s.gradient);
    s.direction = ml_pool_take(&s.pool, n, sizeof *s.direction);
    memset(point->u, 0, n * sizeof *point->u);
    point->probability = point->curved = point->index = (double)NAN;
    point->doubt = ML_DOUBT_NONE;
    enum ml_status status = take_batch(&s, 1 + 2 * n + N_LENGTH)
                                ? search_point(&s, err)
                                : ml_fail(err, ML_E_MEMORY, "no memory for %d inputs", limit->n);
    if (status == ML_OK && point->doubt == ML_DOUBT_NONE) {
        point->probability = (double)ml_normal_probability((long double)point->index).above;
        status = correct(&s, err);
    }
    if (point->doubt == ML_DOUBT_FLAT || point->doubt == ML_DOUBT_NO_NUMBER)
        point->index = (double)NAN;
    ml_pool_free(&s.pool);
    return status;
}
