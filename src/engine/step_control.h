/* What lanes that choose their steps begin with. */
#ifndef ML_ENGINE_STEP_CONTROL_H
#define ML_ENGINE_STEP_CONTROL_H

#include "engine/batch.h"

/* Sets batch->step_control for the state that the batch has: its first step is
 * ensemble->first_step, or one that the state, its derivative, and how fast that changes suggest
 * (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4). Nothing to do
 * unless lanes choose their steps. */
void ml_step_control_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

#endif
