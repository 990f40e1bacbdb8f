/* What lanes that choose their steps begin with. */
#ifndef ML_ENGINE_PACE_H
#define ML_ENGINE_PACE_H

#include "engine/batch.h"

/* Sets batch->pace for the state that the batch has: its first step is ensemble->first_step, or one
 * that the state, its derivative, and how fast that changes suggest (Hairer, Norsett, Wanner,
 * Solving Ordinary Differential Equations I, section II.4). Nothing to do unless lanes choose their
 * steps. */
void ml_pace_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

#endif
