/* Probabilities estimated from counts. */
#ifndef ML_STATISTICS_PROPORTION_H
#define ML_STATISTICS_PROPORTION_H

#include <stdint.h>

struct ml_proportion {
    double value, low, high; /* NaN of no trial */
};

/* The part of n independent trials that succeeded, with Wilson's interval of 95 % (J. Am. Stat.
 * Assoc. 22, 209, 1927): the probabilities p with |value - p| <= z sqrt(p (1 - p) / n). */
struct ml_proportion ml_proportion_find(int64_t successes, int64_t n);

#endif
