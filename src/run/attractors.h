/* What is doubtful about the labels of attractors, told at the end of a run. */
#ifndef ML_RUN_ATTRACTORS_H
#define ML_RUN_ATTRACTORS_H

#include "manylink/result.h"
#include "run/job.h"

/* Gives a notice where runs of a finished result have not come to an attractor, with the likely
 * cause; nothing without labels, or if the result cannot be read.
 *   result  or NULL: the file at `path` is opened */
void ml_run_job_tell_attractors(const struct ml_run_job *job, struct ml_result *result,
                                const char *path);

#endif
