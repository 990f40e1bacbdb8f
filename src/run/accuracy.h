/* The error that the step leaves in the numbers of a study, found by computing some runs again. */
#ifndef ML_RUN_ACCURACY_H
#define ML_RUN_ACCURACY_H

#include "engine/ensemble.h"
#include "engine/ensemble_run.h"

/* In words, and whether it is large: a median beyond a hundredth of its output's size, or runs that
 * end in another way with a smaller step. */
struct ml_accuracy {
    bool is_large;
    char text[1000]; /* "" if nothing can be said */
};

/* Runs that can be computed again for at most 4 % of the steps of all: a multiple of ML_LANES up to
 * 64, 0 if there are too few to begin with. */
int ml_accuracy_count(int64_t n_run);

/* Computes n runs, spread over the ensemble by a fixed sequence, with its step, with half of it
 * and, a quarter of them, with a quarter; or with the tolerance, a tenth and a hundredth. One more
 * time with a slightly displaced start, which tells chaotic runs from too large a step. Depends on
 * neither threads nor instruction set.
 *   n  > 0 */
enum ml_status ml_accuracy_of_runs(const struct ml_ensemble *ensemble, int n,
                                   const struct ml_ensemble_options *how, struct ml_accuracy *out,
                                   struct ml_error *err);

#endif
