/* How fast tangent vectors grow, before anything depends on it. */
#ifndef ML_ENGINE_GROWTH_RATE_H
#define ML_ENGINE_GROWTH_RATE_H

#include "engine/ensemble.h"

/* Found in a batch of runs from all over the ensemble, over some of their first steps. */
struct ml_growth_rate {
    double spread;       /* 1/s, largest mean of ln R_11 - ln R_kk, k the last vector looked at, or
                            of ln R_11 if that is larger */
    double swing;        /* 1/s, largest mean of |ln R_ii| of single steps */
    int64_t quiet_steps; /* fewest in which a vector grew or shrank, or the first grew away from the
                            last, by a factor of 1e6; those looked at if none did */
};

/* Of the ensemble's first n_tangent tangent vectors; the same on every instruction set. ML_E_MEMORY
 * on failure. */
enum ml_status ml_ensemble_growth_rate(const struct ml_ensemble *ensemble,
                                       struct ml_growth_rate *out, struct ml_error *err);

#endif
