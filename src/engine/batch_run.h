/* The way of one batch from its start to its end. */
#ifndef ML_ENGINE_BATCH_RUN_H
#define ML_ENGINE_BATCH_RUN_H

#include "engine/batch.h"

/* Integrates runs first .. first + n - 1 (n <= ML_LANES) of a block and writes their results.
 * Returns the number of steps taken by all of them, or -1 if it was told to drop them. */
int64_t ml_batch_run(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int n, struct ml_block *block);

#endif
