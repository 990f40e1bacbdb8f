/* Arc tangents on lanes. */
#ifndef ML_SIMD_ATAN_H
#define ML_SIMD_ATAN_H

#include "simd/pair.h"
#include "simd/round.h"
#include "simd/trig.h"

/* n pi/4 + t, or n pi/4 - t where is_minus, for n = 0 .. 4, with one rounding; t >= 0 as a pair. */
ML_INLINE ml_vec ml_eighths_and(ml_vec n, ml_mask is_minus, struct ml_pair t)
{
    struct ml_pair base = ml_pair_product(n, ml_splat(ML_HALF_PI_1 / 2.0));
    ml_vec high = ml_select(is_minus, -t.high, t.high), low = ml_select(is_minus, -t.low, t.low);
    struct ml_pair sum = ml_pair_sum(base.high, high);
    ml_vec rest = ml_fma(n, ml_splat(ML_HALF_PI_2 / 2.0), base.low);
    return sum.high + (sum.low + (rest + low));
}

/* The angle, in [0, pi/4], of the tangent n/d, 0 <= n <= d, d > 0: *t, and pi/4 to be added where
 * the mask that is returned says so. For n/d > tan(pi/8) the tangent of t is (n - d)/(n + d).
 * atan t = t + t^3 (A1 + A2 t^2 + ...) for |t| <= tan(pi/8), truncation below 2^-58 of
 * it: minimax (Remez), each coefficient rounded and those after it fitted again
 * (tests/reference/minimax.py). */
ML_INLINE ml_mask ml_atan_eighth(ml_vec n, ml_vec d, struct ml_pair *t)
{
    ml_mask is_upper = (ml_mask)(n > d * 0x1.a827999fcef32p-2);
    const struct ml_pair above = {n, ml_splat(0.0)}, below = {d, ml_splat(0.0)};
    struct ml_pair q = ml_pair_quotient(ml_pair_select(is_upper, ml_pair_sum(-d, n), above),
                                        ml_pair_select(is_upper, ml_pair_sum(d, n), below));
    ml_vec z = q.high * q.high;
    ml_vec p = ml_fma(ml_splat(-0x1.2598a6761b5a8p-6), z, ml_splat(0x1.37e2592097df3p-5));
    p = ml_fma(p, z, ml_splat(-0x1.9cd53b10c3989p-5));
    p = ml_fma(p, z, ml_splat(0x1.df0f7b0fca4dbp-5));
    p = ml_fma(p, z, ml_splat(-0x1.10ebb83f2658dp-4));
    p = ml_fma(p, z, ml_splat(0x1.3b111906388c0p-4));
    p = ml_fma(p, z, ml_splat(-0x1.745cf8db68525p-4));
    p = ml_fma(p, z, ml_splat(0x1.c71c70e608291p-4));
    p = ml_fma(p, z, ml_splat(-0x1.24924922ad512p-3));
    p = ml_fma(p, z, ml_splat(0x1.9999999995869p-3));
    p = ml_fma(p, z, ml_splat(-0x1.555555555553dp-2));
    *t = (struct ml_pair){q.high, ml_fma(q.high * z, p, q.low)};
    return is_upper;
}

/* atan x in [-pi/2, pi/2], < 1 ulp; NaN for NaN. */
ML_INLINE ml_vec ml_atan(ml_vec x)
{
    ml_vec size = ml_abs(x), one = ml_splat(1.0);
    ml_mask is_steep = (ml_mask)(size > 1.0);
    ml_vec d = ml_select(is_steep, ml_min(size, ml_splat(0x1p100)), one); /* the angle is pi/2 */
    struct ml_pair t;
    ml_vec n = ml_select(ml_atan_eighth(ml_select(is_steep, one, size), d, &t), one, ml_splat(0.0));
    return ml_copysign(ml_eighths_and(ml_select(is_steep, 2.0 - n, n), is_steep, t), x);
}

/* Angle of the point (x, y) in [-pi, pi], < 1 ulp (of subnormal ones <= 1); as C has it for zeros
 * with signs and for infinities, atan2(0, 0) = 0, atan2(0, -0) = pi; NaN where either is NaN. */
ML_INLINE ml_vec ml_atan2(ml_vec y, ml_vec x)
{
    ml_mask is_steep = (ml_mask)(ml_abs(y) > ml_abs(x)), is_back = (ml_mask)x >> 63;
    ml_vec d = ml_max(ml_abs(y), ml_abs(x)), n = ml_min(ml_abs(y), ml_abs(x));
    ml_vec scale = ml_select((ml_mask)(d > 0x1p1000), ml_splat(0x1p-100),
                             ml_select((ml_mask)(d < 0x1p-900), ml_splat(0x1p200), ml_splat(1.0)));
    ml_mask is_inf = (ml_mask)(d == (double)INFINITY), is_end = is_inf | (ml_mask)(d == 0.0);
    ml_vec one = ml_splat(1.0), zero = ml_splat(0.0);
    ml_vec end = ml_select(is_inf & (ml_mask)(n == d), one, zero); /* of the tangent */
    n = ml_select(is_end, end, n * scale);
    d = ml_select(is_end, one, d * scale);

    struct ml_pair t;
    ml_vec eighths = ml_select(ml_atan_eighth(n, d, &t), one, zero);
    eighths = ml_select(is_steep, 2.0 - eighths, eighths);
    eighths = ml_select(is_back, 4.0 - eighths, eighths);
    ml_vec angle = ml_copysign(ml_eighths_and(eighths, is_steep ^ is_back, t), y);
    return ml_select((ml_mask)(x == x) & (ml_mask)(y == y), angle, x + y);
}

#endif
