/* Orders of numbers, for qsort and bsearch. */
#ifndef ML_BASE_COMPARE_H
#define ML_BASE_COMPARE_H

#include <stdint.h>

/* Order doubles without NaN, and int64_t, ascending; or structs that begin with one. */
int ml_compare_double(const void *a, const void *b);
int ml_compare_int64(const void *a, const void *b);

/* Median of n numbers, which it sorts: the mean of the middle two; NaN without numbers. */
double ml_median(double *x, int64_t n);

#endif
