/* How fast an ensemble would run here. */
#ifndef ML_ENGINE_PROBE_H
#define ML_ENGINE_PROBE_H

#include "engine/ensemble.h"

/* Member-steps per second of one thread, measured on the first runs: for about `seconds`, or the
 * fastest of several measurements if their whole time takes less; 0 if there is no memory. */
double ml_ensemble_speed(const struct ml_ensemble *ensemble, double seconds);

#endif
