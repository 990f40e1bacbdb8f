/* Signed peaks of torques, and work and peaks of bursts of power, in each cycle of a gait. */
#ifndef ML_INVERSE_BURSTS_H
#define ML_INVERSE_BURSTS_H

#include "inverse/inverse_set.h"

/* Finds the joints of hip, knee and ankle that a chain has: of segments `thigh`, `shank` and
 * `foot`; and names the bursts of these, and returns their number. */
void ml_bursts_find(const struct ml_study *study, struct ml_cycles *cycles);
int ml_bursts_name(const struct ml_cycles *cycles, const char *names[ML_N_BURST]);

/* Fills in the peaks and the work of the cycles of one result, if there are cycles, and their
 * means; from its torques and powers. */
void ml_bursts_fill(const struct ml_motions *motions, double *const sets[ML_N_SET]);

#endif
