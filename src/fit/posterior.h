/* The posterior density of the numbers of a fit, by an ensemble of walkers (J. Goodman, J. Weare,
 * Comm. Appl. Math. Comp. Sci. 5, 65, 2010; in two halves side by side as D. Foreman-Mackey et al.,
 * Publ. Astron. Soc. Pac. 125, 306, 2013). A walker at x moves along the line through a walker y of
 * the other half, to
 *
 *   y + s (x - y),  s of density 1 / sqrt(s) on [1/2, 2],
 *
 * with the probability min(1, s^(n-1) p(new) / p(x)). The density is by the coordinates z of the
 * ranges, flat but for the priors; without deviations of the noise, over the noise's variance with
 * the density 1 / variance, p ~ (sum of squares)^(-N/2). */
#ifndef ML_FIT_POSTERIOR_H
#define ML_FIT_POSTERIOR_H

#include "fit/chains.h"
#include "fit/found.h"

struct ml_fit_posterior {
    const struct ml_fit_found *found;
    const struct ml_walkers *spec;
    struct ml_starts walkers;    /* a trial of each */
    int n;                       /* numbers */
    double *z, *density;         /* [walker][n], [walker] where the walkers are: log p */
    double *stretch;             /* [walker] log s of the trial */
    double *chain;               /* [walker][step][n] numbers */
    double *densities;           /* [walker][step] log p, but for a constant */
    struct ml_chain_summary *of; /* [n] */
    double *covariance;          /* [n][n] of the numbers in the chains */
    int64_t n_trial, n_accepted; /* of the steps that are kept */
    struct ml_pool pool;
};

/* Places the walkers around the best point, and makes the ensemble that runs these. Free in any
 * case. */
enum ml_status ml_fit_posterior_begin(const struct ml_fit_found *found,
                                      struct ml_fit_posterior *out, struct ml_error *err);

/* Lets the walkers move. ML_E_INPUT where runs near the best point do not finish. */
enum ml_status ml_fit_posterior_draw(struct ml_fit_posterior *posterior,
                                     const struct ml_ensemble_options *how, struct ml_error *err);
void ml_fit_posterior_free(struct ml_fit_posterior *posterior);

/* The longest autocorrelation time, and the largest R-hat. */
double ml_fit_posterior_time(const struct ml_fit_posterior *posterior);
double ml_fit_posterior_r_hat(const struct ml_fit_posterior *posterior);

#endif
