/* Moments in two passes: the mean, then squares about the mean. */
#include "statistics/moments.h"

#include <math.h>

#include "statistics/pairwise.h"

struct ml_moments ml_moments_find(const double *values, int64_t n)
{
    const double none = (double)NAN;
    struct ml_moments m = {n, none, none, none, none, none};
    struct ml_pairwise sum = {.n = 0}, squares = {.n = 0};
    if (n < 1)
        return m;
    m.min = m.max = values[0];
    for (int64_t i = 0; i < n; i++) {
        ml_pairwise_add(&sum, values[i]);
        m.min = values[i] < m.min ? values[i] : m.min;
        m.max = values[i] > m.max ? values[i] : m.max;
    }
    m.mean = ml_pairwise_total(&sum) / (double)n;
    if (n < 2)
        return m;
    for (int64_t i = 0; i < n; i++)
        ml_pairwise_add(&squares, (values[i] - m.mean) * (values[i] - m.mean));
    m.sd = sqrt(ml_pairwise_total(&squares) / (double)(n - 1));
    m.standard_error = m.sd / sqrt((double)n);
    return m;
}

int64_t ml_finite_pack(double *values, int64_t n)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[kept++] = values[i];
    return kept;
}
