/* Summary of the torques of a motion, joint by joint. */
#ifndef ML_INVERSE_EFFORT_H
#define ML_INVERSE_EFFORT_H

#include "engine/kernels/kernels.h"
#include "inverse/inverse_set.h"

/* Whether the summary is of sample k. */
bool ml_effort_counts(const struct ml_motions *motions, int64_t k);

/* Fills in the power, and of the samples that count peaks, means and work of a result
 * from its torques and rates; the integrals by the rule of trapezoids.
 *   is_joint  the rates are those of the joints; else of the segments */
void ml_effort(const struct ml_motions *motions, const struct ml_kernels *kernels, bool is_joint,
               double *const sets[ML_N_SET]);

#endif
