/* The numbers of a run by name, as a sweep, an option --set or a derivative names them. */
#ifndef ML_CONFIG_SLOTS_H
#define ML_CONFIG_SLOTS_H

#include "config/schema/reader.h"

/* Completes spec->numbers.base and names every number. */
void ml_slots_make(struct ml_reader *r);

/* The numbers of the system, its segments and forces by path, before events are read: [*n], in the
 * order of slots. */
const struct ml_slot *ml_slots_of_system(const struct ml_reader *r, int *n);

/* The number that a path names; NULL if no number has that path. */
const struct ml_slot *ml_slot_find(const struct ml_reader *r, const char *path);

/* The number that a node's text names, which can be swept; NULL after a problem. key of the text,
 * for messages */
const struct ml_slot *ml_read_slot(struct ml_reader *r, const struct ml_node *node,
                                   const char *key);

/* Fills spec->numbers.of_runs, with slots from `first` on. Returns how many slots there are. */
int ml_study_numbers_place(struct ml_study_spec *spec, int first);

/* Names them among the slots of all numbers, and completes spec->numbers.base. */
void ml_study_numbers_name(struct ml_reader *r, struct ml_slot *slots);

/* Where a run with these values has the numbers that the spec has at `own`: there, if runs cannot
 * differ in them. */
const double *ml_study_of_run(const struct ml_study_spec *spec, const double *own,
                              const double *values);

/* Whether an axis sweeps one of them. */
bool ml_study_is_swept(const struct ml_study_spec *spec, const double *own);

#endif
