/* What the finished numbers of a run say against its integration. */
#ifndef ML_RUN_FINDINGS_H
#define ML_RUN_FINDINGS_H

#include "manylink/result.h"
#include "run/job.h"

/* Tells, of a finished result, if the sweeps of its integrator have not converged, with the factor
 * by which to raise the number of steps; and if energy drifts by more than 1 % though nothing but
 * the integrator can change it. Nothing if the result cannot be read.
 *   result  or NULL: the file at `path` is opened */
void ml_run_job_tell_findings(const struct ml_run_job *job, struct ml_result *result,
                              const char *path);

#endif
