/* Reads a dataset, sorts its finite values and picks minimum, median and maximum. */
#include "store/stats.h"

#include <math.h>
#include <stdlib.h>

static const unsigned long long most_values = 1000000; /* a page of text is worth reading so many;
                                                          describe.c tells the number */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct ml_stats ml_stats_of_values(double *values, unsigned long long n)
{
    unsigned long long m = 0;
    for (unsigned long long i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[m++] = values[i];
    if (m == 0)
        return (struct ml_stats){0};
    qsort(values, m, sizeof *values, by_size);
    return (struct ml_stats){
        .is_known = true,
        .min = values[0],
        .median = 0.5 * values[(m - 1) / 2] + 0.5 * values[m / 2],
        .max = values[m - 1],
        .n_finite = m,
    };
}

struct ml_stats ml_stats_of(struct ml_h5 *h5, hid_t dataset)
{
    struct ml_extent extent = ml_h5_extent(h5, dataset);
    unsigned long long n = 1;
    for (int k = 0; k < extent.rank; k++)
        n *= extent.size[k];
    if (h5->status != ML_OK || n == 0 || n > most_values)
        return (struct ml_stats){.is_too_many = n > most_values};
    double *values = malloc(n * sizeof *values);
    if (!values) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return (struct ml_stats){0};
    }
    struct ml_stats stats = {0};
    ml_h5_read_range(h5, dataset, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
    if (h5->status == ML_OK)
        stats = ml_stats_of_values(values, n);
    free(values);
    return stats;
}
