/* Ascending order of numbers, and their ranks. */
#ifndef ML_STATISTICS_ORDER_H
#define ML_STATISTICS_ORDER_H

#include <stdint.h>

/* A number while it is sorted: bits in the order of the numbers, and its place. */
struct ml_order_key {
    uint64_t bits;
    int64_t place;
};

/* Places of the numbers in ascending order, equal numbers in the order of their places.
 *   values  [n]; NaN are last, -0 is below 0
 *   order   [n] out
 *   work    [2 n] */
void ml_order_find(const double *values, int64_t n, int64_t *order, struct ml_order_key *work);

/* Ranks 1 .. n of the numbers; equal numbers have the mean of their ranks, NaN the rank NaN.
 *   values, order  [n] numbers and their order
 *   ranks          [n] out, may be values */
void ml_order_ranks(const double *values, const int64_t *order, int64_t n, double *ranks);

#endif
