/* The numbers of a study itself that runs can differ in: of its own motion, and of what inverse
 * dynamics does. They have slots behind those of events. */
#ifndef ML_CONFIG_STUDY_NUMBERS_H
#define ML_CONFIG_STUDY_NUMBERS_H

#include "config/reader.h"

/* Fills spec->of_runs, with slots from `first` on. Returns how many slots there are. */
int ml_study_numbers_place(struct ml_study_spec *spec, int first);

/* Names them among the slots of all numbers, and completes spec->base. */
void ml_study_numbers_name(struct ml_reader *r, struct ml_slot *slots);

/* Where a run with these values has the numbers that the spec has at `own`: there, if runs cannot
 * differ in them. */
const double *ml_study_of_run(const struct ml_study_spec *spec, const double *own,
                              const double *values);

/* Whether an axis sweeps one of them. */
bool ml_study_is_swept(const struct ml_study_spec *spec, const double *own);

#endif
