/* Small probabilities as products of larger ones. */
#ifndef ML_STATISTICS_SUBSET_SIMULATION_H
#define ML_STATISTICS_SUBSET_SIMULATION_H

#include "statistics/limit_state.h"

enum {
    ML_SUBSET_CHAIN = 10, /* points of a Markov chain: 1 / probability of a level */
    ML_SUBSET_LEVELS = 16 /* at most: normal scores of double precision end at about 1e-16 */
};

/* Finds the probability of g <= 0 by subset simulation.
 *   n  points of a level, a multiple of ML_SUBSET_CHAIN, at least 10 chains
 * ML_E_MEMORY, or the status of `find`. */
enum ml_status ml_subset_find(const struct ml_limit_state *limit, int64_t n,
                              struct ml_chance *chance, struct ml_error *err);

#endif
