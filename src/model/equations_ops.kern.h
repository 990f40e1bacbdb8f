/* The operations of formulas on lanes, one function for each line of expr/ops.def: what interprets
 * a program and what is compiled of it call the same. Truths are masks in the place of numbers. */
#ifndef ML_MODEL_EQUATIONS_OPS_H
#define ML_MODEL_EQUATIONS_OPS_H

#include "simd/exp.h"
#include "simd/log.h"
#include "simd/vmath.h"

ML_INLINE ml_vec ml_op_neg(ml_vec a) { return -a; }
ML_INLINE ml_vec ml_op_add(ml_vec a, ml_vec b) { return a + b; }
ML_INLINE ml_vec ml_op_sub(ml_vec a, ml_vec b) { return a - b; }
ML_INLINE ml_vec ml_op_mul(ml_vec a, ml_vec b) { return a * b; }
ML_INLINE ml_vec ml_op_div(ml_vec a, ml_vec b) { return a / b; }
ML_INLINE ml_vec ml_op_fma(ml_vec a, ml_vec b, ml_vec c) { return ml_fma(a, b, c); }
ML_INLINE ml_vec ml_op_fnma(ml_vec a, ml_vec b, ml_vec c) { return ml_fnma(a, b, c); }
ML_INLINE ml_vec ml_op_sqrt(ml_vec a) { return ml_sqrt(a); }
ML_INLINE ml_vec ml_op_abs(ml_vec a) { return ml_abs(a); }
ML_INLINE ml_vec ml_op_min(ml_vec a, ml_vec b) { return ml_min(a, b); }
ML_INLINE ml_vec ml_op_max(ml_vec a, ml_vec b) { return ml_max(a, b); }
ML_INLINE ml_vec ml_op_exp(ml_vec a) { return ml_exp(a); }
ML_INLINE ml_vec ml_op_log(ml_vec a) { return ml_log(a); }
ML_INLINE ml_vec ml_op_less(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a < b); }
ML_INLINE ml_vec ml_op_at_most(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a <= b); }
ML_INLINE ml_vec ml_op_equal(ml_vec a, ml_vec b) { return (ml_vec)(ml_mask)(a == b); }
ML_INLINE ml_vec ml_op_and(ml_vec a, ml_vec b) { return (ml_vec)((ml_mask)a & (ml_mask)b); }
ML_INLINE ml_vec ml_op_or(ml_vec a, ml_vec b) { return (ml_vec)((ml_mask)a | (ml_mask)b); }
ML_INLINE ml_vec ml_op_not(ml_vec a) { return (ml_vec)(~(ml_mask)a); }
ML_INLINE ml_vec ml_op_where(ml_vec a, ml_vec b, ml_vec c) { return ml_select((ml_mask)a, b, c); }

#endif
