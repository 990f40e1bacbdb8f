/* Exponential function on lanes. */
#ifndef ML_SIMD_EXP_H
#define ML_SIMD_EXP_H

#include "simd/lanes.h"

/* e^x, < 1 ulp; inf from 709.79 and 0 below -708.39 on, where it leaves the normal numbers; NaN for
 * NaN.
 * x = n ln 2 + r, |r| <= ln 2 / 2; e^r = 1 + r + r c/(2 - c), r - c being an even polynomial.
 * Method and coefficients (|error| < 2^-59) are those of fdlibm's e_exp.c (Sun Microsystems,
 * 1993). */
ML_INLINE ml_vec ml_exp(ml_vec x)
{
    const double to_integer = 0x1.8p52; /* adding it rounds to an integer, kept in the low bits */
    ml_vec shifted = ml_fma(x, ml_splat(0x1.71547652b82fep+0), ml_splat(to_integer));
    ml_vec n = shifted - to_integer;
    ml_vec high = ml_fnma(n, ml_splat(0x1.62e42feep-1), x), low = n * 0x1.a39ef35793c76p-33;
    ml_vec r = high - low, z = r * r;
    ml_vec p = ml_fma(ml_splat(0x1.6376972bea4dp-25), z, ml_splat(-0x1.bbd41c5d26bf1p-20));
    p = ml_fma(p, z, ml_splat(0x1.1566aaf25de2cp-14));
    p = ml_fma(p, z, ml_splat(-0x1.6c16c16bebd93p-9));
    p = ml_fma(p, z, ml_splat(0x1.555555555553ep-3));
    ml_vec c = ml_fnma(z, p, r);
    ml_vec y = 1.0 - ((low - r * c / (2.0 - c)) - high);
    y = (ml_vec)((ml_mask)y + ((ml_mask)shifted << 52)); /* 2^n y */
    y = ml_select((ml_mask)(x > 0x1.62e42fefa39efp+9), ml_splat((double)INFINITY), y);
    y = ml_select((ml_mask)(x < -0x1.6232bdd7abcd2p+9), ml_splat(0.0), y);
    return ml_select((ml_mask)(x == x), y, x);
}

#endif
