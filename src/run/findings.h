/* Doubts about the finished numbers of a run, told at its end. */
#ifndef ML_RUN_FINDINGS_H
#define ML_RUN_FINDINGS_H

#include "manylink/result.h"
#include "run/job.h"

/* Tells the error of the step; if the sweeps of the integrator have not converged, with the factor
 * by which to raise the number of steps; if energy drifts by more than 1 % though nothing but the
 * integrator can change it; and where runs have not come to an attractor. Of a result that cannot
 * be read only the first is told.
 *   accuracy  runs computed again; none: of a small study some are now
 *   result    or NULL: the file at `path` is opened */
void ml_run_job_tell(struct ml_run_job *job, const struct ml_accuracy *accuracy,
                     struct ml_result *result, const char *path);

#endif
