/* Whether the sweeps of an implicit integrator have converged, told at the end of a run. */
#ifndef ML_RUN_SWEEPS_H
#define ML_RUN_SWEEPS_H

#include "manylink/result.h"
#include "run/job.h"

/* Gives a notice if the sweeps of a finished result have not converged, with the factor by which to
 * raise the number of steps; nothing if the integrator has no sweeps, or the result cannot be read.
 *   result  or NULL: the file at `path` is opened */
void ml_run_job_tell_sweeps(const struct ml_run_job *job, struct ml_result *result,
                            const char *path);

#endif
