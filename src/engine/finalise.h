/* What the indicators have measured, when runs end. */
#ifndef ML_ENGINE_FINALISE_H
#define ML_ENGINE_FINALISE_H

#include "engine/batch.h"

/* Fills the rows of all outputs, batch->out, from the batch as it is now.
 *   seen  with step and time of now */
void ml_finalise(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                 const struct ml_observation *observed);

#endif
