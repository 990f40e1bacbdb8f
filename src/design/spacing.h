/* Numbers between two ends. */
#ifndef ML_DESIGN_SPACING_H
#define ML_DESIGN_SPACING_H

#include <stdbool.h>
#include <stdint.h>

/* The k-th of `count` values from low to high, both ends exact: equal differences, or equal ratios
 * (ends of the same sign). The first if there is only one. */
double ml_spaced(double low, double high, int64_t count, int64_t k, bool is_log);

/* low at u = 0, towards high at u = 1: linear, or linear in the logarithm. In [low, high) for
 * 0 <= u < 1 and low < high. */
double ml_between(double low, double high, double u, bool is_log);

#endif
