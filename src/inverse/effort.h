/* Summary of the torques of a motion, joint by joint. */
#ifndef ML_INVERSE_EFFORT_H
#define ML_INVERSE_EFFORT_H

#include "inverse/inverse_set.h"

/* Fills in power, where it is kept, peaks, means and work of a result from its torques and rates;
 * the integrals by the rule of trapezoids.
 *   is_joint  the rates are those of the joints; else of the segments
 *   time      [n_time] s */
void ml_effort(int n, bool is_joint, int64_t n_time, const double *time,
               double *const sets[ML_N_SET]);

#endif
