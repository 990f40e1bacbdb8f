/* Seconds from a monotonic clock, for measuring durations. */
#include "base/clock.h"

#include <time.h>

double ml_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* it is always there */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
