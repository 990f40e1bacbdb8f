/* Order statistics, and the binomial distribution of their ranks by the ratios of neighbouring
 * terms from its mode on, so that no term under- or overflows and no function of the C library
 * decides about a rank. */
#include "statistics/quantile.h"

#include <math.h>

double ml_quantile(const double *ascending, int64_t n, double p)
{
    if (n < 1)
        return (double)NAN;
    const double at = p * (double)(n - 1), below = floor(at);
    const int64_t i = (int64_t)below;
    if (i + 1 >= n)
        return ascending[n - 1];
    const double low = ascending[i], high = ascending[i + 1], part = at - below;
    return isfinite(high - low) ? fma(part, high - low, low) : (1.0 - part) * low + part * high;
}

/* Terms smaller than this part of the largest term do not count. */
static const double negligible = 1e-20;

/* The term of k - 1 of that of k, and of k + 1. */
static double term_below(double term, int64_t n, double p, int64_t k)
{
    return term * (double)k * (1.0 - p) / ((double)(n - k + 1) * p);
}

static double term_above(double term, int64_t n, double p, int64_t k)
{
    return term * (double)(n - k) * p / ((double)(k + 1) * (1.0 - p));
}

struct ml_rank_interval ml_quantile_ranks(int64_t n, double p, double level)
{
    const int64_t mode = (int64_t)floor((double)(n + 1) * p);
    double below = 0.0, above = 0.0, term = 1.0; /* the mode has the term 1 */
    if (n < 1 || !(p > 0.0 && p < 1.0))
        return (struct ml_rank_interval){0, n + 1};
    for (int64_t k = mode; k > 0 && term > negligible; k--)
        below += term = term_below(term, n, p, k);
    term = 1.0;
    for (int64_t k = mode; k < n && term > negligible; k++)
        above += term = term_above(term, n, p, k);
    const double left_out = 0.5 * (1.0 - level) * (below + 1.0 + above);
    struct ml_rank_interval out = {mode, mode + 1}; /* `below` is of counts < low */
    term = 1.0;
    for (; out.low > 0 && below > left_out; out.low--)
        below -= term = term_below(term, n, p, out.low);
    term = 1.0;
    for (; out.high <= n && above > left_out; out.high++) /* `above` is of counts >= high */
        above -= term = term_above(term, n, p, out.high - 1);
    return out;
}

double ml_order_statistic(const double *ascending, int64_t n, int64_t rank)
{
    return rank < 1 || rank > n ? (double)NAN : ascending[rank - 1];
}
