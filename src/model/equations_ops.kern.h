/* The operations of formulas on lanes, one function for each line of expr/ops.def: the
 * interpreter of programs and the code that is compiled of them call the same. Truths are masks in
 * the place of numbers. */
#ifndef ML_MODEL_EQUATIONS_OPS_H
#define ML_MODEL_EQUATIONS_OPS_H

#include "model/forces/signal.h"
#include "simd/asin.h"
#include "simd/atan.h"
#include "simd/erf.h"
#include "simd/exp.h"
#include "simd/hyperbolic.h"
#include "simd/log.h"
#include "simd/pow.h"
#include "simd/root.h"
#include "simd/round.h"
#include "simd/tan.h"
#include "simd/vmath.h"

/* A curve at the argument of each lane, or its derivative of that order. */
static __attribute__((noinline, unused)) ml_vec ml_curve(const struct ml_breakpoints *curve,
                                                         int order, ml_vec x)
{
    ml_vec out;
    for (int l = 0; l < ML_WIDTH; l++)
        out[l] = ml_curve_at(curve, x[l], order);
    return out;
}

ML_INLINE ml_vec ml_op_neg(ml_vec a) { return -a; }
ML_INLINE ml_vec ml_op_add(ml_vec a, ml_vec b) { return a + b; }
ML_INLINE ml_vec ml_op_sub(ml_vec a, ml_vec b) { return a - b; }
ML_INLINE ml_vec ml_op_mul(ml_vec a, ml_vec b) { return a * b; }
ML_INLINE ml_vec ml_op_div(ml_vec a, ml_vec b) { return a / b; }
ML_INLINE ml_vec ml_op_fma(ml_vec a, ml_vec b, ml_vec c) { return ml_fma(a, b, c); }
ML_INLINE ml_vec ml_op_fnma(ml_vec a, ml_vec b, ml_vec c) { return ml_fnma(a, b, c); }
ML_INLINE ml_vec ml_op_sqrt(ml_vec a) { return ml_sqrt(a); }
ML_INLINE ml_vec ml_op_abs(ml_vec a) { return ml_abs(a); }
ML_INLINE ml_vec ml_op_min(ml_vec a, ml_vec b) { return ml_lesser(a, b); }
ML_INLINE ml_vec ml_op_max(ml_vec a, ml_vec b) { return ml_greater(a, b); }
ML_INLINE ml_vec ml_op_exp(ml_vec a) { return ml_exp_gradual(a); }
ML_INLINE ml_vec ml_op_log(ml_vec a) { return ml_log_gradual(a); }
ML_INLINE ml_vec ml_op_sign(ml_vec a) { return ml_sign(a); }
ML_INLINE ml_vec ml_op_floor(ml_vec a) { return ml_floor(a); }
ML_INLINE ml_vec ml_op_cbrt(ml_vec a) { return ml_cbrt(a); }
ML_INLINE ml_vec ml_op_tan(ml_vec a) { return ml_tan(a); }
ML_INLINE ml_vec ml_op_asin(ml_vec a) { return ml_asin(a); }
ML_INLINE ml_vec ml_op_acos(ml_vec a) { return ml_acos(a); }
ML_INLINE ml_vec ml_op_atan(ml_vec a) { return ml_atan(a); }
ML_INLINE ml_vec ml_op_sinh(ml_vec a) { return ml_sinh(a); }
ML_INLINE ml_vec ml_op_cosh(ml_vec a) { return ml_cosh(a); }
ML_INLINE ml_vec ml_op_tanh(ml_vec a) { return ml_tanh(a); }
ML_INLINE ml_vec ml_op_erf(ml_vec a) { return ml_erf(a); }
ML_INLINE ml_vec ml_op_mod(ml_vec a, ml_vec b) { return ml_mod(a, b); }
ML_INLINE ml_vec ml_op_hypot(ml_vec a, ml_vec b) { return ml_hypot(a, b); }
ML_INLINE ml_vec ml_op_pow(ml_vec a, ml_vec b) { return ml_pow(a, b); }
ML_INLINE ml_vec ml_op_atan2(ml_vec a, ml_vec b) { return ml_atan2(a, b); }
ML_INLINE ml_vec ml_op_less(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a < b); }
ML_INLINE ml_vec ml_op_at_most(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a <= b); }
ML_INLINE ml_vec ml_op_equal(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a == b); }
ML_INLINE ml_vec ml_op_and(ml_vec a, ml_vec b) { return (ml_vec)((ml_mask)a & (ml_mask)b); }
ML_INLINE ml_vec ml_op_or(ml_vec a, ml_vec b) { return (ml_vec)((ml_mask)a | (ml_mask)b); }
ML_INLINE ml_vec ml_op_not(ml_vec a) { return (ml_vec)(~(ml_mask)a); }
ML_INLINE ml_vec ml_op_where(ml_vec a, ml_vec b, ml_vec c) { return ml_select((ml_mask)a, b, c); }

#endif
