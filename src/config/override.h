/* --set path=value: changes of a study file before it is read. */
#ifndef ML_CONFIG_OVERRIDE_H
#define ML_CONFIG_OVERRIDE_H

#include "config/reader.h"

/* Replaces or adds the node that option r->overrides[option - 1] names. `fault` is the reason where
 * the tree cannot hold the node but the value may be a number of a run: see config/fixed_axes.h.
 */
void ml_override(struct ml_reader *r, struct ml_node *root, int option);

#endif
