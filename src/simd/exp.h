/* Exponential function on lanes. */
#ifndef ML_SIMD_EXP_H
#define ML_SIMD_EXP_H

#include "simd/lanes.h"

/* e^x is taken apart as 2^n e^(high - low), |high - low| <= ln 2 / 2. */
struct ml_exp_parts {
    ml_vec shifted; /* n, in the low bits: 1.5 2^52 + n */
    ml_vec high, low;
};

ML_INLINE struct ml_exp_parts ml_exp_reduce(ml_vec x)
{
    const double to_integer = 0x1.8p52; /* adding it rounds to an integer, kept in the low bits */
    ml_vec shifted = ml_fma(x, ml_splat(0x1.71547652b82fep+0), ml_splat(to_integer));
    ml_vec n = shifted - to_integer;
    return (struct ml_exp_parts){shifted, ml_fnma(n, ml_splat(0x1.62e42feep-1), x),
                                 n * 0x1.a39ef35793c76p-33};
}

/* e^r - 1, r = high - low, |r| <= ln 2 / 2, to 2^-54.
 * e^r = 1 + r + r c/(2 - c), r - c being an even polynomial. Method and coefficients
 * (|error| < 2^-59) are those of fdlibm's e_exp.c (Sun Microsystems, 1993). */
ML_INLINE ml_vec ml_exp_less_one(ml_vec high, ml_vec low)
{
    ml_vec r = high - low, z = r * r;
    ml_vec p = ml_fma(ml_splat(0x1.6376972bea4dp-25), z, ml_splat(-0x1.bbd41c5d26bf1p-20));
    p = ml_fma(p, z, ml_splat(0x1.1566aaf25de2cp-14));
    p = ml_fma(p, z, ml_splat(-0x1.6c16c16bebd93p-9));
    p = ml_fma(p, z, ml_splat(0x1.555555555553ep-3));
    ml_vec c = ml_fnma(z, p, r);
    return high - (low - r * c / (2.0 - c));
}

/* e^x, < 1 ulp; inf from 709.79 and 0 below -708.39 on, where it leaves the normal numbers; NaN for
 * NaN. */
ML_INLINE ml_vec ml_exp(ml_vec x)
{
    struct ml_exp_parts parts = ml_exp_reduce(x);
    ml_vec y = 1.0 + ml_exp_less_one(parts.high, parts.low);
    y = (ml_vec)((ml_mask)y + ((ml_mask)parts.shifted << 52)); /* 2^n y */
    y = ml_select((ml_mask)(x > 0x1.62e42fefa39efp+9), ml_splat((double)INFINITY), y);
    y = ml_select((ml_mask)(x < -0x1.6232bdd7abcd2p+9), ml_splat(0.0), y);
    return ml_select((ml_mask)(x == x), y, x);
}

/* e^x for |x| <= 700, < 1 ulp: without a division and without special cases, where others wait for
 * it. x = n ln 2 + r as above; e^r = 1 + r + r^2 q(r), q being minimax (|error| < 2^-56). */
ML_INLINE ml_vec ml_exp_near(ml_vec x)
{
    const double to_integer = 0x1.8p52;
    const ml_vec shifted = ml_fma(x, ml_splat(0x1.71547652b82fep+0), ml_splat(to_integer));
    const ml_vec n = shifted - to_integer;
    const ml_vec high = ml_fnma(n, ml_splat(0x1.62e42feep-1), x);
    const ml_vec r = ml_fnma(n, ml_splat(0x1.a39ef35793c76p-33), high), z = r * r, z2 = z * z;
    ml_vec a = ml_fma(ml_splat(0x1.5555555555558p-3), r, ml_splat(0x1.0000000000009p-1));
    ml_vec b = ml_fma(ml_splat(0x1.111111110f803p-7), r, ml_splat(0x1.55555555503e3p-5));
    ml_vec c = ml_fma(ml_splat(0x1.a01a01b00c2b1p-13), r, ml_splat(0x1.6c16c18601e89p-10));
    ml_vec d = ml_fma(ml_splat(0x1.71ddf6b3f4456p-19), r, ml_splat(0x1.a01993b37b05cp-16));
    ml_vec e = ml_fma(ml_splat(0x1.af632ad12f45bp-26), r, ml_splat(0x1.28b410d6e38bap-22));
    a = ml_fma(b, z, a);
    c = ml_fma(ml_fma(e, z, d), z, c);
    const ml_vec y = 1.0 + ml_fma(ml_fma(c, z2, a), z, r);
    return (ml_vec)((ml_mask)y + ((ml_mask)shifted << 52)); /* 2^n y */
}

/* 2^n for integers -1022 <= n <= 1023 */
ML_INLINE ml_vec ml_power_of_2(ml_vec n)
{
    return (ml_vec)(((ml_mask)(n + 0x1.8p52) + 1023) << 52);
}

/* 2^n y for integers |n| <= 2044, rounded once, to subnormal numbers, 0 and inf too */
ML_INLINE ml_vec ml_scale(ml_vec y, ml_vec n)
{
    ml_vec half = (0.5 * n + 0x1.8p52) - 0x1.8p52;
    return y * ml_power_of_2(half) * ml_power_of_2(n - half);
}

/* e^x, < 1 ulp, where ml_exp is 0 too: subnormal numbers are rounded once more, <= 1 ulp. Both
 * agree elsewhere. */
ML_INLINE ml_vec ml_exp_gradual(ml_vec x)
{
    x = ml_max(ml_splat(-746.0), ml_min(ml_splat(710.0), x)); /* NaN stays */
    struct ml_exp_parts parts = ml_exp_reduce(x);
    ml_vec y = 1.0 + ml_exp_less_one(parts.high, parts.low);
    return ml_scale(y, parts.shifted - 0x1.8p52);
}

#endif
