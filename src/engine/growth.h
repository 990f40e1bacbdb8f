/* How fast tangent vectors grow, before anything depends on it. */
#ifndef ML_ENGINE_GROWTH_H
#define ML_ENGINE_GROWTH_H

#include "engine/ensemble.h"

/* The largest found in a batch of runs spread evenly over the ensemble, over some of their first
 * steps; 1/s. */
struct ml_growth {
    double peak;   /* |ln R_ii| of one step */
    double spread; /* mean of ln R_11 - ln R_kk, k the last vector looked at, or of ln R_11 if that
                      is larger */
};

/* Of the ensemble's first n_vector tangent vectors; the same on every instruction set. ML_E_MEMORY
 * on failure. */
enum ml_status ml_ensemble_growth(const struct ml_ensemble *ensemble, struct ml_growth *out,
                                  struct ml_error *err);

#endif
