/* Products about the means, summed pairwise in the order of the runs. */
#include "statistics/dependence.h"

#include <math.h>
#include <string.h>

#include "statistics/moments.h"
#include "statistics/pairwise.h"

struct centre {
    double min, max, scale, mean; /* the mean of scaled numbers */
};

/* The centre of the numbers in the runs in which y is not NaN. */
static struct centre centre_find(const double *values, const double *y, int64_t n)
{
    struct centre c = {.min = (double)INFINITY, .max = -(double)INFINITY};
    struct ml_pairwise sum = {.n = 0};
    for (int64_t i = 0; i < n; i++)
        if (!isnan(y[i])) {
            c.min = values[i] < c.min ? values[i] : c.min;
            c.max = values[i] > c.max ? values[i] : c.max;
        }
    if (!(c.min < c.max))
        return c;
    c.scale = ml_safe_scale(c.min, c.max);
    for (int64_t i = 0; i < n; i++)
        if (!isnan(y[i]))
            ml_pairwise_add(&sum, c.scale * values[i]);
    c.mean = ml_pairwise_total(&sum) / (double)sum.n;
    return c;
}

double ml_pearson(const double *x, const double *y, int64_t n)
{
    const struct centre of_x = centre_find(x, y, n), of_y = centre_find(y, y, n);
    struct ml_pairwise xx = {.n = 0}, xy = {.n = 0}, yy = {.n = 0};
    if (!(of_x.min < of_x.max && of_y.min < of_y.max)) /* rounded means would leave differences */
        return (double)NAN;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(y[i])) {
            const double dx = of_x.scale * x[i] - of_x.mean, dy = of_y.scale * y[i] - of_y.mean;
            ml_pairwise_add(&xx, dx * dx);
            ml_pairwise_add(&xy, dx * dy);
            ml_pairwise_add(&yy, dy * dy);
        }
    const double r =
        ml_pairwise_total(&xy) / sqrt(ml_pairwise_total(&xx)) / sqrt(ml_pairwise_total(&yy));
    return fmin(fmax(r, -1.0), 1.0);
}

void ml_ranks_among(const double *ranks, const double *y, int64_t n, double *among, int64_t *counts)
{
    int64_t before = 0;
    memset(counts, 0, (2 * (size_t)n + 1) * sizeof *counts);
    for (int64_t i = 0; i < n; i++)
        counts[(int64_t)(2.0 * ranks[i])] += !isnan(y[i]);
    for (int64_t k = 0; k <= 2 * n; k++) { /* twice the mean rank of those that are equal */
        const int64_t equal = counts[k];
        counts[k] = 2 * before + equal + 1;
        before += equal;
    }
    for (int64_t i = 0; i < n; i++)
        among[i] = 0.5 * (double)counts[(int64_t)(2.0 * ranks[i])];
}
