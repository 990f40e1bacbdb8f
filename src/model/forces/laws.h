/* The forces of a study that are evaluated at every stage. */
#ifndef ML_MODEL_FORCES_LAWS_H
#define ML_MODEL_FORCES_LAWS_H

#include "model/forces/force.h"

/* Makes the laws of forces and the shape fit them. Their parameters come behind the system's
 * constants, and their own states behind its state.
 *   forces  [n_force]
 *   laws    [n_force] room, borrowed by the shape from then on */
void ml_shape_set_laws(struct ml_shape *shape, const struct ml_system *system,
                       const struct ml_force_use *forces, int n_force, struct ml_law *laws);

#endif
