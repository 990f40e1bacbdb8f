/* Correlated samples by a Gaussian copula: normal scores z = Phi^-1(u) are mixed by a factor of
 * their correlation matrix, R = L L^T, which leaves the distribution of each number as it is. */
#ifndef ML_DESIGN_CORRELATION_H
#define ML_DESIGN_CORRELATION_H

#include "design/distribution.h"

struct ml_correlation {
    int n;          /* ranges of the sample; 0: independent */
    double *matrix; /* [n][n] R */
    double *factor; /* [n][n] L */
};

/* Whether a coefficient of two ranges is not 0. */
bool ml_correlation_is_any(const struct ml_correlation *correlation);

/* Finds L; false where R is not positive definite. */
bool ml_correlation_factorise(struct ml_correlation *correlation);

/* The largest factor below 1 of all coefficients with which R is positive definite, to 1e-3. */
double ml_correlation_share(const struct ml_correlation *correlation);

/* The nearest correlation matrix whose coefficients of four decimals are positive definite, by
 * alternating projections (N. J. Higham, IMA J. Numer. Anal. 22, 329, 2002).
 *   matrix  [n][n] out
 *   work    [ML_CORRELATION_WORK n n]
 * False where the projections do not come to an end. */
enum { ML_CORRELATION_WORK = 4 };
bool ml_correlation_nearest(const struct ml_correlation *correlation, double *matrix, double *work);

/* Takes range i out; without any coefficient left the ranges are independent. */
void ml_correlation_remove(struct ml_correlation *correlation, int i);

/* Spearman's rank correlation of two numbers whose scores have the coefficient r. */
double ml_rank_correlation(double r);

/* The probability at which range i is drawn in a point with the independent coordinates
 * u(context, j), j = 0 .. i, each in [0, 1). */
struct ml_probability ml_correlated(const struct ml_correlation *correlation, int i,
                                    double (*u)(const void *context, int j), const void *context);

/* The normal score of range i of independent scores. */
long double ml_correlated_score(const struct ml_correlation *correlation, int i,
                                const double *scores);

#endif
