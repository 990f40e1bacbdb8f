/* Orders of numbers. */
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>

int ml_compare_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int ml_compare_int64(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

double ml_median(double *x, int64_t n)
{
    if (n == 0)
        return (double)NAN;
    qsort(x, (size_t)n, sizeof *x, ml_compare_double);
    return 0.5 * x[(n - 1) / 2] + 0.5 * x[n / 2];
}
