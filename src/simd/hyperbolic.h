/* Hyperbolic functions on lanes. */
#ifndef ML_SIMD_HYPERBOLIC_H
#define ML_SIMD_HYPERBOLIC_H

#include "simd/exp.h"
#include "simd/pair.h"
#include "simd/round.h"

/* e^x / 2^less for 0 <= x, as a pair correct to 2^-54 of it; not beyond 2^1023. */
ML_INLINE struct ml_pair ml_exp_pair(ml_vec x, double less)
{
    struct ml_exp_parts parts = ml_exp_reduce(x);
    struct ml_pair y = ml_pair_sum(ml_splat(1.0), ml_exp_less_one(parts.high, parts.low));
    ml_vec scale = ml_power_of_2(parts.shifted - 0x1.8p52 - less);
    return (struct ml_pair){scale * y.high, scale * y.low};
}

/* (e^|x| +- e^-|x|)/2 = 2 (E +- 1/(16 E)), E = e^|x|/4, which does not overflow before they do:
 * returns E, and 1/(16 E) to *inverse. */
ML_INLINE struct ml_pair ml_exp_quarter(ml_vec x, ml_vec *inverse)
{
    struct ml_pair e = ml_exp_pair(ml_min(ml_splat(710.5), ml_abs(x)), 2.0); /* NaN stays */
    *inverse = 0.0625 / e.high;
    return e;
}

/* cosh x, < 1.5 ulp; inf from 710.48 on. */
ML_INLINE ml_vec ml_cosh(ml_vec x)
{
    ml_vec inverse;
    struct ml_pair e = ml_exp_quarter(x, &inverse);
    return 2.0 * (e.high + (e.low + inverse));
}

/* sinh x, < 1.5 ulp; +-inf from 710.48 on.
 * x + x^3 (S1 + S2 x^2 + ...) for |x| <= 1, truncation below 2^-61 of it: minimax
 * (Remez; tests/reference/minimax.py). */
ML_INLINE ml_vec ml_sinh(ml_vec x)
{
    ml_vec z = x * x, inverse;
    ml_vec p = ml_fma(ml_splat(0x1.b5ce5f1a43c26p-41), z, ml_splat(0x1.6116e970a8036p-33));
    p = ml_fma(p, z, ml_splat(0x1.ae64700168a4cp-26));
    p = ml_fma(p, z, ml_splat(0x1.71de3a3b03b8cp-19));
    p = ml_fma(p, z, ml_splat(0x1.a01a01a03726cp-13));
    p = ml_fma(p, z, ml_splat(0x1.111111111101ep-7));
    p = ml_fma(p, z, ml_splat(0x1.5555555555556p-3));
    struct ml_pair e = ml_exp_quarter(x, &inverse);
    ml_vec y = ml_select((ml_mask)(ml_abs(x) <= 1.0), ml_fma(x * z, p, x),
                         2.0 * (e.high + (e.low - inverse)));
    return ml_copysign(y, x);
}

/* tanh x, < 1 ulp.
 * x + x^3 (T1 + T2 x^2 + ...) for |x| <= 1/2, truncation below 2^-57 of it: minimax
 * (Remez; tests/reference/minimax.py); 1 - 2/(e^2|x| + 1) beyond. */
ML_INLINE ml_vec ml_tanh(ml_vec x)
{
    ml_vec size = ml_abs(x), z = x * x, one = ml_splat(1.0);
    ml_vec p = ml_fma(ml_splat(0x1.dc89592fcaa1cp-15), z, ml_splat(-0x1.c8d7b7544f6dbp-13));
    p = ml_fma(p, z, ml_splat(0x1.31d1e12430da2p-11));
    p = ml_fma(p, z, ml_splat(-0x1.7d4930150184cp-10));
    p = ml_fma(p, z, ml_splat(0x1.d6cdfa2a6b1c5p-9));
    p = ml_fma(p, z, ml_splat(-0x1.226e1641d537cp-7));
    p = ml_fma(p, z, ml_splat(0x1.664f47b4ebaffp-6));
    p = ml_fma(p, z, ml_splat(-0x1.ba1ba1b70b473p-5));
    p = ml_fma(p, z, ml_splat(0x1.111111110e2bfp-3));
    p = ml_fma(p, z, ml_splat(-0x1.5555555555537p-2));
    struct ml_pair e = ml_exp_pair(ml_min(ml_splat(40.0), 2.0 * size), 0.0); /* NaN stays */
    struct ml_pair sum = ml_pair_sum(e.high, one), two = {ml_splat(2.0), ml_splat(0.0)};
    struct ml_pair q = ml_pair_quotient(two, (struct ml_pair){sum.high, sum.low + e.low});
    struct ml_pair rest = ml_pair_sum(one, -q.high);
    ml_vec y =
        ml_select((ml_mask)(size <= 0.5), ml_fma(x * z, p, x), rest.high + (rest.low - q.low));
    return ml_copysign(y, x);
}

#endif
