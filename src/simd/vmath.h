/* Elementary functions on lanes. */
#ifndef ML_SIMD_VMATH_H
#define ML_SIMD_VMATH_H

#include "simd/lanes.h"
#include "simd/trig.h"

/* |x| up to which three terms of pi/2 leave the reduced angle correct to its last bit. */
#define ML_ANGLE_FAST 1e5

/* Replaces the lanes of *sine and *cosine whose |x| is beyond ML_ANGLE_FAST. */
ML_RARE __attribute__((cold)) void ml_sincos_large_lanes(const ml_vec *x, ml_vec *sine,
                                                         ml_vec *cosine)
{
    for (int l = 0; l < ML_WIDTH; l++)
        if (!(fabs((*x)[l]) <= ML_ANGLE_FAST)) {
            const struct ml_sincos_large far = ml_sincos_large((*x)[l]);
            (*sine)[l] = far.sine;
            (*cosine)[l] = far.cosine;
        }
}

/* sine and cosine of one vector for |x| <= ML_ANGLE_FAST, anything beyond.
 * Cody-Waite reduction shared by both: x = q pi/2 + r, |r| <= pi/4. The first fma is exact (x and
 * q pi/2 agree in their leading bits), the others round r once each. */
ML_INLINE void ml_sincos_near(ml_vec x, ml_vec *sine, ml_vec *cosine)
{
    const double to_integer = 0x1.8p52; /* adding it rounds to an integer, kept in the low bits */
    ml_vec shifted = ml_fma(x, ml_splat(ML_TWO_OVER_PI), ml_splat(to_integer));
    ml_vec q = shifted - to_integer;
    ml_vec r = ml_fnma(q, ml_splat(ML_HALF_PI_1), x);
    r = ml_fnma(q, ml_splat(ML_HALF_PI_2), r);
    r = ml_fnma(q, ml_splat(ML_HALF_PI_3), r);

    ml_vec z = r * r;
    ml_vec s = ml_fma(ml_splat(ML_SIN_6), z, ml_splat(ML_SIN_5));
    s = ml_fma(s, z, ml_splat(ML_SIN_4));
    s = ml_fma(s, z, ml_splat(ML_SIN_3));
    s = ml_fma(s, z, ml_splat(ML_SIN_2));
    s = ml_fma(s, z, ml_splat(ML_SIN_1));
    s = ml_fma(s, r * z, r);
    ml_vec c = ml_fma(ml_splat(ML_COS_6), z, ml_splat(ML_COS_5));
    c = ml_fma(c, z, ml_splat(ML_COS_4));
    c = ml_fma(c, z, ml_splat(ML_COS_3));
    c = ml_fma(c, z, ml_splat(ML_COS_2));
    c = ml_fma(c, z, ml_splat(ML_COS_1));
    c = ml_fma(c, z * z, ml_fma(ml_splat(-0.5), z, ml_splat(1.0)));

    /* Quadrant k: (sin, cos) = (s, c), (c, -s), (-s, -c), (-c, s) for k mod 4 = 0..3. */
    ml_mask k = (ml_mask)shifted;
    ml_mask odd = -(k & 1);
    ml_mask sign_of_sine = (k & 2) << 62;
    ml_mask sign_of_cosine = ((k + 1) & 2) << 62;
    *sine = (ml_vec)((ml_mask)ml_select(odd, c, s) ^ sign_of_sine);
    *cosine = (ml_vec)((ml_mask)ml_select(odd, s, c) ^ sign_of_cosine);
}

/* sine and cosine of x [n] rad, <= 2 ulp; NaN where x is not finite or |x| > ML_ANGLE_MAX. */
ML_INLINE void ml_sincos(int n, const ml_vec *x, ml_vec *sine, ml_vec *cosine)
{
    ml_mask near = ml_within(x[0], ML_ANGLE_FAST);
    for (int i = 0; i < n; i++) {
        near &= ml_within(x[i], ML_ANGLE_FAST);
        ml_sincos_near(x[i], &sine[i], &cosine[i]);
    }
    if (__builtin_expect(ml_bits(~near) != 0, 0))
        for (int i = 0; i < n; i++)
            ml_sincos_large_lanes(&x[i], &sine[i], &cosine[i]);
}

/* Turns (sine, cosine) of an angle by d, |d| <= ML_INCREMENT_MAX, in place: 12 operations instead
 * of the 30 of ml_sincos_near. The absolute error on top of the given sine's own is
 * below 2.1e-16: 3.6e-17 left out by the polynomials, 1e-17 from rounding the small terms, 1.1e-16
 * (where it passes 1) and 5.6e-17 from the two sums. (Relative accuracy near the zeros is not kept;
 * terms of a force add up with others of order 1.) */
ML_INLINE void ml_sincos_update(ml_vec d, ml_vec *sine, ml_vec *cosine)
{
    ml_vec z = d * d, s = *sine, c = *cosine;
    ml_vec p = ml_fma(ml_splat(ML_INCREMENT_SIN_3), z, ml_splat(ML_INCREMENT_SIN_2));
    p = ml_fma(p, z, ml_splat(ML_INCREMENT_SIN_1));
    ml_vec increment_s = ml_fma(d * z, p, d);
    ml_vec q = ml_fma(ml_splat(ML_INCREMENT_COS_4), z, ml_splat(ML_INCREMENT_COS_3));
    q = ml_fma(q, z, ml_splat(ML_INCREMENT_COS_2));
    q = ml_fma(q, z, ml_splat(-0.5));
    ml_vec increment_c = z * q; /* cos d - 1 */
    *sine = ml_fma(s, increment_c, ml_fma(c, increment_s, s));
    *cosine = ml_fma(c, increment_c, ml_fnma(s, increment_s, c));
}

#endif
