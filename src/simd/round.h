/* Whole parts, remainders, signs, and the lesser of two numbers, on lanes. All exact. */
#ifndef ML_SIMD_ROUND_H
#define ML_SIMD_ROUND_H

#include "simd/lanes.h"

/* |size| with the sign of `sign`, of zeros and NaN too. */
ML_INLINE ml_vec ml_copysign(ml_vec size, ml_vec sign)
{
    return (ml_vec)(((ml_mask)size & INT64_MAX) | ((ml_mask)sign & INT64_MIN));
}

/* Largest integer <= x; x itself where it is infinite or NaN. -0 stays -0. */
ML_INLINE ml_vec ml_floor(ml_vec x)
{
    ml_vec size = ml_abs(x), nearest = ml_copysign((size + 0x1p52) - 0x1p52, x);
    ml_vec y = ml_select((ml_mask)(nearest > x), nearest - 1.0, nearest);
    return ml_select((ml_mask)(size < 0x1p52), y, x);
}

/* -1, 0 or 1; x itself where it is 0 or NaN. */
ML_INLINE ml_vec ml_sign(ml_vec x)
{
    return ml_select((ml_mask)(x > 0.0), ml_splat(1.0),
                     ml_select((ml_mask)(x < 0.0), ml_splat(-1.0), x));
}

/* Where min(a, b) is a: where a < b, or a is NaN, which is handed on. Likewise max(a, b). */
ML_INLINE ml_mask ml_is_lesser(ml_vec a, ml_vec b) { return (ml_mask)(a < b) | (ml_mask)(a != a); }
ML_INLINE ml_mask ml_is_greater(ml_vec a, ml_vec b) { return (ml_mask)(a > b) | (ml_mask)(a != a); }

/* min(a, b) and max(a, b), NaN where either is; b where they are equal. */
ML_INLINE ml_vec ml_lesser(ml_vec a, ml_vec b) { return ml_select(ml_is_lesser(a, b), a, b); }
ML_INLINE ml_vec ml_greater(ml_vec a, ml_vec b) { return ml_select(ml_is_greater(a, b), a, b); }

/* Replaces the lanes of *rest that are not near by x mod y, both >= 0; fmod is exact everywhere. */
static __attribute__((noinline, cold, unused)) void
ml_mod_large_lanes(const ml_mask *near, const ml_vec *x, const ml_vec *y, ml_vec *rest)
{
    for (int l = 0; l < ML_WIDTH; l++)
        if (!(*near)[l])
            (*rest)[l] = fmod((*x)[l], (*y)[l]);
}

/* x - y floor(x/y) as Python's % has it: the exact remainder in [0, |y|) with the sign of y, zeros
 * too. Where x and y have different signs y is added to the exact remainder of |x|, which rounds.
 * NaN for y = 0 and infinite x; x mod inf is x, or inf where the signs differ.
 * With t the whole part of the rounded quotient, at most 1 too large, x - t y is a multiple of the
 * last place of y and not larger than y: the fma is exact. */
ML_INLINE ml_vec ml_mod(ml_vec x, ml_vec y)
{
    ml_vec a = ml_abs(x), b = ml_abs(y), quotient = a / b, whole = ml_floor(quotient);
    ml_vec rest = ml_fnma(whole, b, a);
    rest = ml_select((ml_mask)(rest < 0.0), rest + b, rest);
    ml_mask near = (ml_mask)(quotient < 0x1p52) & (ml_mask)(b < (double)INFINITY);
    if (__builtin_expect(ml_bits(~near) != 0, 0))
        ml_mod_large_lanes(&near, &a, &b, &rest);
    ml_mask moves = ((ml_mask)(x < 0.0) ^ (ml_mask)(y < 0.0)) & (ml_mask)(rest != 0.0);
    return ml_select(moves, ml_copysign(rest, x) + y, ml_copysign(rest, y));
}

#endif
