/* One run of a study by itself: its number by the values of what is swept, and the study of that
 * run alone. */
#ifndef ML_STUDY_MEMBER_H
#define ML_STUDY_MEMBER_H

#include "study/study.h"

/* Writes the swept values of a run as "path = value unit, ..."; "" without a sweep. Returns text of
 * study->pool, NULL without memory. */
const char *ml_member_text(struct ml_study *study, int64_t run);

#endif
