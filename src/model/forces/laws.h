/* The forces of a study that are evaluated at every stage. */
#ifndef ML_MODEL_FORCES_LAWS_H
#define ML_MODEL_FORCES_LAWS_H

#include "model/forces/force.h"

/* Fills `laws` with the forces that have one, in their order, and sets what follows of the
 * dimensions: its laws, how many, and how many constants and states they have. Their parameters
 * come behind the system's constants, and their own states behind its state.
 *   model   n is set
 *   forces  [n_force], types set
 *   laws    [n_force] room, borrowed by the instance from then on */
void ml_instance_set_laws(struct ml_instance *model, const struct ml_force_use *forces, int n_force,
                          struct ml_law *laws);

#endif
