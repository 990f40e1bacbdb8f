/* Sums and products of doubles without their rounding errors: as a pair, the rounded value and
 * its rounding error (Dekker 1971, Knuth). On lanes. */
#ifndef ML_SIMD_PAIR_H
#define ML_SIMD_PAIR_H

#include "simd/lanes.h"

struct ml_pair {
    ml_vec high, low;
};

/* a + b for |a| >= |b|, or a = 0 */
ML_INLINE struct ml_pair ml_pair_sum(ml_vec a, ml_vec b)
{
    ml_vec s = a + b;
    return (struct ml_pair){s, b - (s - a)};
}

/* a + b, whichever is larger */
ML_INLINE struct ml_pair ml_pair_any_sum(ml_vec a, ml_vec b)
{
    ml_vec s = a + b, t = s - a;
    return (struct ml_pair){s, (a - (s - t)) + (b - t)};
}

/* a b */
ML_INLINE struct ml_pair ml_pair_product(ml_vec a, ml_vec b)
{
    ml_vec p = a * b;
    return (struct ml_pair){p, ml_fma(a, b, -p)};
}

/* a / b: the rounded quotient, and the rest to 50 bits */
ML_INLINE struct ml_pair ml_pair_quotient(struct ml_pair a, struct ml_pair b)
{
    ml_vec q = a.high / b.high;
    return (struct ml_pair){q, (ml_fnma(q, b.low, ml_fnma(q, b.high, a.high) + a.low)) / b.high};
}

ML_INLINE struct ml_pair ml_pair_select(ml_mask m, struct ml_pair yes, struct ml_pair no)
{
    return (struct ml_pair){ml_select(m, yes.high, no.high), ml_select(m, yes.low, no.low)};
}

#endif
