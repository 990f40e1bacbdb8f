/* --set path=value: changes of a study file before it is read. */
#ifndef ML_CONFIG_OVERRIDE_H
#define ML_CONFIG_OVERRIDE_H

#include "config/reader.h"

/* Replaces or adds what option r->overrides[option - 1] names in the tree. Where the tree has no
 * place for it, but the value may be a number of a run, it says why in `fault`: see
 * config/fixed_axes.h.
 */
void ml_override(struct ml_reader *r, struct ml_node *root, int option);

#endif
