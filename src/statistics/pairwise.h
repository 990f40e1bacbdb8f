/* Pairwise summation: the order of the additions depends on the number of terms alone, and the
 * rounding error grows with its logarithm (Higham, SIAM J. Sci. Comput. 14, 783, 1993). */
#ifndef ML_STATISTICS_PAIRWISE_H
#define ML_STATISTICS_PAIRWISE_H

#include <stdint.h>

/* A sum; {0} of no term. partial[k] is the sum of 2^j terms for the k-th highest set bit j of n. */
struct ml_pairwise {
    double partial[64];
    uint64_t n;
    int depth;
};

static inline void ml_pairwise_add(struct ml_pairwise *sum, double term)
{
    for (uint64_t n = sum->n++; n & 1; n >>= 1)
        term += sum->partial[--sum->depth];
    sum->partial[sum->depth++] = term;
}

static inline double ml_pairwise_total(const struct ml_pairwise *sum)
{
    double total = 0.0;
    for (int k = sum->depth; k > 0; k--)
        total += sum->partial[k - 1];
    return total;
}

#endif
