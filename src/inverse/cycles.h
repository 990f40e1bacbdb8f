/* Cycles of a gait: from foot strike to foot strike of one leg, 0 to 100 % at 101 points. Between
 * samples curves are cubics through the four samples around (Lagrange), which add up with the same
 * weights for all curves of a motion. */
#ifndef ML_INVERSE_CYCLES_H
#define ML_INVERSE_CYCLES_H

#include "inverse/inverse_set.h"
#include "inverse/segment_params.h"
#include "manylink/inverse.h"

/* Finds the cycles of the only motion; none unless the study has the key.
 *   segments  of the first run
 *   sets      its motion, for cycles by the foot
 * ML_E_INPUT without a whole cycle. */
enum ml_status ml_cycles_find(struct ml_motions *motions, const struct ml_segment_params *segments,
                              double *const sets[ML_N_SET], struct ml_inverse_report *report,
                              struct ml_error *err);

/* cycle_curves.c: Fills in the datasets of cycles that all results have in common. */
void ml_cycles_fill_motion(const struct ml_motions *motions, bool is_joint,
                           double *const sets[ML_N_SET]);

/* The same of the torques and powers of one result. */
void ml_cycles_fill_torques(const struct ml_motions *motions, double *const sets[ML_N_SET]);

#endif
