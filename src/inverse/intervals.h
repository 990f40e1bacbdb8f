/* Times of a motion that are too far from each other, or too near, for a spline through all of
 * them.
 */
#ifndef ML_INVERSE_INTERVALS_H
#define ML_INVERSE_INTERVALS_H

#include <stdint.h>

#include "yaml/pool.h"

enum {
    ML_GAP = 10,     /* a gap is longer than as many usual intervals */
    ML_CROWD = 1000, /* and too short an interval is shorter than the usual one over this */
};

/* Median of n >= 1 numbers, which it sorts. */
double ml_median(size_t n, double *values);

/* Median of the intervals between n >= 2 increasing times; 0 without memory, which the pool says.
 */
double ml_median_interval(struct ml_pool *pool, int64_t n, const double *time);

#endif
