/* Whether measured loads go with a motion. */
#ifndef ML_INVERSE_CHECK_LOADS_H
#define ML_INVERSE_CHECK_LOADS_H

#include "inverse/inverse_set.h"
#include "manylink/inverse.h"
#include "plan/study.h"

/* ML_E_INPUT if a force that counts depends on more than the present of a motion, as a perturbation
 * by a pid or with a delay does. */
enum ml_status ml_loads_check_past(const struct ml_study *study, struct ml_error *err);

/* ML_E_INPUT if the times of a table that a force follows, other than an actuator's, do not cover
 * those of the motion. */
enum ml_status ml_loads_check_times(const struct ml_study *study, const struct ml_motions *motions,
                                    struct ml_error *err);

/* ML_E_INPUT if the point in the room where a force acts is farther from its segment than that is
 * long in more than 5 % of the samples with a force, or the force presses down.
 * Doubts about loads are notes of the report.
 *   run   whose parameters the chain has
 *   sets  the motion, as of ml_inverse_solver_solve */
enum ml_status ml_loads_check_places(const struct ml_study *study, const struct ml_motions *motions,
                                     int64_t run, double *const sets[ML_N_SET],
                                     struct ml_inverse_report *report, struct ml_error *err);

bool ml_thresholds_are_swept(const struct ml_study *study);

/* *out: the study's ensemble, with the loads of run `run`, whose values these are. ML_E_INPUT if a
 * load has no sample at its threshold or above.
 *   pool  of the tables of that run */
enum ml_status ml_thresholds_apply(const struct ml_study *study, int64_t run, const double *values,
                                   struct ml_pool *pool, struct ml_ensemble *out,
                                   struct ml_error *err);

#endif
