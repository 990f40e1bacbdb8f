/* Times that are even, but for errors of rounding and of clocks. */
#include "columns/table.h"

#include <math.h>
#include <stdbool.h>

double ml_time_rounding(int64_t n, const double *time)
{
    enum { MOST_DIGITS = 9 };
    double scale = 1.0; /* 1/s */
    for (int digits = 0; digits < MOST_DIGITS; digits++) {
        bool is_all = true;
        for (int64_t k = 0; k < n && is_all; k++) {
            const double there = time[k] * scale;
            is_all = fabs(there - nearbyint(there)) <= 1e-6;
        }
        if (is_all)
            return 0.5 / scale;
        scale *= 10.0;
    }
    return 0.0;
}

void ml_times_even(int64_t n, double *time, double most)
{
    if (n < 3)
        return;
    const double first = time[0], interval = (time[n - 1] - first) / (double)(n - 1);
    double off = 0.0;
    for (int64_t k = 1; k < n; k++)
        off = fmax(off, fabs(time[k] - fma((double)k, interval, first)));
    for (int64_t k = 1; off > 1e-6 * interval && off <= most && k < n; k++)
        time[k] = fma((double)k, interval, first);
}

void ml_times_undo_rounding(int64_t n, double *time)
{
    if (n < 3)
        return;
    const double rounding = ml_time_rounding(n, time);
    if (rounding < 0.25 * (time[n - 1] - time[0]) / (double)(n - 1))
        ml_times_even(n, time, 2.001 * rounding); /* that of a time and of the ends */
}
