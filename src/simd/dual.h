/* Numbers with a derivative, lane by lane: a formula written with them gives value and derivative.
 * Where the derivatives are not used, the compiler drops them. For *.kern.* files. */
#ifndef ML_SIMD_DUAL_H
#define ML_SIMD_DUAL_H

#include "simd/lanes.h"

struct ml_dual {
    ml_vec v, d;
};

ML_INLINE struct ml_dual ml_dual_splat(double a)
{
    return (struct ml_dual){ml_splat(a), ml_splat(0.0)};
}

ML_INLINE struct ml_dual ml_dual_get(const double *values, const double *derivs, int row)
{
    return (struct ml_dual){ml_load(values, row), ml_load(derivs, row)};
}

/* a + b */
ML_INLINE struct ml_dual ml_dual_add(struct ml_dual a, struct ml_dual b)
{
    return (struct ml_dual){a.v + b.v, a.d + b.d};
}

/* a - b */
ML_INLINE struct ml_dual ml_dual_sub(struct ml_dual a, struct ml_dual b)
{
    return (struct ml_dual){a.v - b.v, a.d - b.d};
}

ML_INLINE struct ml_dual ml_dual_neg(struct ml_dual a) { return (struct ml_dual){-a.v, -a.d}; }

/* a b */
ML_INLINE struct ml_dual ml_dual_mul(struct ml_dual a, struct ml_dual b)
{
    return (struct ml_dual){a.v * b.v, ml_fma(a.v, b.d, a.d * b.v)};
}

/* a b + c */
ML_INLINE struct ml_dual ml_dual_fma(struct ml_dual a, struct ml_dual b, struct ml_dual c)
{
    return (struct ml_dual){ml_fma(a.v, b.v, c.v), ml_fma(a.v, b.d, ml_fma(a.d, b.v, c.d))};
}

/* a / b */
ML_INLINE struct ml_dual ml_dual_div(struct ml_dual a, struct ml_dual b)
{
    ml_vec v = a.v / b.v;
    return (struct ml_dual){v, ml_fnma(v, b.d, a.d) / b.v};
}

/* The derivative at 0 is not a number. */
ML_INLINE struct ml_dual ml_dual_sqrt(struct ml_dual a)
{
    ml_vec v = ml_sqrt(a.v);
    return (struct ml_dual){v, 0.5 * a.d / v};
}

/* 1/sqrt(a), <= 2 ulp for normal a > 0; not a number at 0. The root and the quotient do not wait
 * for each other, as in 1/sqrt(a) they would. */
ML_INLINE struct ml_dual ml_dual_rsqrt(struct ml_dual a)
{
    ml_vec inverse = 1.0 / a.v, v = ml_sqrt(a.v) * inverse;
    return (struct ml_dual){v, -0.5 * v * (inverse * a.d)};
}

ML_INLINE struct ml_dual ml_dual_select(ml_mask m, struct ml_dual yes, struct ml_dual no)
{
    return (struct ml_dual){ml_select(m, yes.v, no.v), ml_select(m, yes.d, no.d)};
}

#endif
