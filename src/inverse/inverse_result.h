/* The result file of inverse dynamics: /study/inverse, its datasets shaped [axes.., joint, time] on
 * the study's sweep, or [run, joint, time] on the runs of several motions, or on those of a shard.
 */
#ifndef ML_INVERSE_INVERSE_RESULT_H
#define ML_INVERSE_INVERSE_RESULT_H

#include "inverse/inverse_task.h"
#include "store/result_kind.h"

/* The kind of the results of a task, which is borrowed. Notes are added to the task's report when
 * the results are written, or when a finished file is found. */
struct ml_result_kind ml_inverse_result_kind(struct ml_inverse_task *task);

#endif
