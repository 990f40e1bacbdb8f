#include "study/spacing.h"

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

double ml_spaced(double low, double high, int64_t count, int64_t k, bool is_log)
{
    if (k == 0)
        return low;
    if (k == count - 1)
        return high;
    double value = is_log ? geometric(low, high, (long double)k / (long double)(count - 1))
                          : low + (double)k * (high - low) / (double)(count - 1);
    return clamp(value, low, high);
}

double ml_between(double low, double high, double u, bool is_log)
{
    double value = is_log ? geometric(low, high, (long double)u) : low + u * (high - low);
    return clamp(value, low, nextafter(high, low));
}
