/* Mean, standard deviation and ends of numbers. */
#ifndef ML_STATISTICS_MOMENTS_H
#define ML_STATISTICS_MOMENTS_H

#include <stdint.h>

struct ml_moments {
    int64_t n;
    double mean; /* NaN of no number */
    double sd;   /* square root of the sum of squares about the mean / (n - 1); NaN of one number */
    double standard_error; /* of the mean: sd / sqrt(n) */
    double min, max;       /* NaN of no number */
};

/*   values  [n] finite; sums are pairwise in this order */
struct ml_moments ml_moments_find(const double *values, int64_t n);

/* A power of two by which numbers from min to max are multiplied, without a rounding, so that their
 * squares neither over- nor underflow. */
double ml_safe_scale(double min, double max);

/* Moves the finite numbers to the front, in their order; returns how many. */
int64_t ml_finite_pack(double *values, int64_t n);

#endif
