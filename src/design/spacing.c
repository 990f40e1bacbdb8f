/* Values spaced evenly or logarithmically between two ends, exact at both. */
#include "design/spacing.h"

#include <math.h>

static double clamp(double value, double a, double b)
{
    return fmin(fmax(value, fmin(a, b)), fmax(a, b));
}

/* low (high/low)^t, rounded once. */
static double geometric(double low, double high, long double t)
{
    long double ratio = (long double)high / (long double)low;
    return (double)((long double)low * powl(ratio, t));
}

/* Weighted by both ends alike, so that a range from -a to a has values in pairs +-. */
static double arithmetic(double low, double high, int64_t count, int64_t k)
{
    long double below = (long double)low * (long double)(count - 1 - k);
    return (double)((below + (long double)high * (long double)k) / (long double)(count - 1));
}

double ml_spaced(double low, double high, int64_t count, int64_t k, bool is_log)
{
    if (k == 0)
        return low;
    if (k == count - 1)
        return high;
    double value = is_log ? geometric(low, high, (long double)k / (long double)(count - 1))
                          : arithmetic(low, high, count, k);
    return clamp(value, low, high);
}

double ml_between(double low, double high, double u, bool is_log)
{
    double value = is_log ? geometric(low, high, (long double)u) : low + u * (high - low);
    return clamp(value, low, nextafter(high, low));
}
