/* Powers on lanes. */
#ifndef ML_SIMD_POW_H
#define ML_SIMD_POW_H

#include "simd/exp.h"
#include "simd/pair.h"
#include "simd/round.h"

/* artanh(s) to 2^-66 of it, |s| <= 0.1716: s + s^3/3 as pairs, and s^5 (A1 + A2 s^2 + ...), minimax
 * (Remez; tests/reference/minimax.py), truncation below 2^-73. */
ML_INLINE struct ml_pair ml_artanh_pair(struct ml_pair s)
{
    struct ml_pair z = ml_pair_product(s.high, s.high);
    z.low = ml_fma(2.0 * s.high, s.low, z.low);
    struct ml_pair cube = ml_pair_product(z.high, s.high);
    cube.low = ml_fma(z.high, s.low, ml_fma(z.low, s.high, cube.low));
    struct ml_pair third = ml_pair_product(cube.high, ml_splat(0x1.5555555555555p-2));
    third.low +=
        ml_fma(cube.low, ml_splat(0x1.5555555555555p-2), cube.high * 0x1.5555555555555p-56);
    ml_vec p = ml_fma(ml_splat(0x1.eac5a9ae8c280p-5), z.high, ml_splat(0x1.de3d73a9d642ep-5));
    p = ml_fma(p, z.high, ml_splat(0x1.11206f1d08f20p-4));
    p = ml_fma(p, z.high, ml_splat(0x1.3b1364c997fc0p-4));
    p = ml_fma(p, z.high, ml_splat(0x1.745d182955dc9p-4));
    p = ml_fma(p, z.high, ml_splat(0x1.c71c71c596901p-4));
    p = ml_fma(p, z.high, ml_splat(0x1.2492492492f51p-3));
    p = ml_fma(p, z.high, ml_splat(0x1.9999999999996p-3));
    ml_vec tail = cube.high * (z.high * p);
    struct ml_pair sum = ml_pair_sum(s.high, third.high);
    return (struct ml_pair){sum.high, sum.low + (s.low + (third.low + tail))};
}

/* ln x to 2^-65 of it, x > 0 and finite, subnormal ones too; -inf for 0 and inf for inf. Parts as
 * in simd/log.h. */
ML_INLINE struct ml_pair ml_log_pair(ml_vec x)
{
    const int64_t half_root = 0x3fe6a09e667f3bcd, integer = 0x4338000000000000;
    ml_mask is_small = (ml_mask)(x < 0x1p-1022);
    ml_vec normal = ml_select(is_small, x * 0x1p54, x);
    ml_mask k = ((ml_mask)normal - half_root) >> 52;
    ml_vec f = (ml_vec)((ml_mask)normal - (k << 52)) - 1.0;
    ml_vec n = (ml_vec)(k + integer) - 0x1.8p52;
    n = ml_select(is_small, n - 54.0, n);

    const struct ml_pair above = {f, ml_splat(0.0)};
    struct ml_pair y = ml_artanh_pair(ml_pair_quotient(above, ml_pair_sum(ml_splat(2.0), f)));
    struct ml_pair sum = ml_pair_sum(n * 0x1.62e42feep-1, 2.0 * y.high); /* the product is exact */
    sum = ml_pair_sum(sum.high, sum.low + ml_fma(n, ml_splat(0x1.a39ef35793c76p-33), 2.0 * y.low));
    sum.high = ml_select((ml_mask)(x == 0.0), ml_splat(-(double)INFINITY), sum.high);
    sum.high = ml_select((ml_mask)(x == (double)INFINITY), x, sum.high);
    return sum;
}

/* e^(y log), < 1 ulp before it is rounded to a subnormal number; log is a logarithm */
ML_INLINE ml_vec ml_exp_product(ml_vec y, struct ml_pair log)
{
    struct ml_pair p = ml_pair_product(y, log.high);
    p.low = ml_fma(y, log.low, p.low);
    p.low = ml_select((ml_mask)(ml_abs(p.high) <= 800.0), p.low, ml_splat(0.0));
    p.high = ml_max(ml_splat(-800.0), ml_min(ml_splat(800.0), p.high)); /* NaN stays */
    struct ml_exp_parts parts = ml_exp_reduce(p.high);
    return ml_scale(1.0 + ml_exp_less_one(parts.high, parts.low - p.low), parts.shifted - 0x1.8p52);
}

/* x^y from the logarithm of |x|, as ml_pow has it. */
ML_INLINE ml_vec ml_pow_of_log(ml_vec x, ml_vec y, struct ml_pair log)
{
    const ml_vec one = ml_splat(1.0);
    ml_vec size = ml_abs(x), half = 0.5 * y;
    ml_mask is_whole = (ml_mask)(ml_floor(y) == y);
    ml_mask is_odd = is_whole & (ml_mask)(ml_floor(half) != half);
    ml_vec power = ml_select((ml_mask)(size == 1.0), one, ml_exp_product(y, log));
    power = (ml_vec)((ml_mask)power ^ ((ml_mask)x & is_odd & INT64_MIN));
    ml_mask has_none = (ml_mask)(x < 0.0) & (ml_mask)(size < (double)INFINITY) & ~is_whole;
    power = ml_select(has_none, ml_splat((double)NAN), power);
    power = ml_select((ml_mask)(x == x) & (ml_mask)(y == y), power, x + y);
    return ml_select((ml_mask)(x == 1.0) | (ml_mask)(y == 0.0), one, power);
}

/* x^y, < 1 ulp, <= 1.5 of subnormal numbers. As C has it: of x < 0 a number for whole y only, else
 * NaN; x^0 = 1^y = 1, of NaN too; signs of 0^y and inf^y those of x for odd y. */
ML_INLINE ml_vec ml_pow(ml_vec x, ml_vec y) { return ml_pow_of_log(x, y, ml_log_pair(ml_abs(x))); }

#endif
