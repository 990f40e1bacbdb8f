/* From the spec of a study to its ensemble. */
#ifndef ML_PLAN_PLAN_STUDY_H
#define ML_PLAN_PLAN_STUDY_H

#include "config/reader.h"
#include "plan/study.h"

/* Derives the values that the spec leaves out (intervals, sizes), checks the spec against them, and
 * gives the study its ensemble, notices and resolved text. Integrates some steps of a few runs if
 * there are tangent vectors: some milliseconds. ML_E_INPUT with all problems of the reading, or
 * ML_E_MEMORY. */
enum ml_status ml_plan_study(struct ml_reader *r, struct ml_study *study, struct ml_error *err);

/* Completes a study from its spec and derived values: ensemble, block size, results, resolved
 * texts. False without memory. */
bool ml_plan_settle(struct ml_study *study);

#endif
