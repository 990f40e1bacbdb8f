/* Gaps in the times of a motion, over which a spline would make accelerations up. */
#ifndef ML_INVERSE_GAPS_H
#define ML_INVERSE_GAPS_H

#include <stdint.h>

#include "study/pool.h"

enum { ML_GAP = 10 }; /* a gap is longer than as many usual intervals */

/* Median of the intervals between n >= 2 increasing times; 0 without memory, which the pool says.
 */
double ml_usual_interval(struct ml_pool *pool, int64_t n, const double *time);

#endif
