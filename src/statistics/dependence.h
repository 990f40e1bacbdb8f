/* Correlation of two numbers over many runs. */
#ifndef ML_STATISTICS_DEPENDENCE_H
#define ML_STATISTICS_DEPENDENCE_H

#include <stdint.h>

/* Pearson's correlation of x and y over the runs in which y is not NaN; of their ranks
 * Spearman's. NaN where x or y is the same in all runs.
 *   x, y  [n] x not NaN */
double ml_pearson(const double *x, const double *y, int64_t n);

/* Ranks of numbers among the runs in which y is not NaN, of their ranks among all runs; equal
 * numbers have the mean of their ranks.
 *   ranks   [n] among all: multiples of a half
 *   among   [n] out
 *   counts  [2 n + 1] */
void ml_ranks_among(const double *ranks, const double *y, int64_t n, double *among,
                    int64_t *counts);

#endif
