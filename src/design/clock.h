/* The length of steps, where runs can differ in it: all take the same number of steps. */
#ifndef ML_DESIGN_CLOCK_H
#define ML_DESIGN_CLOCK_H

#include <stdint.h>

/* Where the time from tick to tick comes from. */
enum ml_clock_kind {
    ML_CLOCK_COMMON, /* it is the same in all runs */
    ML_CLOCK_STEP,   /* a value of each run is its step */
    ML_CLOCK_END     /* a value of each run is the time at its end */
};

/* Time between ticks of a run, s.
 *   common  s, of ML_CLOCK_COMMON
 *   value   s, else: the step of the run, or its end
 *   start   s
 *   n_step  ticks from start to end, > 0 */
static inline double ml_clock_tick(enum ml_clock_kind kind, double common, double value,
                                   double start, int64_t n_step)
{
    switch (kind) {
    case ML_CLOCK_STEP:
        return value;
    case ML_CLOCK_END:
        return (value - start) / (double)n_step;
    case ML_CLOCK_COMMON:
        break;
    }
    return common;
}

#endif
