/* The forces of an ensemble that are evaluated at every stage. */
#ifndef ML_ENGINE_LAWS_H
#define ML_ENGINE_LAWS_H

#include "engine/ensemble.h"

/* Makes the laws of the ensemble's forces and its shape fit them. Their parameters come behind the
 * system's constants, and their own states behind its state.
 *   laws  [n_force] room, borrowed by the ensemble from then on */
void ml_ensemble_set_laws(struct ml_ensemble *ensemble, struct ml_law *laws);

#endif
