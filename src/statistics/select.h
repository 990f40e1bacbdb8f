/* Order statistics of some ranks without sorting all numbers. */
#ifndef ML_STATISTICS_SELECT_H
#define ML_STATISTICS_SELECT_H

#include <stdint.h>

/* Moves the numbers so that those at `ranks` are in the places that sorting would give them:
 * Hoare's FIND (Comm. ACM 4, 321, 1961) for several ranks at once, in O(n log n_rank) comparisons
 * on average, whatever the order of the numbers.
 *   values  [n] without NaN
 *   ranks   [n_rank] in 0 .. n - 1, ascending, of which equal ranks are allowed */
void ml_select(double *values, int64_t n, const int64_t *ranks, int n_rank);

/* The number of rank n / 2, n >= 1: the upper of two in the middle. Moves the numbers as
 * ml_select. */
double ml_upper_median(double *values, int64_t n);

#endif
