/* Linear and logarithmic ranges. */
#include "fit/coordinate.h"

#include <math.h>

double ml_fit_number(const struct ml_fit_range *range, double z)
{
    if (z >= 1.0)
        return range->to;
    if (!range->is_log)
        return fma(range->to - range->from, z, range->from);
    const long double first = logl((long double)range->from);
    return (double)expl(first + (logl((long double)range->to) - first) * (long double)z);
}

double ml_fit_scale(const struct ml_fit_range *range, double z)
{
    if (!range->is_log)
        return range->to - range->from;
    return ml_fit_number(range, z) *
           (double)(logl((long double)range->to) - logl((long double)range->from));
}

double ml_fit_coordinate(const struct ml_fit_range *range, double number)
{
    const long double first = logl((long double)range->from);
    const double z =
        range->is_log
            ? (double)((logl((long double)number) - first) / (logl((long double)range->to) - first))
            : (number - range->from) / (range->to - range->from);
    return fmin(fmax(z, 0.0), 1.0);
}
