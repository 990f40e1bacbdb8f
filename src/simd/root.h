/* Length of a vector in the plane, and the cube root, on lanes. */
#ifndef ML_SIMD_ROOT_H
#define ML_SIMD_ROOT_H

#include "simd/pair.h"
#include "simd/round.h"

/* sqrt(x^2 + y^2), < 1 ulp, without overflow or underflow on the way; inf where either is infinite,
 * else NaN where either is NaN. */
ML_INLINE ml_vec ml_hypot(ml_vec x, ml_vec y)
{
    ml_vec a = ml_max(ml_abs(x), ml_abs(y)), b = ml_min(ml_abs(x), ml_abs(y));
    ml_mask is_large = (ml_mask)(a > 0x1p500), is_small = (ml_mask)(a < 0x1p-500);
    ml_vec scale = ml_select(is_large, ml_splat(0x1p-600),
                             ml_select(is_small, ml_splat(0x1p600), ml_splat(1.0)));
    ml_vec back = ml_select(is_large, ml_splat(0x1p600),
                            ml_select(is_small, ml_splat(0x1p-600), ml_splat(1.0)));
    a *= scale;
    b *= scale;
    ml_vec length = ml_sqrt(ml_fma(a, a, b * b)) * back;
    length = ml_select((ml_mask)(x == x) & (ml_mask)(y == y), length, x + y);
    ml_mask is_inf =
        (ml_mask)(ml_abs(x) == (double)INFINITY) | (ml_mask)(ml_abs(y) == (double)INFINITY);
    return ml_select(is_inf, ml_splat((double)INFINITY), length);
}

/* Cube root, < 1 ulp; x itself where it is 0, infinite or NaN.
 * |x| = 8^q w, w = m 2^(-1, 0 or 1), 1 <= m < 2. A polynomial gives the root of m to 2^-16, a step
 * of Halley's method that of w to 2^-49, and a step of Newton's with the residue w - y^3 in twice
 * the precision the rest; its quotient, 1/(3 w), is known from the step before. */
ML_INLINE ml_vec ml_cbrt(ml_vec x)
{
    const int64_t one = 0x3ff0000000000000, integer = 0x4338000000000000; /* 1.0, 1.5 2^52 */
    const double to_integer = 0x1.8p52;
    ml_mask is_small = (ml_mask)(ml_abs(x) < 0x1p-1022);
    ml_vec size = ml_select(is_small, ml_abs(x) * 0x1p54, ml_abs(x));
    ml_vec n = (ml_vec)((((ml_mask)size - one) >> 52) + integer) - to_integer;
    ml_vec m = (ml_vec)(((ml_mask)size & 0x000fffffffffffff) | one);
    ml_vec shifted = ml_fma(n, ml_splat(1.0 / 3.0), ml_splat(to_integer));
    ml_vec over = ml_fnma(shifted - to_integer, ml_splat(3.0), n);
    ml_mask is_half = (ml_mask)(over < 0.0), is_twice = (ml_mask)(over > 0.0);
    ml_vec w = ml_select(is_half, 0.5 * m, ml_select(is_twice, 2.0 * m, m));

    ml_vec y = ml_fma(ml_splat(-0x1.5b76be2d4f379p-7), m, ml_splat(0x1.60a074b94fddep-4));
    y = ml_fma(y, m, ml_splat(-0x1.33d30fae079c2p-2));
    y = ml_fma(y, m, ml_splat(0x1.6fb1aaf75234ap-1));
    y = ml_fma(y, m, ml_splat(0x1.0392de35af890p-1));
    y *= ml_select(is_half, ml_splat(0x1.965fea53d6e3dp-1),
                   ml_select(is_twice, ml_splat(0x1.428a2f98d728bp+0), ml_splat(1.0)));
    ml_vec cube = y * y * y, quotient = 1.0 / (2.0 * cube + w);
    y = ml_fma(y * quotient, w - cube, y);
    struct ml_pair square = ml_pair_product(y, y);
    ml_vec residue = ml_fnma(square.low, y, ml_fnma(square.high, y, w));
    y = ml_fma(y * quotient, residue, y);

    y = (ml_vec)((ml_mask)y + ((ml_mask)shifted << 52)); /* 2^q y */
    y = ml_copysign(ml_select(is_small, y * 0x1p-18, y), x);
    return ml_select((ml_mask)(size > 0.0) & (ml_mask)(size < (double)INFINITY), y, x);
}

#endif
