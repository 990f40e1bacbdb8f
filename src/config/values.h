/* The numbers of one run, and of the axes that they come from. */
#ifndef ML_CONFIG_VALUES_H
#define ML_CONFIG_VALUES_H

#include "config/study.h"

/* As ml_ensemble.values, of a study. */
void ml_study_values(const void *study, int64_t run, double *values);

/* Values of the swept quantities of one run, in the order axes, quantities. */
void ml_study_swept(const struct ml_study *study, int64_t run, double *out);

/* Makes the step and end of the only value that is left the study's, if no axis moves them any
 * more.
 */
void ml_clock_settle(struct ml_study *study);

#endif
