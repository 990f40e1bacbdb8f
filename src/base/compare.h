/* Orders of numbers, for qsort and bsearch. */
#ifndef ML_BASE_COMPARE_H
#define ML_BASE_COMPARE_H

/* Order doubles without NaN, and int64_t, ascending. */
int ml_compare_double(const void *a, const void *b);
int ml_compare_int64(const void *a, const void *b);

#endif
