/* Summary of the torques of a motion, joint by joint. */
#ifndef ML_INVERSE_EFFORT_H
#define ML_INVERSE_EFFORT_H

#include "engine/kernels/kernels.h"
#include "inverse/inverse_set.h"

/* The samples that the summary is of: first .. end - 1. */
struct ml_effort_span {
    int64_t first, end;
};
struct ml_effort_span ml_effort_span(const struct ml_motions *motions);

/* Fills in the power, and of the samples that count peaks, means and work of a result
 * from its torques and rates; the integrals by the rule of trapezoids.
 *   is_joint  the rates are those of the joints; else of the segments */
void ml_effort(const struct ml_motions *motions, const struct ml_kernels *kernels, bool is_joint,
               double *const sets[ML_N_SET]);

#endif
