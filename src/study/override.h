/* --set path=value: changes of a study file before it is read. */
#ifndef ML_STUDY_OVERRIDE_H
#define ML_STUDY_OVERRIDE_H

#include "study/problems.h"

/* Applies problems->overrides[option - 1] to the tree: replaces or adds what the path names. */
void ml_override(struct ml_node *root, int option, struct ml_problems *problems);

#endif
