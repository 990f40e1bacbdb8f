/* The numbers of one run, and of the axes that they come from. */
#ifndef ML_CONFIG_VALUES_H
#define ML_CONFIG_VALUES_H

#include "config/study_spec.h"

/* As `values` of an ensemble: spec is a struct ml_study_spec. */
void ml_study_values(const void *spec, int64_t run, double *values);

/* Values of the swept quantities of one run, in the order axes, quantities. */
void ml_study_swept(const struct ml_study_spec *spec, int64_t run, double *out);

/* Makes the step and end of the only value that is left the study's, if no axis moves them any
 * more.
 */
void ml_clock_settle(struct ml_study_spec *spec);

#endif
