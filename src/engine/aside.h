/* The end of one run within a step: indicators see all lanes of a batch, so what they do for that
 * run's sake is undone for its neighbours. */
#ifndef ML_ENGINE_ASIDE_H
#define ML_ENGINE_ASIDE_H

#include "engine/batch.h"

int ml_aside_rows(const struct ml_ensemble *ensemble, const struct ml_batch *batch);

/* Copies the states and all that indicators keep to batch->aside, and back. */
void ml_aside_put(const struct ml_ensemble *ensemble, struct ml_batch *batch);
void ml_aside_get(const struct ml_ensemble *ensemble, struct ml_batch *batch);

#endif
