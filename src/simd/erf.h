/* Error function on lanes. */
#ifndef ML_SIMD_ERF_H
#define ML_SIMD_ERF_H

#include "simd/exp.h"
#include "simd/round.h"

/* erf(x) / x - 1 for |x| <= 1, z = x^2. */
ML_INLINE ml_vec ml_erf_near(ml_vec z)
{
    ml_vec p = ml_fma(ml_splat(-0x1.a248d0b866f36p-31), z, ml_splat(0x1.d3e0d940bebcap-27));
    p = ml_fma(p, z, ml_splat(-0x1.5b8cd2b8db4b5p-23));
    p = ml_fma(p, z, ml_splat(0x1.b96b658a4cfe0p-20));
    p = ml_fma(p, z, ml_splat(-0x1.f4c8302f43947p-17));
    p = ml_fma(p, z, ml_splat(0x1.f9a296c3f3afap-14));
    p = ml_fma(p, z, ml_splat(-0x1.c02daeb77fbd0p-11));
    p = ml_fma(p, z, ml_splat(0x1.565bcceedc6ddp-8));
    p = ml_fma(p, z, ml_splat(-0x1.b82ce311a9876p-6));
    p = ml_fma(p, z, ml_splat(0x1.ce2f21a03f8bap-4));
    p = ml_fma(p, z, ml_splat(-0x1.812746b03799dp-2));
    p = ml_fma(p, z, ml_splat(0x1.06eba8214db68p-3));
    return p;
}

/* e^x^2 (1 - erf x) for 1 <= x <= 6, u = (x - 2)/(x + 2). */
ML_INLINE ml_vec ml_erf_far(ml_vec u)
{
    ml_vec p = ml_fma(ml_splat(-0x1.b26726ca37f3ap-18), u, ml_splat(-0x1.54377ca39ab92p-16));
    p = ml_fma(p, u, ml_splat(-0x1.ecf9cfc3303e2p-16));
    p = ml_fma(p, u, ml_splat(0x1.d01f61a0ee1dbp-16));
    p = ml_fma(p, u, ml_splat(0x1.6e04538782cc1p-13));
    p = ml_fma(p, u, ml_splat(0x1.6d8a27856d9c7p-15));
    p = ml_fma(p, u, ml_splat(-0x1.016ba22552dedp-10));
    p = ml_fma(p, u, ml_splat(-0x1.bc25c67bcc20cp-11));
    p = ml_fma(p, u, ml_splat(0x1.ca95ed40d4136p-8));
    p = ml_fma(p, u, ml_splat(0x1.e94715ac5d9c3p-9));
    p = ml_fma(p, u, ml_splat(-0x1.437f0b68b6bcap-4));
    p = ml_fma(p, u, ml_splat(0x1.eeea7dc8a7863p-3));
    p = ml_fma(p, u, ml_splat(-0x1.b57034efd3f72p-2));
    p = ml_fma(p, u, ml_splat(0x1.058671b52c776p-2));
    return p;
}

/* erf x = 2/sqrt(pi) times the integral of e^-t^2 from 0 to x, < 1 ulp; NaN for NaN.
 * Both polynomials are minimax (Remez; tests/reference/minimax.py), with an error below 2^-56 of
 * erf in the first, 2^-57 in the second; beyond 5.93 erf rounds to 1. */
ML_INLINE ml_vec ml_erf(ml_vec x)
{
    ml_vec size = ml_min(ml_splat(6.0), ml_abs(x)); /* NaN stays */
    ml_vec tail = ml_exp(-(size * size)) * ml_erf_far((size - 2.0) / (size + 2.0));
    ml_vec y = ml_select((ml_mask)(ml_abs(x) <= 1.0), ml_fma(x, ml_erf_near(x * x), x), 1.0 - tail);
    return ml_copysign(y, x);
}

#endif
