/* What a study may say but hardly means: numbers in another unit than ours, and a step that is too
 * large for what it has to follow. */
#ifndef ML_PLAN_DOUBTS_H
#define ML_PLAN_DOUBTS_H

#include "config/reader.h"
#include "plan/study.h"

/* Gives a notice for each, of a study that is read to its end. Swept numbers are looked at where
 * they are smallest and largest, and what depends on several in some members there. Nothing is said
 * for want of memory. */
void ml_doubts_tell(struct ml_reader *r, const struct ml_study *study);

/* Whether the step of the study is unstable in a run; then `text` [size] says what moves too fast,
 * the product of step and eigenvalue, the limit and the largest stable step. False without memory
 * too. */
bool ml_doubts_step(const struct ml_study *study, int64_t run, size_t size, char *text);

#endif
