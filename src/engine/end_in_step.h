/* The end of one run within a step: indicators see all lanes of a batch, so what they do for that
 * run's sake is undone for its neighbours. */
#ifndef ML_ENGINE_END_IN_STEP_H
#define ML_ENGINE_END_IN_STEP_H

#include "engine/batch.h"

/* Rows [ML_LANES] of batch->saved. */
int ml_end_in_step_rows(const struct ml_ensemble *ensemble, const struct ml_batch *batch);

/* Copies the states and all that indicators keep to batch->saved, and back. */
void ml_end_in_step_save(const struct ml_ensemble *ensemble, struct ml_batch *batch);
void ml_end_in_step_restore(const struct ml_ensemble *ensemble, struct ml_batch *batch);

#endif
