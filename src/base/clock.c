/* Seconds from clocks that never go back, for measuring durations. */
#include "base/clock.h"

#include <time.h>

double ml_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t); /* it is always there */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ml_thread_clock(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        return ml_clock();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
