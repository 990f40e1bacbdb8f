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

#include "fit/profile_end.h"

/* Finds the profiles around the best point. Free in any case. */
enum ml_status ml_fit_profile_find(const struct ml_fit_found *found,
                                   const struct ml_ensemble_options *how,
                                   struct ml_fit_profile *out, struct ml_error *err);
void ml_fit_profile_free(struct ml_fit_profile *profile);

#endif
