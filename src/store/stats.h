/* Minimum, median and maximum of the finite values of a dataset. */
#ifndef ML_STORE_STATS_H
#define ML_STORE_STATS_H

#include "store/h5.h"

struct ml_stats {
    bool is_known;    /* false: too many values, or none is finite */
    bool is_too_many; /* of the two it is this */
    double min, median, max;
    unsigned long long n_finite;
};

/* Sorts the finite ones of n values to the front. */
struct ml_stats ml_stats_of_values(double *values, unsigned long long n);

struct ml_stats ml_stats_of(struct ml_h5 *h5, hid_t dataset);

#endif
