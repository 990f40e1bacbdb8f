/* Derivatives of a system and its forces, against differences. */
#ifndef ML_ENGINE_CHECK_DERIVATIVES_H
#define ML_ENGINE_CHECK_DERIVATIVES_H

#include "engine/ensemble.h"

/* Derivatives of dx/dt at the start of one run by each of its values, as they advance with the
 * state, against differences of dx/dt (central, of two sizes, extrapolated).
 *   error  [n_value] largest difference of the two over the largest derivative plus the size of
 *          dx/dt per size of the value: some 1e-11 if both are right
 * ML_E_MEMORY on failure. */
enum ml_status ml_ensemble_check_derivatives(const struct ml_ensemble *ensemble, int64_t run,
                                             double *error, struct ml_error *err);

#endif
