/* Profiles of a fit as data, and the ends of their intervals. */
#ifndef ML_FIT_PROFILE_END_H
#define ML_FIT_PROFILE_END_H

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

enum { ML_PROFILE_LOW, ML_PROFILE_HIGH, ML_PROFILE_ENDS };

/* An end of an interval, between a point of the profile below the limit and the next above. */
struct ml_profile_end {
    int parameter;
    double sign;                  /* -1 LOW, 1 HIGH */
    double in, out;               /* z of the parameter; out NaN: no point above is known */
    double tau_in, tau_out;       /* |tau| there; infinite: no run finished */
    double *z_in, *z_out, *z_now; /* [n] all numbers there, and at the trial */
    bool is_done;
    int n_kept; /* trials in a row that moved the same side */
};

/* Ends [n][ML_PROFILE_ENDS] at the estimate; NULL without memory. */
struct ml_profile_end *ml_profile_ends_begin(struct ml_fit_profile *profile);

/* Narrows an end by a point: the first above the limit, or the last below before that. */
void ml_profile_end_narrow(const struct ml_fit_profile *profile, const struct ml_descent *point,
                           struct ml_profile_end *end);

/* Finds the ends by regula falsi, all side by side. */
enum ml_status ml_profile_ends_find(struct ml_fit_profile *profile, struct ml_profile_end *ends,
                                    const struct ml_ensemble_options *how, struct ml_error *err);

/* The best point of a fit, and |tau| of a cost; infinite: no run finished. */
static inline const struct ml_descent *ml_profile_best(const struct ml_fit_found *found)
{
    return &found->starts->descents[found->best];
}
double ml_profile_tau(const struct ml_fit_found *found, double cost);

/* Finds the least cost of points in which one number each stays. Free `starts` in any case.
 *   fixed   [n_point] the numbers that stay
 *   points  [n_point][n] z */
enum ml_status ml_profile_fit_others(struct ml_fit_profile *profile, int64_t n_point,
                                     const int *fixed, const double *points,
                                     struct ml_starts *starts,
                                     const struct ml_ensemble_options *how, struct ml_error *err);

#endif
