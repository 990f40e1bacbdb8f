/* The numbers of one run, and of the axes that they come from. */
#ifndef ML_CONFIG_VALUES_H
#define ML_CONFIG_VALUES_H

#include "config/schema/study_spec.h"

/* As `values` of an ensemble: spec is a struct ml_study_spec.
 *   values  [n_value]; NaN where the system derives it */
void ml_study_values(const void *spec, int64_t run, double *values);

/* The same from `values` that hold those of a study before its sweep: in place of its own. */
void ml_study_place(const struct ml_study_spec *spec, int64_t run, double *values);

/* The same of the study's own, with the sample at normal scores, as of ml_axis_value_at, at the
 * run's point of the grid.
 *   noise  run whose noise of controllers is taken */
void ml_study_values_at(const struct ml_study_spec *spec, int64_t run, const double *scores,
                        int64_t noise, double *values);

/* Values of the swept quantities of one run, in the order axes, quantities.
 *   out  [sum of n_swept over the axes] */
void ml_study_swept(const struct ml_study_spec *spec, int64_t run, double *out);

/* If the step or end of runs is one of their numbers but no axis sweeps it (any more): sets step
 * and end of the spec, s, from its value, makes the clock common, and takes it off the numbers. */
void ml_clock_settle(struct ml_study_spec *spec);

#endif
