/* The numbers of one run. */
#ifndef ML_STUDY_VALUES_H
#define ML_STUDY_VALUES_H

#include "study/study.h"

/* As ml_ensemble.values, of a study. */
void ml_study_values(const void *study, int64_t run, double *values);

#endif
