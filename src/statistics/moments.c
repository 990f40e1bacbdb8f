/* Moments in two passes: the mean, then squares about the mean. */
#include "statistics/moments.h"

#include <math.h>

#include "statistics/pairwise.h"

double ml_safe_scale(double min, double max)
{
    enum { MOST = 1000 }; /* of the exponents of doubles */
    int exponent;
    (void)frexp(fmax(fabs(min), fabs(max)), &exponent);
    exponent = exponent > MOST ? MOST : exponent < -MOST ? -MOST : exponent;
    return ldexp(1.0, -exponent);
}

struct ml_moments ml_moments_find(const double *values, int64_t n)
{
    const double none = (double)NAN;
    struct ml_moments m = {n, none, none, none, none, none};
    struct ml_pairwise sum = {.n = 0}, squares = {.n = 0};
    if (n < 1)
        return m;
    m.min = m.max = values[0];
    for (int64_t i = 0; i < n; i++) {
        m.min = values[i] < m.min ? values[i] : m.min;
        m.max = values[i] > m.max ? values[i] : m.max;
    }
    const double scale = ml_safe_scale(m.min, m.max);
    for (int64_t i = 0; i < n; i++)
        ml_pairwise_add(&sum, scale * values[i]);
    const double mean = ml_pairwise_total(&sum) / (double)n;
    m.mean = mean / scale;
    if (n < 2)
        return m;
    for (int64_t i = 0; i < n; i++)
        ml_pairwise_add(&squares, (scale * values[i] - mean) * (scale * values[i] - mean));
    m.sd = sqrt(ml_pairwise_total(&squares) / (double)(n - 1)) / scale;
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
