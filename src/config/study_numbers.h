/* Numbers besides those of system, forces and events in which runs can differ: of the study's own
 * motion, and of the settings of inverse dynamics. Their slots are behind those of events. */
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
