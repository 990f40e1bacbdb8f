/* Wilson's interval. */
#include "statistics/proportion.h"

#include <math.h>

static const double z = 1.959963984540054; /* 0.975-quantile of the standard normal distribution */

struct ml_proportion ml_proportion_find(int64_t successes, int64_t n)
{
    const double none = (double)NAN, size = (double)n;
    if (n < 1)
        return (struct ml_proportion){none, none, none};
    const double p = (double)successes / size, scale = 1.0 + z * z / size;
    const double centre = (p + z * z / (2.0 * size)) / scale;
    const double half = z * sqrt(p * (1.0 - p) / size + z * z / (4.0 * size * size)) / scale;
    return (struct ml_proportion){p, successes == 0 ? 0.0 : centre - half,
                                  successes == n ? 1.0 : centre + half};
}
