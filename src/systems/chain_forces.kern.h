/* Forces and mass matrix of the chain. c_ij being a product, the sums over j factor:
 *   C_i = mu_i [cos phi_i sum_{j<i} l_j sin phi_j omega_j^2 - sin phi_i sum_{j<i} l_j cos phi_j ..]
 *       + l_i  [cos phi_i sum_{j>i} mu_j sin phi_j omega_j^2 - sin phi_i sum_{j>i} mu_j cos ..]
 *   M_ij = (mu_i cos phi_i)(l_j cos phi_j) + (mu_i sin phi_i)(l_j sin phi_j), i > j
 * so that a pass outwards and one inwards give all forces in O(n). */
#ifndef ML_SYSTEMS_CHAIN_FORCES_H
#define ML_SYSTEMS_CHAIN_FORCES_H

#include "systems/chain_constants.kern.h"
#include "systems/chain_work.kern.h"

/* Torque of joint i on segment i; its reaction acts on segment i - 1. */
ML_INLINE ml_vec chain_joint_torque(const struct ml_rhs_ctx *ctx, int i, int j, const ml_vec *omega)
{
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec rate = omega[i * ctx->n_group + j];
    if (i > 0)
        rate -= omega[(i - 1) * ctx->n_group + j];
    return ml_fnma(ml_get(constants, chain_row_damping(i)), rate,
                   ml_get(constants, chain_row_torque(i)));
}

/* From base to tip: products, and G and the part of C that the segments nearer to the base exert.
 */
ML_INLINE void chain_forces_outward(const struct ml_rhs_ctx *ctx, bool has_gravity,
                                    const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    struct chain_sum sum[ML_ROW];
    for (int j = 0; j < n_group; j++)
        sum[j] = (struct chain_sum){ml_splat(0.0), ml_splat(0.0)};
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < n_group; j++) {
            const double *constants = ctx->constants + j * ML_WIDTH;
            const int at = i * n_group + j;
            ml_vec length = ml_get(constants, chain_row_length(i));
            ml_vec mu = ml_get(constants, chain_row_mu(i)), square = omega[at] * omega[at];
            ml_vec f = ml_splat(0.0);
            w->ls[at] = length * w->s[at];
            w->lc[at] = length * w->c[at];
            w->ms[at] = mu * w->s[at];
            w->mc[at] = mu * w->c[at];
            if (has_gravity)
                f = ml_fma(ml_get(constants, CHAIN_ROW_ALONG), w->mc[at],
                           ml_get(constants, CHAIN_ROW_ACROSS) * w->ms[at]);
            force[at] = ml_fnma(w->ms[at], sum[j].c, ml_fma(w->mc[at], sum[j].s, f));
            sum[j].s = ml_fma(w->ls[at], square, sum[j].s);
            sum[j].c = ml_fma(w->lc[at], square, sum[j].c);
        }
}

/* One segment on the way from tip to base: the rest of C, and joint torques.
 *   sum     of the segments beyond, which this one joins
 *   torque  of the joint beyond, replaced by that of joint i */
ML_INLINE void chain_forces_inward(const struct ml_rhs_ctx *ctx, int i, int j, const ml_vec *omega,
                                   ml_vec *force, const struct chain_work *w, struct chain_sum *sum,
                                   ml_vec *torque)
{
    const int at = i * ctx->n_group + j;
    ml_vec square = omega[at] * omega[at];
    ml_vec f = ml_fnma(w->ls[at], sum->c, ml_fma(w->lc[at], sum->s, force[at]));
    sum->s = ml_fma(w->ms[at], square, sum->s);
    sum->c = ml_fma(w->mc[at], square, sum->c);
    if (ctx->has_joint_terms) {
        ml_vec own = chain_joint_torque(ctx, i, j, omega);
        f += own - *torque;
        *torque = own;
    }
    if (ctx->n_law > 0)
        f += w->applied[at];
    force[at] = f;
}

/* All forces and M by sums. */
ML_INLINE void chain_assemble_sums(const struct ml_rhs_ctx *ctx, bool has_gravity,
                                   const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    chain_forces_outward(ctx, has_gravity, omega, force, w);
    ML_UNROLL
    for (int j = 0; j < n_group; j++) {
        struct chain_sum sum = {ml_splat(0.0), ml_splat(0.0)};
        ml_vec torque = ml_splat(0.0);
        ML_UNROLL
        for (int i = ctx->n - 1; i >= 0; i--)
            chain_forces_inward(ctx, i, j, omega, force, w, &sum, &torque);
    }
    ML_UNROLL
    for (int i = 0; i < ctx->n; i++)
        ML_UNROLL
    for (int j = 0; j < n_group; j++) {
        const double *constants = ctx->constants + j * ML_WIDTH;
        ML_UNROLL
        for (int k = 0; k < i; k++)
            w->mass[ml_tri(i, k) * n_group + j] =
                ml_fma(w->mc[i * n_group + j], w->lc[k * n_group + j],
                       w->ms[i * n_group + j] * w->ls[k * n_group + j]);
        w->mass[ml_tri(i, i) * n_group + j] = ml_get(constants, chain_row_diagonal(i));
    }
}

/* Group j's forces and M, pair by pair. */
ML_INLINE void chain_assemble_pairs(const struct ml_rhs_ctx *ctx, int j, bool has_gravity,
                                    const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec square[CHAIN_MAX_PAIRWISE], f[CHAIN_MAX_PAIRWISE];
    const ml_vec *s = w->s + j, *c = w->c + j;
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        int at = i * n_group;
        square[i] = omega[at + j] * omega[at + j];
        f[i] = ml_splat(0.0);
        if (has_gravity)
            f[i] = ml_fma(ml_get(constants, chain_row_along(n, i)), c[at],
                          ml_get(constants, chain_row_across(n, i)) * s[at]);
        w->mass[ml_tri(i, i) * n_group + j] = ml_get(constants, chain_row_diagonal(i));
        ML_UNROLL
        for (int k = 0; k < i; k++) {
            int by = k * n_group;
            ml_vec coupling = ml_get(constants, chain_row_coupling(n, i, k));
            /* c_ik times the sine and the cosine of the difference */
            ml_vec pull = coupling * ml_fnma(c[at], s[by], s[at] * c[by]);
            w->mass[ml_tri(i, k) * n_group + j] = coupling * ml_fma(c[at], c[by], s[at] * s[by]);
            f[i] = ml_fnma(pull, square[k], f[i]);
            f[k] = ml_fma(pull, square[i], f[k]);
            if (ctx->has_columns) {
                w->pull[ml_tri(i - 1, k) * n_group + j] = pull;
                w->turn[ml_tri(i - 1, k) * n_group + j] = w->mass[ml_tri(i, k) * n_group + j];
            }
        }
    }
    ml_vec torque = ml_splat(0.0);
    ML_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        if (ctx->has_joint_terms) {
            ml_vec own = chain_joint_torque(ctx, i, j, omega);
            f[i] += own - torque;
            torque = own;
        }
        if (ctx->n_law > 0)
            f[i] += w->applied[i * n_group + j];
        force[i * n_group + j] = f[i];
    }
}

/* All forces and M; which form depends on n alone, so that the bits do.
 *   omega  [n] rates
 *   force  [n] out */
ML_INLINE void chain_assemble(const struct ml_rhs_ctx *ctx, bool has_gravity, const ml_vec *omega,
                              ml_vec *force, const struct chain_work *w)
{
    if (ctx->n > CHAIN_MAX_PAIRWISE)
        chain_assemble_sums(ctx, has_gravity, omega, force, w);
    else
        for (int j = 0; j < ctx->n_group; j++)
            chain_assemble_pairs(ctx, j, has_gravity, omega, force, w);
}

#endif
