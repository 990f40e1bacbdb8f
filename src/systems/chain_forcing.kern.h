/* What a change of the chain's constants adds to the forces of a tangent vector, at constant state:
 *
 *   df_i - (dM q'')_i = dmu_i g . n_i + mu_i dg . n_i + dQ_i + dD_i - dc_ii q''_i
 *                       - sum_{k != i} dc_ik [sin(phi_i - phi_k) omega_k^2
 *                                             + cos(phi_i - phi_k) q''_k]
 *
 * The rows of a short chain enter the equations of motion linearly, so it is those equations with
 * the rows' changes in place of the rows. For a long one dc_ik = dmu_max l_min + mu_max dl_min. */
#ifndef ML_SYSTEMS_CHAIN_FORCING_H
#define ML_SYSTEMS_CHAIN_FORCING_H

#include "systems/chain_couple.kern.h"
#include "systems/chain_forces.kern.h"

/* The context with the constants' derivatives along parameter direction p for constants. */
ML_INLINE struct ml_rhs_ctx chain_flow_along(const struct ml_rhs_ctx *ctx, int p)
{
    struct ml_rhs_ctx along = *ctx;
    along.constants += (long)(1 + p) * ctx->n_constant * ML_LANES;
    along.has_columns = false;
    along.n_law = 0; /* laws have their own derivatives */
    return along;
}

/* Adds the forcing of a short chain's group j.
 *   along  the context along the parameter
 *   out    [n] in and out */
ML_INLINE void chain_forcing_pairs(const struct ml_rhs_ctx *along, int j, const ml_vec *omega,
                                   const ml_vec *acceleration, ml_vec *out,
                                   const struct chain_work *w)
{
    const int n = along->n, n_group = along->n_group;
    struct chain_work changed = *w;
    changed.mass = w->mass_deriv;
    ml_vec force[CHAIN_MAX_PAIRWISE * ML_ROW];
    chain_assemble_pairs(along, j, true, omega, force, &changed);
    for (int i = 0; i < n; i++) {
        ml_vec f = force[i * n_group + j];
        for (int k = 0; k < n; k++)
            f = ml_fnma(changed.mass[ml_tri(i > k ? i : k, i > k ? k : i) * n_group + j],
                        acceleration[k * n_group + j], f);
        out[i * n_group + j] += f;
    }
}

/* Takes dc_ik [sin(phi_i - phi_k) omega_k^2 + cos(phi_i - phi_k) q''_k], k != i, from a long
 * chain's group j. */
ML_INLINE void chain_forcing_couplings(const struct ml_rhs_ctx *ctx, const struct ml_rhs_ctx *along,
                                       int j, const ml_vec *omega, const ml_vec *acceleration,
                                       ml_vec *out, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    struct chain_work stretched = *w;
    stretched.ls = w->length_s;
    stretched.lc = w->length_c;
    for (int i = 0; i < ctx->n; i++) {
        const int at = i * n_group + j;
        ml_vec length = ml_get(along->constants + j * ML_WIDTH, chain_row_length(i));
        w->length_s[at] = length * w->s[at];
        w->length_c[at] = length * w->c[at];
        w->weight[at] = omega[at] * omega[at];
    }
    chain_couple(along, j, w->weight, acceleration, w->coupled, w);
    for (int i = 0; i < ctx->n; i++)
        out[i * n_group + j] -= w->coupled[i * n_group + j];
    chain_couple(ctx, j, w->weight, acceleration, w->coupled, &stretched);
    for (int i = 0; i < ctx->n; i++)
        out[i * n_group + j] -= w->coupled[i * n_group + j];
}

/* Adds the forcing of a long chain's group j. */
ML_INLINE void chain_forcing_sums(const struct ml_rhs_ctx *ctx, const struct ml_rhs_ctx *along,
                                  int j, const ml_vec *omega, const ml_vec *acceleration,
                                  ml_vec *out, const struct chain_work *w)
{
    const double *constants = ctx->constants + j * ML_WIDTH;
    const double *derivs = along->constants + j * ML_WIDTH;
    ml_vec torque = ml_splat(0.0); /* of the joint beyond */
    chain_forcing_couplings(ctx, along, j, omega, acceleration, out, w);
    for (int i = ctx->n - 1; i >= 0; i--) {
        const int at = i * ctx->n_group + j;
        ml_vec pull = ml_fma(ml_get(constants, CHAIN_ROW_ALONG), w->c[at],
                             ml_get(constants, CHAIN_ROW_ACROSS) * w->s[at]);
        ml_vec turn = ml_fma(ml_get(derivs, CHAIN_ROW_ALONG), w->c[at],
                             ml_get(derivs, CHAIN_ROW_ACROSS) * w->s[at]);
        ml_vec f = ml_fnma(ml_get(derivs, chain_row_diagonal(i)), acceleration[at], out[at]);
        f = ml_fma(ml_get(derivs, chain_row_mu(i)), pull, f);
        f = ml_fma(ml_get(constants, chain_row_mu(i)), turn, f);
        if (ctx->has_joint_terms) {
            ml_vec own = chain_joint_torque(along, i, j, omega);
            f += own - torque;
            torque = own;
        }
        out[at] = f;
    }
}

/* Adds the forcing of parameter direction p to group j's forces of a tangent vector.
 *   omega, acceleration  [n] of the state
 *   out                  [n] in and out */
ML_INLINE void chain_force_column(const struct ml_rhs_ctx *ctx, int j, int p, bool is_short,
                                  const ml_vec *omega, const ml_vec *acceleration, ml_vec *out,
                                  const struct chain_work *w)
{
    const struct ml_rhs_ctx along = chain_flow_along(ctx, p);
    if (is_short)
        chain_forcing_pairs(&along, j, omega, acceleration, out, w);
    else
        chain_forcing_sums(ctx, &along, j, omega, acceleration, out, w);
}

#endif
