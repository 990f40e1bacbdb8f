/* Frequencies of a response, in equal ratios. */
#ifndef ML_ANALYSIS_FREQUENCIES_H
#define ML_ANALYSIS_FREQUENCIES_H

#include <math.h>

/* The i-th of n, rad/s. In long double, the C library's powers do not depend on the instruction
 * set. */
static inline double ml_frequency(double first, double last, int n, int i)
{
    const long double ratio = (long double)last / first;
    return i == n - 1 ? last : (double)(first * powl(ratio, (long double)i / (n - 1)));
}

#endif
