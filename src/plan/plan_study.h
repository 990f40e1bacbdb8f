/* From what a study says to what is integrated. */
#ifndef ML_PLAN_PLAN_STUDY_H
#define ML_PLAN_PLAN_STUDY_H

#include "config/reader.h"
#include "plan/study.h"

/* Derives what a study whose spec was read leaves open (intervals, sizes), checks what it says
 * against that, and gives it its ensemble, notices and resolved text. Integrates some steps of a
 * few runs if there are tangent vectors: some milliseconds. ML_E_INPUT with all problems of the
 * reading, or ML_E_MEMORY. */
enum ml_status ml_plan_study(struct ml_reader *r, struct ml_study *study, struct ml_error *err);

/* What follows from the spec and the derived values of a study: ensemble, block size, results,
 * resolved texts. False without memory. */
bool ml_plan_settle(struct ml_study *study);

#endif
