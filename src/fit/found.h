/* Results of a fit: the estimates with their uncertainty, the minima that the starts met, the
 * combinations of numbers that the data do not see, and tests of the residuals. */
#ifndef ML_FIT_FOUND_H
#define ML_FIT_FOUND_H

#include "fit/starts.h"

/* Noise without correlation gives residuals that seem correlated with this probability; residuals
 * beyond so many deviations are far from the others, of which so many are named. */
#define ML_FIT_CHANCE 0.01
#define ML_FIT_FAR 5.0
enum { ML_FIT_NAMED_FAR = 3 };

struct ml_fit_residuals {
    int64_t n;                     /* numbers of the column */
    double rms;                    /* in the unit of the column */
    double durbin;                 /* Durbin-Watson: 2 of residuals that are independent */
    double scale;                  /* standard deviation by the median; 0: too few numbers */
    int64_t n_far;                 /* residuals far from the others */
    int64_t far[ML_FIT_NAMED_FAR]; /* times of the largest of these, by their size */
    bool is_rounding;              /* they are no larger than rounding errors */
    bool is_coloured;              /* by `durbin`, of this column alone */
    double between; /* rms error of the model by interpolation between steps, about */
    int64_t n_jump; /* neighbours that are more than half a turn apart */
};

/* Multiple shooting. */
struct ml_met {
    int n_segment;       /* 0: none was wanted */
    double gap;          /* largest between arcs of the best start, in parts of the state's size */
    double until, whole; /* s: a single run follows the arcs up to a time of the measured ones,
                            whose last is `whole`; the results are those of arcs if that is less */
};

struct ml_fit_found {
    const struct ml_starts *starts;
    int n, n_free;         /* numbers; without those held at a bound */
    int n_prior;           /* numbers with a prior */
    int64_t n_number, dof; /* measured numbers; these and the priors less n_free */
    double variance;       /* of a residual in units of its deviation: found, or 1 if given */
    double chi2;           /* sum of squared residuals, those of priors too, or of the loss, in
                              these units */
    double likelihood;     /* logarithm of the likelihood of normal noise, L; NaN of a loss,
                              and with priors */
    double aic, bic;       /* criteria of Akaike and Schwarz: 2 k - 2 L, k ln n_number - 2 L of k
                              numbers, with the variance unless deviations are given */
    int64_t n_weighed;     /* residuals beyond the scale of the loss */
    double chance;         /* of a Durbin-Watson statistic of all columns as far from its mean, of
                              noise without correlation; NaN: residuals are rounding */
    double seen;           /* correlation of neighbours that such a test finds in half of fits */
    double quantile;       /* half width of a 95 % interval in standard errors */
    bool *is_held;         /* [n] at a bound */
    double *estimate, *standard_error, *low, *high; /* [n]; NaN of a number that is held, but for
                                                       the estimate */
    double *covariance;                             /* [n][n] NaN as above */
    double *correlation;                            /* [n][n] the same */
    double *singular;                               /* [n_free] of the Jacobian by z, descending */
    double *directions;                             /* [n_free][n] unit vectors of z to these */
    struct ml_fit_residuals *residuals;             /* [n_column] */
    struct ml_fit_detail detail;                    /* at the best point */
    double *residual;                               /* [n_column][n_time] measured - model */
    int64_t best;                                   /* start */
    struct ml_met met;
    int64_t n_minimum;   /* minima, by their cost */
    int64_t *minimum_of; /* [n_start] -1: its run failed */
    int64_t *leader;     /* [n_minimum] the best start of each */
    int64_t *n_met;      /* [n_minimum] starts that met it */
    struct ml_pool pool;
};

/* Rows of the Jacobian: measured numbers of all columns and times, other conditions on the numbers,
 * then the priors. */
static inline int64_t ml_fit_rows(const struct ml_fit_found *found)
{
    const struct ml_measured_numbers *m = found->starts->measured;
    return (int64_t)m->n_column * m->n_time + found->starts->n_more + found->n_prior;
}

/* Standard deviation along direction k, as a part of the ranges; above 1 the data do not determine
 * the combination. */
double ml_fit_spread(const struct ml_fit_found *found, int k);

/* Whether residuals are rounding errors, of which the fit has found the deviation. */
bool ml_fit_is_rounding(const struct ml_fit_found *found);

/* Sorts the ends of the starts, runs the best once more and looks at its numbers. Free in any case.
 */
enum ml_status ml_fit_find(struct ml_starts *starts, const struct ml_ensemble_options *how,
                           struct ml_fit_found *out, struct ml_error *err);
void ml_fit_found_free(struct ml_fit_found *found);

/* fit/residuals.c: fills in the residuals, whether they follow each other and which are far from
 * the others, and of all columns together `chance`, `seen` and `is_coloured`. False without memory.
 *   left  [n_free][ml_fit_rows] left singular vectors times singular values, of the Jacobian */
bool ml_fit_look_at_residuals(struct ml_fit_found *found, const double *left);

#endif
