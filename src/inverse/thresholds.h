/* Loads whose threshold differs from run to run. */
#ifndef ML_INVERSE_THRESHOLDS_H
#define ML_INVERSE_THRESHOLDS_H

#include "plan/study.h"

bool ml_thresholds_are_swept(const struct ml_study *study);

/* *out: the study's ensemble, with the loads of run `run`, whose values these are. ML_E_INPUT if a
 * load has no sample at its threshold or above.
 *   pool  of the tables of that run */
enum ml_status ml_thresholds_apply(const struct ml_study *study, int64_t run, const double *values,
                                   struct ml_pool *pool, struct ml_ensemble *out,
                                   struct ml_error *err);

#endif
