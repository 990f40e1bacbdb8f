/* Chains of an ensemble of walkers: moments, quantiles, and how far the chains have mixed.
 * Arithmetic alone. */
#ifndef ML_FIT_CHAINS_H
#define ML_FIT_CHAINS_H

#include <stdint.h>

struct ml_chain_summary {
    double mean, sd;
    double low, median, high; /* quantiles 0.025, 0.5, 0.975 */
    double time;              /* integrated autocorrelation time, in steps */
    double r_hat;             /* potential scale reduction of the halves of all chains */
};

/* Chains shorter than so many autocorrelation times leave these times unknown (D. Foreman-Mackey et
 * al., Publ. Astron. Soc. Pac. 125, 306, 2013); halves that have mixed have an R-hat near 1. */
#define ML_CHAIN_LEAST_TIMES 50.0
#define ML_CHAIN_MOST_R_HAT 1.05

/* Of one number of all walkers.
 *   numbers  [n_walker][n_step], which are moved about */
struct ml_chain_summary ml_chain_look(int64_t n_walker, int64_t n_step, double *numbers);

#endif
