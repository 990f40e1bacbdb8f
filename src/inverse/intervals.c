/* The median interval of sampling times, against which gaps are judged. */
#include "inverse/intervals.h"

#include <stdlib.h>

static int intervals_compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

double ml_median(size_t n, double *values)
{
    qsort(values, n, sizeof *values, intervals_compare);
    return values[n / 2];
}

double ml_median_interval(struct ml_pool *pool, int64_t n, const double *time)
{
    const size_t count = (size_t)n - 1;
    double *interval = ml_pool_take(pool, count, sizeof *interval);
    if (!interval)
        return 0.0;
    for (size_t k = 0; k < count; k++)
        interval[k] = time[k + 1] - time[k];
    return ml_median(count, interval);
}
