/* The forces of a study that are evaluated at every stage. */
#ifndef ML_MODEL_FORCES_LAWS_H
#define ML_MODEL_FORCES_LAWS_H

#include "model/forces/force.h"

/* Fills `laws` with the laws of the forces that have one, in their order, and sets laws, n_law,
 * n_law_constant, n_law_state and has_joint_terms of the instance. Parameters of laws come behind
 * the system's constants, states of laws behind its state.
 *   model   system and n are set
 *   forces  [n_force], types set
 *   laws    [n_force] room, borrowed by the instance from then on */
void ml_instance_set_laws(struct ml_instance *model, const struct ml_force_use *forces, int n_force,
                          struct ml_law *laws);

#endif
