/* Natural logarithm on lanes. */
#ifndef ML_SIMD_LOG_H
#define ML_SIMD_LOG_H

#include "simd/lanes.h"

/* ln x + more ln 2 for normal x > 0, more an integer, < 1 ulp.
 * x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); with s = f/(2 + f), ln(1 + f) = 2 artanh s.
 * Method and coefficients (|error| < 2^-58.45) are those of fdlibm's e_log.c (Sun Microsystems,
 * 1993). */
ML_INLINE ml_vec ml_log_normal(ml_vec x, ml_vec more)
{
    const int64_t half_root = 0x3fe6a09e667f3bcd; /* bits of sqrt(1/2) */
    const int64_t integer = 0x4338000000000000;   /* bits of 1.5 2^52: in the low bits an integer */
    ml_mask k = ((ml_mask)x - half_root) >> 52;
    ml_vec f = (ml_vec)((ml_mask)x - (k << 52)) - 1.0, n = (ml_vec)(k + integer) - 0x1.8p52 + more;
    ml_vec s = f / (f + 2.0), z = s * s, half_square = 0.5 * f * f;
    ml_vec r = ml_fma(ml_splat(0x1.2f112df3e5244p-3), z, ml_splat(0x1.39a09d078c69fp-3));
    r = ml_fma(r, z, ml_splat(0x1.7466496cb03dep-3));
    r = ml_fma(r, z, ml_splat(0x1.c71c51d8e78afp-3));
    r = ml_fma(r, z, ml_splat(0x1.2492494229359p-2));
    r = ml_fma(r, z, ml_splat(0x1.999999997fa04p-2));
    r = ml_fma(r, z, ml_splat(0x1.5555555555593p-1));
    r = z * r;
    ml_vec small = ml_fma(s, half_square + r, n * 0x1.a39ef35793c76p-33); /* k ln 2, low part */
    return ml_fma(n, ml_splat(0x1.62e42feep-1), f - (half_square - small));
}

/* y, which is ln x for x > 0, and the logarithm of other x; numbers below `least` count as 0. */
ML_INLINE ml_vec ml_log_ends(ml_vec x, ml_vec y, double least)
{
    y = ml_select((ml_mask)(x == (double)INFINITY), x, y);
    y = ml_select((ml_mask)(x < least), ml_splat(-(double)INFINITY), y);
    return ml_select((ml_mask)(x >= 0.0), y, ml_splat((double)NAN));
}

/* ln x, < 1 ulp for normal x > 0; -inf for 0, inf for inf, NaN for x < 0 and NaN. Subnormal x count
 * as 0. */
ML_INLINE ml_vec ml_log(ml_vec x)
{
    return ml_log_ends(x, ml_log_normal(x, ml_splat(-0.0)), 0x1p-1022);
}

/* The same, for subnormal x too. */
ML_INLINE ml_vec ml_log_gradual(ml_vec x)
{
    ml_mask is_small = (ml_mask)(x < 0x1p-1022);
    ml_vec y = ml_log_normal(ml_select(is_small, x * 0x1p54, x),
                             ml_select(is_small, ml_splat(-54.0), ml_splat(0.0)));
    return ml_log_ends(x, y, 0x1p-1074);
}

#endif
