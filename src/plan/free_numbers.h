/* Numbers of a run that can take other values while the plan of the study stays as it is. */
#ifndef ML_PLAN_FREE_NUMBERS_H
#define ML_PLAN_FREE_NUMBERS_H

#include "plan/study.h"

/* Slot of the number with a path, if runs with another value in the number's range are those of the
 * study read with `--set`; -1 of a number that is swept, derived, named by formulas, looked at by a
 * plan or a check, or not given, of studies whose plan integrates some steps, and of paths without
 * a number. */
int ml_free_number(const struct ml_study *study, const char *path);

/* Whether a free number may have this value. */
bool ml_free_number_allows(const struct ml_study *study, int slot, double value);

/* Laws for runs that differ in these slots.
 *   laws  [model.n_law of the ensemble] in: those of the study */
void ml_free_numbers_of_laws(const struct ml_study *study, const int *slots, int n,
                             struct ml_law *laws);

#endif
