/* Functions of numbers with a derivative: each has the derivative of its value, along the
 * direction of its arguments. Where a function has none that is finite (sqrt, cbrt and atan2 at 0,
 * asin and acos at 1) it is infinite or NaN. For *.kern.* files. */
#ifndef ML_SIMD_DUAL_FUNCTIONS_H
#define ML_SIMD_DUAL_FUNCTIONS_H

#include "simd/asin.h"
#include "simd/atan.h"
#include "simd/dual.h"
#include "simd/erf.h"
#include "simd/exp.h"
#include "simd/hyperbolic.h"
#include "simd/log.h"
#include "simd/pow.h"
#include "simd/root.h"
#include "simd/round.h"
#include "simd/tan.h"
#include "simd/vmath.h"

ML_INLINE struct ml_dual ml_dual_floor(struct ml_dual a)
{
    return (struct ml_dual){ml_floor(a.v), ml_splat(0.0)};
}

ML_INLINE struct ml_dual ml_dual_sign(struct ml_dual a)
{
    return (struct ml_dual){ml_sign(a.v), ml_splat(0.0)};
}

/* The derivative at 0 is 0. */
ML_INLINE struct ml_dual ml_dual_abs(struct ml_dual a)
{
    return (struct ml_dual){ml_abs(a.v), ml_sign(a.v) * a.d};
}

/* Where both are equal the derivative is that of b. */
ML_INLINE struct ml_dual ml_dual_min(struct ml_dual a, struct ml_dual b)
{
    return ml_dual_select(ml_is_lesser(a.v, b.v), a, b);
}

ML_INLINE struct ml_dual ml_dual_max(struct ml_dual a, struct ml_dual b)
{
    return ml_dual_select(ml_is_greater(a.v, b.v), a, b);
}

/* x - y floor(x/y), the whole number being the one that the value has. */
ML_INLINE struct ml_dual ml_dual_mod(struct ml_dual x, struct ml_dual y)
{
    ml_vec v = ml_mod(x.v, y.v), whole = ml_floor((x.v - v) / y.v + 0.5);
    return (struct ml_dual){v, ml_fnma(whole, y.d, x.d)};
}

/* The derivative at 0, 0 is 0. */
ML_INLINE struct ml_dual ml_dual_hypot(struct ml_dual x, struct ml_dual y)
{
    ml_vec v = ml_hypot(x.v, y.v), size = ml_select((ml_mask)(v == 0.0), ml_splat(1.0), v);
    return (struct ml_dual){v, ml_fma(x.v / size, x.d, y.v / size * y.d)};
}

ML_INLINE struct ml_dual ml_dual_cbrt(struct ml_dual a)
{
    ml_vec v = ml_cbrt(a.v);
    return (struct ml_dual){v, a.d / (3.0 * (v * v))};
}

ML_INLINE struct ml_dual ml_dual_exp(struct ml_dual a)
{
    ml_vec v = ml_exp_gradual(a.v);
    return (struct ml_dual){v, v * a.d};
}

ML_INLINE struct ml_dual ml_dual_log(struct ml_dual a)
{
    return (struct ml_dual){ml_log_gradual(a.v), a.d / a.v};
}

/* y x^(y - 1) dx + x^y ln x dy. Where the derivative of an argument is 0 its slope does not count,
 * whatever it is: a constant whole y has a derivative at x < 0 too. At x = 0 the slope along y is 0
 * for y > 0; at x < 0 it does not exist: NaN. */
ML_INLINE struct ml_dual ml_dual_pow(struct ml_dual x, struct ml_dual y)
{
    struct ml_pair log = ml_log_pair(ml_abs(x.v));
    ml_vec v = ml_pow_of_log(x.v, y.v, log), zero = ml_splat(0.0);
    ml_vec by_x = y.v * ml_pow_of_log(x.v, y.v - 1.0, log) * x.d;
    ml_vec growth = ml_select((ml_mask)(x.v < 0.0), ml_splat((double)NAN), v * log.high);
    growth = ml_select((ml_mask)(x.v == 0.0) & (ml_mask)(y.v > 0.0), zero, growth);
    by_x = ml_select((ml_mask)(x.d == 0.0) | (ml_mask)(y.v == 0.0), zero, by_x);
    return (struct ml_dual){v, by_x + ml_select((ml_mask)(y.d == 0.0), zero, growth * y.d)};
}

ML_INLINE struct ml_dual ml_dual_sin(struct ml_dual a)
{
    ml_vec s, c;
    ml_sincos(1, &a.v, &s, &c);
    return (struct ml_dual){s, c * a.d};
}

ML_INLINE struct ml_dual ml_dual_cos(struct ml_dual a)
{
    ml_vec s, c;
    ml_sincos(1, &a.v, &s, &c);
    return (struct ml_dual){c, -s * a.d};
}

ML_INLINE struct ml_dual ml_dual_tan(struct ml_dual a)
{
    ml_vec v = ml_tan(a.v);
    return (struct ml_dual){v, ml_fma(v, v, ml_splat(1.0)) * a.d};
}

ML_INLINE struct ml_dual ml_dual_asin(struct ml_dual a)
{
    return (struct ml_dual){ml_asin(a.v), a.d / ml_sqrt((1.0 - a.v) * (1.0 + a.v))};
}

ML_INLINE struct ml_dual ml_dual_acos(struct ml_dual a)
{
    return (struct ml_dual){ml_acos(a.v), -a.d / ml_sqrt((1.0 - a.v) * (1.0 + a.v))};
}

ML_INLINE struct ml_dual ml_dual_atan(struct ml_dual a)
{
    return (struct ml_dual){ml_atan(a.v), a.d / ml_fma(a.v, a.v, ml_splat(1.0))};
}

ML_INLINE struct ml_dual ml_dual_atan2(struct ml_dual y, struct ml_dual x)
{
    ml_vec size = ml_hypot(x.v, y.v);
    ml_vec d = ml_fnma(y.v / size, x.d, x.v / size * y.d) / size;
    return (struct ml_dual){ml_atan2(y.v, x.v), d};
}

ML_INLINE struct ml_dual ml_dual_sinh(struct ml_dual a)
{
    return (struct ml_dual){ml_sinh(a.v), ml_cosh(a.v) * a.d};
}

ML_INLINE struct ml_dual ml_dual_cosh(struct ml_dual a)
{
    return (struct ml_dual){ml_cosh(a.v), ml_sinh(a.v) * a.d};
}

ML_INLINE struct ml_dual ml_dual_tanh(struct ml_dual a)
{
    ml_vec inverse = 1.0 / ml_cosh(a.v);
    return (struct ml_dual){ml_tanh(a.v), inverse * inverse * a.d};
}

ML_INLINE struct ml_dual ml_dual_erf(struct ml_dual a)
{
    const double two_over_root_pi = 0x1.20dd750429b6dp+0;
    return (struct ml_dual){ml_erf(a.v), two_over_root_pi * ml_exp(-(a.v * a.v)) * a.d};
}

#endif
