/* Tangent on lanes. */
#ifndef ML_SIMD_TAN_H
#define ML_SIMD_TAN_H

#include "simd/pair.h"
#include "simd/vmath.h"

/* An angle as q pi/2 + r, |r| <= pi/4. */
struct ml_quadrant {
    struct ml_pair r;
    ml_mask is_odd; /* q is */
};

/* Replaces the lanes whose |x| is beyond ML_ANGLE_FAST. */
ML_RARE __attribute__((cold)) void ml_quadrant_large_lanes(const ml_vec *x, struct ml_quadrant *out)
{
    for (int l = 0; l < ML_WIDTH; l++)
        if (!(fabs((*x)[l]) <= ML_ANGLE_FAST)) {
            double high, low;
            out->is_odd[l] = -(int64_t)(ml_reduce_large((*x)[l], &high, &low) & 1);
            out->r.high[l] = high;
            out->r.low[l] = low;
        }
}

/* The reduction of ml_sincos_near, with its rounding errors. */
ML_INLINE struct ml_quadrant ml_quadrant(ml_vec x)
{
    const double to_integer = 0x1.8p52;
    ml_vec shifted = ml_fma(x, ml_splat(ML_TWO_OVER_PI), ml_splat(to_integer));
    ml_vec q = shifted - to_integer, first = ml_fnma(q, ml_splat(ML_HALF_PI_1), x);
    struct ml_pair second = ml_pair_product(q, ml_splat(ML_HALF_PI_2));
    struct ml_pair r = ml_pair_any_sum(first, -second.high);
    struct ml_quadrant out = {
        ml_pair_sum(r.high, ml_fnma(q, ml_splat(ML_HALF_PI_3), r.low - second.low)),
        -((ml_mask)shifted & 1)};
    if (__builtin_expect(ml_bits(~ml_within(x, ML_ANGLE_FAST)) != 0, 0))
        ml_quadrant_large_lanes(&x, &out);
    return out;
}

/* tan x, x in rad, < 1 ulp; NaN where x is not finite or |x| > ML_ANGLE_MAX.
 * The quotient of sine and cosine of r, or its negative inverse, each as a pair that is correct to
 * 2^-56 of it. */
ML_INLINE ml_vec ml_tan(ml_vec x)
{
    struct ml_quadrant at = ml_quadrant(x);
    ml_vec r = at.r.high, r_low = at.r.low;
    struct ml_pair square = ml_pair_product(r, r);
    ml_vec z = square.high, half = 0.5 * z;
    ml_vec s = ml_fma(ml_splat(ML_SIN_6), z, ml_splat(ML_SIN_5));
    s = ml_fma(s, z, ml_splat(ML_SIN_4));
    s = ml_fma(s, z, ml_splat(ML_SIN_3));
    s = ml_fma(s, z, ml_splat(ML_SIN_2));
    s = ml_fma(s, z, ml_splat(ML_SIN_1));
    struct ml_pair sine = ml_pair_sum(r, ml_fma(s, r * z, ml_fnma(r_low, half, r_low)));

    ml_vec c = ml_fma(ml_splat(ML_COS_6), z, ml_splat(ML_COS_5));
    c = ml_fma(c, z, ml_splat(ML_COS_4));
    c = ml_fma(c, z, ml_splat(ML_COS_3));
    c = ml_fma(c, z, ml_splat(ML_COS_2));
    c = ml_fma(c, z, ml_splat(ML_COS_1));
    ml_vec rest = ml_fnma(r, r_low, ml_fnma(square.low, ml_splat(0.5), c * (z * z)));
    struct ml_pair cosine = ml_pair_sum(ml_splat(1.0), -half);
    cosine = ml_pair_sum(cosine.high, cosine.low + rest);

    struct ml_pair t = ml_pair_quotient(ml_pair_select(at.is_odd, cosine, sine),
                                        ml_pair_select(at.is_odd, sine, cosine));
    ml_vec y = t.high + t.low;
    y = ml_select(at.is_odd, -y, y);
    return ml_select((ml_mask)(x == 0.0), x, y);
}

#endif
