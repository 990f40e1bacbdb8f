/* The ensemble of a study. */
#ifndef ML_PLAN_MAKE_ENSEMBLE_H
#define ML_PLAN_MAKE_ENSEMBLE_H

#include "plan/study.h"

/* Sets every field of study->ensemble from the spec, the kernels and the values derived so far;
 * block_runs is 0 until ml_plan_settle. To be called again after any of these has changed. The
 * ensemble points into the study, which must not move. Cannot fail. */
void ml_make_ensemble(struct ml_study *study);

#endif
