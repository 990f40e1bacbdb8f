/* The start of a batch. */
#ifndef ML_ENGINE_BATCH_LOAD_H
#define ML_ENGINE_BATCH_LOAD_H

#include "engine/batch.h"

/* Fills all lanes with runs first .. first + n - 1, the last one repeated, and prepares them. */
void ml_batch_load(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                   int n);

#endif
