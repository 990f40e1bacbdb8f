/* The ensemble of a study. */
#ifndef ML_PLAN_MAKE_ENSEMBLE_H
#define ML_PLAN_MAKE_ENSEMBLE_H

#include "plan/study.h"

/* Sets study->ensemble to what its spec, kernels and derived values say, of all of which every
 * field of the ensemble follows. To be called again when one of them has changed; the ensemble
 * borrows from them. */
void ml_make_ensemble(struct ml_study *study);

#endif
