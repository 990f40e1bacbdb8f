/* Arc sine and arc cosine on lanes. */
#ifndef ML_SIMD_ASIN_H
#define ML_SIMD_ASIN_H

#include "simd/atan.h"

/* asin |x| for |x| <= 1/2; half of acos |x|, which is asin s with s^2 = (1 - |x|)/2, above, where
 * *is_upper; NaN beyond 1.
 * asin s = s + s^3 (A1 + A2 s^2 + ...) for s <= 1/2, truncation below 2^-57 of it:
 * minimax (Remez; tests/reference/minimax.py). */
ML_INLINE struct ml_pair ml_asin_half(ml_vec x, ml_mask *is_upper)
{
    ml_vec size = ml_abs(x);
    *is_upper = (ml_mask)(size > 0.5);
    ml_vec z = ml_select(*is_upper, 0.5 * (1.0 - size), size * size), root = ml_sqrt(z);
    ml_vec rest = 0.5 * ml_fnma(root, root, z) / root; /* of the root */
    rest = ml_select(*is_upper & (ml_mask)(z != 0.0), rest, ml_splat(0.0));
    ml_vec s = ml_select(*is_upper, root, size);
    ml_vec p = ml_fma(ml_splat(0x1.0b470235b423dp-5), z, ml_splat(-0x1.57fda34822ce0p-6));
    p = ml_fma(p, z, ml_splat(0x1.639c4aa6d28dap-6));
    p = ml_fma(p, z, ml_splat(0x1.e5f65a973f548p-9));
    p = ml_fma(p, z, ml_splat(0x1.613c7e1502be9p-7));
    p = ml_fma(p, z, ml_splat(0x1.75858c04c0a54p-7));
    p = ml_fma(p, z, ml_splat(0x1.ca1f8d2e47b8bp-7));
    p = ml_fma(p, z, ml_splat(0x1.1c49f05f29a89p-6));
    p = ml_fma(p, z, ml_splat(0x1.6e8bdee0278cfp-6));
    p = ml_fma(p, z, ml_splat(0x1.f1c71a94f36f2p-6));
    p = ml_fma(p, z, ml_splat(0x1.6db6db7212678p-5));
    p = ml_fma(p, z, ml_splat(0x1.333333332e131p-4));
    p = ml_fma(p, z, ml_splat(0x1.5555555555577p-3));
    return (struct ml_pair){s, ml_fma(s * z, p, rest)};
}

/* asin x in [-pi/2, pi/2], < 1 ulp; NaN for |x| > 1 and NaN. */
ML_INLINE ml_vec ml_asin(ml_vec x)
{
    ml_mask is_upper;
    struct ml_pair t = ml_asin_half(x, &is_upper);
    ml_vec n = ml_select(is_upper, ml_splat(2.0), ml_splat(0.0));
    ml_vec factor = ml_select(is_upper, ml_splat(2.0), ml_splat(1.0));
    t = (struct ml_pair){factor * t.high, factor * t.low};
    return ml_copysign(ml_eighths_and(n, is_upper, t), x);
}

/* acos x in [0, pi], < 1 ulp; NaN for |x| > 1 and NaN. */
ML_INLINE ml_vec ml_acos(ml_vec x)
{
    ml_mask is_upper, is_back = (ml_mask)(x < 0.0);
    struct ml_pair t = ml_asin_half(x, &is_upper);
    ml_vec n = ml_select(is_upper, ml_select(is_back, ml_splat(4.0), ml_splat(0.0)), ml_splat(2.0));
    ml_vec factor = ml_select(is_upper, ml_splat(2.0), ml_splat(1.0));
    t = (struct ml_pair){factor * t.high, factor * t.low};
    return ml_eighths_and(n, ~(is_upper ^ is_back), t);
}

#endif
