/* Doubts about the labels of attractors, told at the end of a run. */
#ifndef ML_RUN_ATTRACTORS_H
#define ML_RUN_ATTRACTORS_H

#include "manylink/result.h"
#include "run/job.h"

/* Tells where runs of a finished result have not come to an attractor, with the likely cause. */
void ml_run_job_tell_attractors(const struct ml_run_job *job, struct ml_result *result);

#endif
