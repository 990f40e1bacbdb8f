/* Where the memory of a batch and of a block's results lies. */
#ifndef ML_ENGINE_BATCH_LAYOUT_H
#define ML_ENGINE_BATCH_LAYOUT_H

#include "engine/batch.h"

/* Places a batch of the ensemble in `arena`, or counts what it takes. */
void ml_batch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_batch *batch);

/* Steps from one observation of the indicators to the next; INT64_MAX: at the start and the end
 * alone, as no indicator has an `observe` that kernels do not stand in for. */
int64_t ml_batch_observe_every(const struct ml_ensemble *ensemble);

/* Places the results of one block in `arena`, or counts what they take. */
void ml_block_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_block *block);

/* Bytes that one thread needs: a batch, the block it fills, the block that is being written, and
 * the part as which it is written. */
size_t ml_ensemble_thread_bytes(const struct ml_ensemble *ensemble);

#endif
