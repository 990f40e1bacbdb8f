/* The numbers of one run, and of the axes that they come from. */
#ifndef ML_STUDY_VALUES_H
#define ML_STUDY_VALUES_H

#include "study/study.h"

/* As ml_ensemble.values, of a study. */
void ml_study_values(const void *study, int64_t run, double *values);

/* Value k of quantity i of an axis of a grid. */
double ml_axis_value(const struct ml_axis *axis, int i, int64_t k);

/* Number k of the axis itself, of an axis that has such; its unit and description. */
double ml_axis_number(const struct ml_axis *axis, int64_t k);
const char *ml_axis_unit(const struct ml_axis *axis);
const char *ml_axis_doc(const struct ml_axis *axis);

/* Values of the swept quantities of one run, in the order axes, quantities. */
void ml_study_swept(const struct ml_study *study, int64_t run, double *out);

/* Makes the step and end of the only value that is left the study's, if no axis moves them any
 * more.
 */
void ml_clock_settle(struct ml_study *study);

#endif
