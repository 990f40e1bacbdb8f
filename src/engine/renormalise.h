/* Keeps the tangent vectors of a batch orthonormal, and tells indicators how they grew. */
#ifndef ML_ENGINE_RENORMALISE_H
#define ML_ENGINE_RENORMALISE_H

#include "engine/batch.h"

/* At the start, when the vectors are the unit ones. */
void ml_renormalise_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* At step k, n_step steps after the last time. */
void ml_renormalise(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                    double n_step);

/* Adds to the integral of the Jacobian's trace what came in the n_step steps before step k; every
 * so many steps, which divide those between orthonormalisations. */
void ml_trace_add(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                  double n_step);
int64_t ml_trace_every(const struct ml_ensemble *ensemble);

/* Lanes whose run may end, for all that the indicators want to know. */
unsigned ml_renormalise_done(const struct ml_ensemble *ensemble, const struct ml_batch *batch);

#endif
