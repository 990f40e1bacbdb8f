/* Tangents that a system does not compute itself, by differences of its right-hand side. */
#ifndef ML_ENGINE_CENTRAL_H
#define ML_ENGINE_CENTRAL_H

#include "model/rhs.h"

/* Largest |row| of each lane of group j.
 *   rows  [n][n_group] */
ML_INLINE ml_vec ml_central_largest(int n, int n_group, int j, const ml_vec *rows)
{
    ml_vec largest = ml_splat(0.0);
    for (int i = 0; i < n; i++)
        largest = ml_max(ml_abs(rows[i * n_group + j]), largest);
    return largest;
}

/* h for (f(at h) - f(at -h)) / 2h where h `change` is added to numbers up to `size`: h `change` is
 * to `size` as the cube root of the rounding error, where that and the truncation error are alike,
 * about 1e-10 of the result. */
ML_INLINE ml_vec ml_central_step(ml_vec size, ml_vec change)
{
    ml_mask is_zero = (ml_mask)(change == 0.0);
    return ml_splat(0x1p-17) * size / ml_select(is_zero, ml_splat(1.0), change);
}

/* The context without tangents, and with pivots that are no fault of the state. */
ML_INLINE struct ml_rhs_ctx ml_central_beside(const struct ml_rhs_ctx *ctx, ml_vec smallest[ML_ROW])
{
    struct ml_rhs_ctx beside = *ctx;
    beside.has_columns = false;
    beside.path = ML_CHECKED;
    beside.smallest = smallest;
    for (int j = 0; j < ctx->n_group; j++)
        smallest[j] = ml_splat((double)INFINITY);
    return beside;
}

/* dy = (df/dx) y.
 *   work  [ML_CENTRAL_STATES n_x + rhs_rows][n_group] */
ML_INLINE void ml_central_tangent(ml_rhs_fn *rhs, const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                  const ml_vec *x, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    ml_vec *side = work, *above = side + size, *below = above + size, *rest = below + size;
    ml_vec smallest[ML_ROW], h[ML_ROW];
    const struct ml_rhs_ctx beside = ml_central_beside(ctx, smallest);
    for (int j = 0; j < n_group; j++)
        h[j] = ml_central_step(ml_max(ml_central_largest(ctx->n_x, n_group, j, x), ml_splat(1.0)),
                               ml_central_largest(ctx->n_x, n_group, j, y));
    for (int at = 0; at < size; at++)
        side[at] = ml_fma(h[at % n_group], y[at], x[at]);
    rhs(&beside, ML_STAGE_FIRST, t, side, above, rest);
    for (int at = 0; at < size; at++)
        side[at] = ml_fnma(h[at % n_group], y[at], x[at]);
    rhs(&beside, ML_STAGE_FIRST, t, side, below, rest);
    for (int at = 0; at < size; at++)
        dy[at] = (above[at] - below[at]) / (2.0 * h[at % n_group]);
}

/* The constants of group j, changed by h along the context's parameter. */
ML_INLINE void ml_central_shift(const struct ml_rhs_ctx *ctx, int n_constant, int j, ml_vec h,
                                double *out)
{
    const double *constants = ctx->constants + j * ML_WIDTH;
    const double *derivs = constants + (long)(1 + ctx->parameter) * n_constant * ML_LANES;
    for (int i = 0; i < n_constant; i++)
        ml_store(out + j * ML_WIDTH, i, ml_fma(h, ml_load(derivs, i), ml_load(constants, i)));
}

/* h of group j: so small that each constant changes little. */
ML_INLINE ml_vec ml_central_parameter_step(const struct ml_rhs_ctx *ctx, int n_constant, int j)
{
    const double *constants = ctx->constants + j * ML_WIDTH;
    const double *derivs = constants + (long)(1 + ctx->parameter) * n_constant * ML_LANES;
    ml_vec least = ml_splat(1.0);
    for (int i = 0; i < n_constant; i++) {
        ml_vec size = ml_abs(ml_load(constants, i));
        size = ml_select((ml_mask)(size == 0.0), ml_splat(1.0), size);
        ml_vec deriv = ml_abs(ml_load(derivs, i));
        ml_vec h = ml_central_step(size, deriv);
        least = ml_select((ml_mask)(deriv == 0.0), least, ml_min(h, least));
    }
    return least;
}

/* Adds df/dp of the context's parameter to dy.
 *   work  [ML_CENTRAL_STATES n_x + ML_CENTRAL_CONSTANTS n_constant + rhs_rows] rows */
ML_INLINE void ml_central_forcing(ml_rhs_fn *rhs, const struct ml_rhs_ctx *ctx, int n_constant,
                                  const ml_vec *t, const ml_vec *x, ml_vec *dy, ml_vec *work)
{
    const int n_group = ctx->n_group, size = ctx->n_x * n_group;
    double *constants = (double *)work;
    ml_vec *above = work + n_constant * ML_ROW, *below = above + size, *rest = below + size;
    ml_vec smallest[ML_ROW], h[ML_ROW];
    struct ml_rhs_ctx beside = ml_central_beside(ctx, smallest);
    beside.constants = constants;
    for (int j = 0; j < n_group; j++) {
        h[j] = ml_central_parameter_step(ctx, n_constant, j);
        ml_central_shift(ctx, n_constant, j, h[j], constants);
    }
    rhs(&beside, ML_STAGE_FIRST, t, x, above, rest);
    for (int j = 0; j < n_group; j++)
        ml_central_shift(ctx, n_constant, j, -h[j], constants);
    rhs(&beside, ML_STAGE_FIRST, t, x, below, rest);
    for (int at = 0; at < size; at++)
        dy[at] += (above[at] - below[at]) / (2.0 * h[at % n_group]);
}

#endif
