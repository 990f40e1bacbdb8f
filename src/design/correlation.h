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

/* Finds L; false where R is not positive definite. */
bool ml_correlation_factorise(struct ml_correlation *correlation);

/* The largest factor below 1 of all coefficients with which R is positive definite, to 1e-3. */
double ml_correlation_share(const struct ml_correlation *correlation);

/* Takes range i out. */
void ml_correlation_remove(struct ml_correlation *correlation, int i);

/* Spearman's rank correlation of two numbers whose scores have the coefficient r. */
double ml_rank_correlation(double r);

/* The probability of range i in a point of which u(context, j) is independent coordinate j. */
struct ml_probability ml_correlated(const struct ml_correlation *correlation, int i,
                                    double (*u)(const void *context, int j), const void *context);

#endif
