/* Profile likelihood of a fit (D. M. Bates, D. G. Watts, Nonlinear Regression Analysis and Its
 * Applications, Wiley 1988, chapter 6): along each number, the least sum of squares S that the
 * other numbers reach, all points side by side. The signed root of its rise,
 *
 *   tau(p) = sign(p - estimate) sqrt((S(p) - S(estimate)) / variance)
 *
 * is (p - estimate) / standard error of a linear model; the interval ends where |tau| is the
 * quantile of the covariance intervals: chi^2 of one degree of freedom with `sd`, else F. */
#ifndef ML_FIT_PROFILE_H
#define ML_FIT_PROFILE_H

#include "fit/found.h"

enum {
    ML_PROFILE_SIDE = 16,                       /* points of one side */
    ML_PROFILE_POINTS = 2 * ML_PROFILE_SIDE + 1 /* from -4 to 4 units, the estimate in the middle */
};

struct ml_fit_profile {
    const struct ml_fit_found *found;
    int n;                /* numbers */
    double *offset;       /* [ML_PROFILE_POINTS] units from the estimate */
    double *unit;         /* [n] of these, of z: the standard error, or a quarter of the range */
    double *tau;          /* [n][ML_PROFILE_POINTS] NaN: out of the bounds, or no run finished */
    double *numbers;      /* [n][ML_PROFILE_POINTS][n] all numbers there; NaN as above */
    double *low, *high;   /* [n] ends of the 95 % intervals; NaN: beyond the bound */
    double below;         /* sum of squares of the lowest point less the fit's, in units of the
                             variance: far below 0 the fit was not at its least minimum */
    int64_t n_evaluation; /* runs */
    struct ml_pool pool;
};

/* Finds the profiles around the best point. Free in any case. */
enum ml_status ml_fit_profile_find(const struct ml_fit_found *found,
                                   const struct ml_ensemble_options *how,
                                   struct ml_fit_profile *out, struct ml_error *err);
void ml_fit_profile_free(struct ml_fit_profile *profile);

#endif
