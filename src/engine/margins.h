/* Gain, phase and delay margins and bandwidth of control loops, by their frequency response. */
#ifndef ML_ENGINE_MARGINS_H
#define ML_ENGINE_MARGINS_H

#include "engine/batch.h"

/* Measures the first n runs of a batch that is loaded: [ML_N_MARGIN][n of the model] rows of the
 * batch; NULL if no indicator asks for them. */
const double *ml_margins_measure(const struct ml_ensemble *ensemble, struct ml_batch *batch, int n);

#endif
