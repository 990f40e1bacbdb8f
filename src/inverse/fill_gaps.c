/* Gaps are filled with the spline that cross-validation fits to the samples that are there. */
#include "inverse/open_motion.h"

#include <math.h>
#include <stdlib.h>

#include "inverse/spline.h"
#include "manylink/fail.h"
#include "statistics/select.h"

/* Value and derivatives at a sample. */
struct knot {
    double t, value, first, second;
};

/* The polynomial of degree 5 between two samples. */
static double between(const struct knot *a, const struct knot *b, double t)
{
    const double h = b->t - a->t, s = (t - a->t) / h;
    const double first = h * a->first, half = 0.5 * h * h * a->second;
    const double value = b->value - (a->value + first + half);
    const double slope = h * b->first - (first + 2.0 * half);
    const double bend = h * h * b->second - 2.0 * half;
    const double c3 = 10.0 * value - 4.0 * slope + 0.5 * bend;
    const double c4 = -15.0 * value + 7.0 * slope - bend;
    const double c5 = 6.0 * value - 3.0 * slope + 0.5 * bend;
    return a->value + s * (first + s * (half + s * (c3 + s * (c4 + s * c5))));
}

/* Knot j of the n samples that are there. */
static struct knot knot_at(const double *work, int64_t n, int64_t j)
{
    return (struct knot){work[j], work[n + j], work[2 * n + j], work[3 * n + j]};
}

enum ml_status ml_fill_gaps(int64_t n, const double *t, double *y, struct ml_error *err)
{
    double *work =
        calloc(4 * (size_t)n, sizeof *work); /* t, value, first, second of samples that are there */
    int64_t there = 0;
    if (!work)
        return ml_fail(err, ML_E_MEMORY, "no memory for a spline");
    for (int64_t k = 0; k < n; k++)
        there += !isnan(y[k]);
    for (int64_t k = 0, j = 0; k < n; k++)
        if (!isnan(y[k])) {
            work[j] = t[k];
            work[there + j++] = y[k];
        }
    const struct ml_smoothed curve = {1, work + there, work + 2 * there, work + 3 * there, NULL};
    const enum ml_status status = ml_smooth(there, work, &curve, err);
    for (int64_t k = 0, j = 0; k < n && status == ML_OK; k++) {
        if (!isnan(y[k])) {
            j++;
            continue;
        }
        const struct knot a = knot_at(work, there, j - 1), b = knot_at(work, there, j);
        y[k] = between(&a, &b, t[k]);
    }
    free(work);
    return status;
}

double ml_median_interval(struct ml_pool *pool, int64_t n, const double *time)
{
    const size_t count = n > 0 ? (size_t)n - 1 : 0;
    double *interval = ml_pool_take(pool, count, sizeof *interval);
    if (!interval || count == 0)
        return 0.0;
    for (size_t k = 0; k < count; k++)
        interval[k] = time[k + 1] - time[k];
    return ml_upper_median(interval, n - 1);
}
