/* The chain linearised: products with its couplings, changes of its constants, tangent vectors. */
#ifndef ML_MODEL_CHAIN_TANGENTS_H
#define ML_MODEL_CHAIN_TANGENTS_H

#include "model/chain/forces.kern.h"
#include "model/chain/params.kern.h"
#include "model/chain/recursive.kern.h"

/* Products with the chain's couplings c_ik in O(n). */

/* out_i = sum_{k != i} c_ik [sin(phi_i - phi_k) a_k + cos(phi_i - phi_k) b_k] in O(n): with sums p
 * and q over the segments nearer to the base, weighted by length, and over those nearer to the tip,
 * weighted by mu, it is sin phi_i p - cos phi_i q. Rows of group j. */
ML_INLINE void chain_couple(const struct ml_rhs_ctx *ctx, int j, const ml_vec *a, const ml_vec *b,
                            ml_vec *out, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec p = ml_splat(0.0), q = p;
    for (int i = 0; i < ctx->n; i++) {
        const int at = i * n_group + j;
        ml_vec own = ml_fnma(w->c[at], q, w->s[at] * p);
        out[at] = ml_load(constants, chain_row_mu(i)) * own;
        p = ml_fma(w->lc[at], a[at], ml_fma(w->ls[at], b[at], p));
        q = ml_fma(w->ls[at], a[at], ml_fnma(w->lc[at], b[at], q));
    }
    p = q = ml_splat(0.0);
    for (int i = ctx->n - 1; i >= 0; i--) {
        const int at = i * n_group + j;
        ml_vec mu = ml_load(constants, chain_row_mu(i)), ms = mu * w->s[at], mc = mu * w->c[at];
        out[at] = ml_fma(w->ls[at], p, ml_fnma(w->lc[at], q, out[at]));
        p = ml_fma(mc, a[at], ml_fma(ms, b[at], p));
        q = ml_fma(ms, a[at], ml_fnma(mc, b[at], q));
    }
}

/* Forces of a tangent vector due to a change of the chain's constants, at constant state:
 *
 *   df_i - (dM q'')_i = dmu_i g . n_i + mu_i dg . n_i + dQ_i + dD_i - dc_ii q''_i
 *                       - sum_{k != i} dc_ik [sin(phi_i - phi_k) omega_k^2
 *                                             + cos(phi_i - phi_k) q''_k]
 *
 * The rows of a short chain enter the equations of motion linearly, so it is those equations with
 * the rows' changes in place of the rows. For a long one dc_ik = dmu_max l_min + mu_max dl_min. */

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
        ml_vec length = ml_load(along->constants + j * ML_WIDTH, chain_row_length(i));
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
        ml_vec pull = ml_fma(ml_load(constants, CHAIN_ROW_ALONG), w->c[at],
                             ml_load(constants, CHAIN_ROW_ACROSS) * w->s[at]);
        ml_vec turn = ml_fma(ml_load(derivs, CHAIN_ROW_ALONG), w->c[at],
                             ml_load(derivs, CHAIN_ROW_ACROSS) * w->s[at]);
        ml_vec f = ml_fnma(ml_load(derivs, chain_row_diagonal(i)), acceleration[at], out[at]);
        f = ml_fma(ml_load(derivs, chain_row_mu(i)), pull, f);
        f = ml_fma(ml_load(constants, chain_row_mu(i)), turn, f);
        if (ctx->has_joint_terms) {
            ml_vec own = chain_joint_torque(along, i, j, omega);
            f += own - torque;
            torque = own;
        }
        out[at] = f;
    }
}

/* M's pairs are at hand and taken one by one. */
ML_INLINE bool chain_is_short(const struct ml_rhs_ctx *ctx)
{
    return ctx->n <= CHAIN_MAX_PAIRWISE && ctx->solver != ML_SOLVER_recursive;
}

/* Adds the forcing of the context's parameter to group j's forces of a tangent vector.
 *   omega, acceleration  [n] of the state
 *   out                  [n] in and out */
ML_INLINE void chain_force_column(const struct ml_rhs_ctx *ctx, int j, const ml_vec *omega,
                                  const ml_vec *acceleration, ml_vec *out,
                                  const struct chain_work *w)
{
    const struct ml_rhs_ctx along = chain_flow_along(ctx, ctx->parameter);
    if (chain_is_short(ctx))
        chain_forcing_pairs(&along, j, omega, acceleration, out, w);
    else
        chain_forcing_sums(ctx, &along, j, omega, acceleration, out, w);
}

/* How small differences in the chain's angles and rates grow. With q'' known, those of the angles
 * d_i and of the rates e_i obey
 *
 *   M e' = R d + S e,   R_ik = -a_ik,  R_ii = sum_{k != i} a_ik + dG_i/dphi_i,
 *   a_ik = c_ik [sin(phi_i - phi_k) q''_k - cos(phi_i - phi_k) omega_k^2],
 *   S_ik = -2 c_ik sin(phi_i - phi_k) omega_k  (i != k), and the dampers' coefficients
 *
 * (the equations of motion differentiated; M's own derivative times q'' is on the right). A change
 * of the constants adds its forcing (tangents.kern.h). M was factorised for q'' already. */

/* Derivative of the joint torques by the rates. */
ML_INLINE void chain_derivs_of_dampers(const struct ml_rhs_ctx *ctx, int j,
                                       const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec beyond = ml_splat(0.0); /* coefficient of the joint beyond */
    ML_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        ml_vec own = ml_load(constants, chain_row_damping(i));
        w->by_rate[(i * n + i) * n_group + j] = -(own + beyond);
        if (i > 0) {
            w->by_rate[(i * n + i - 1) * n_group + j] += own;
            w->by_rate[((i - 1) * n + i) * n_group + j] += own;
        }
        beyond = own;
    }
}

/* R and S of a short chain's group j.
 *   omega, acceleration  [n] */
ML_INLINE void chain_derivs_pairs(const struct ml_rhs_ctx *ctx, int j, const ml_vec *omega,
                                  const ml_vec *acceleration, const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec *by_angle = w->by_angle + j, *by_rate = w->by_rate + j;
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        const int at = i * n_group + j;
        ml_vec diagonal = ml_fnma(ml_load(constants, chain_row_along(n, i)), w->s[at],
                                  ml_load(constants, chain_row_across(n, i)) * w->c[at]);
        ml_vec twice = omega[at] + omega[at], square = omega[at] * omega[at];
        ML_UNROLL
        for (int k = 0; k < i; k++) {
            const int by = k * n_group + j;
            ml_vec pull = w->pull[ml_tri(i - 1, k) * n_group + j];
            ml_vec turn = w->turn[ml_tri(i - 1, k) * n_group + j];
            ml_vec outer = ml_fnma(turn, omega[by] * omega[by], pull * acceleration[by]);
            ml_vec inner = ml_fma(turn, square, pull * acceleration[at]); /* -a_ki */
            diagonal += outer;
            by_angle[(k * n + k) * n_group] -= inner;
            by_angle[(i * n + k) * n_group] = -outer;
            by_angle[(k * n + i) * n_group] = inner;
            by_rate[(i * n + k) * n_group] = -pull * (omega[by] + omega[by]);
            by_rate[(k * n + i) * n_group] = pull * twice;
        }
        by_angle[(i * n + i) * n_group] = diagonal;
    }
    if (ctx->has_joint_terms)
        chain_derivs_of_dampers(ctx, j, w);
}

/* R d + S e of a short chain's group j; d, e and out at their first row. */
ML_INLINE void chain_tangent_force_pairs(const struct ml_rhs_ctx *ctx, int j, const ml_vec *d,
                                         const ml_vec *e, ml_vec *out, const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        const ml_vec *by_angle = w->by_angle + i * n * n_group + j;
        const ml_vec *by_rate = w->by_rate + i * n * n_group + j;
        ml_vec f = by_angle[0] * d[j];
        ML_UNROLL
        for (int k = 1; k < n; k++)
            f = ml_fma(by_angle[k * n_group], d[k * n_group + j], f);
        ML_UNROLL
        for (int k = 0; k < n; k++)
            if (k != i || ctx->has_joint_terms)
                f = ml_fma(by_rate[k * n_group], e[k * n_group + j], f);
        out[i * n_group + j] = f;
    }
}

/* The diagonal of R of a long chain's group j. */
ML_INLINE void chain_derivs_sums(const struct ml_rhs_ctx *ctx, int j, const ml_vec *omega,
                                 const ml_vec *acceleration, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec along = ml_load(constants, CHAIN_ROW_ALONG),
           across = ml_load(constants, CHAIN_ROW_ACROSS);
    ML_UNROLL
    for (int i = 0; i < ctx->n; i++)
        w->weight[i * n_group + j] = -(omega[i * n_group + j] * omega[i * n_group + j]);
    chain_couple(ctx, j, acceleration, w->weight, w->by_angle, w);
    ML_UNROLL
    for (int i = 0; i < ctx->n; i++) {
        const int at = i * n_group + j;
        ml_vec deriv = ml_fnma(along, w->s[at], across * w->c[at]);
        w->by_angle[at] = ml_fma(ml_load(constants, chain_row_mu(i)), deriv, w->by_angle[at]);
    }
}

/* R d + S e of a long chain's group j.
 *   d  [2 n] and e behind it */
ML_INLINE void chain_tangent_force_sums(const struct ml_rhs_ctx *ctx, int j, const ml_vec *omega,
                                        const ml_vec *acceleration, const ml_vec *d, ml_vec *out,
                                        const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    const ml_vec *e = d + ctx->n * n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec torque = ml_splat(0.0); /* of the joint beyond */
    ML_UNROLL
    for (int i = 0; i < ctx->n; i++) {
        const int at = i * n_group + j;
        w->weight[at] = -(omega[at] * omega[at]) * d[at];
        w->weight_sine[at] = ml_fma(acceleration[at], d[at], (omega[at] + omega[at]) * e[at]);
    }
    chain_couple(ctx, j, w->weight_sine, w->weight, out, w);
    ML_UNROLL
    for (int i = ctx->n - 1; i >= 0; i--) {
        const int at = i * n_group + j;
        out[at] = ml_fma(w->by_angle[at], d[at], -out[at]);
        if (ctx->has_joint_terms) {
            ml_vec rate = e[at];
            if (i > 0)
                rate -= e[at - n_group];
            ml_vec own = -(ml_load(constants, chain_row_damping(i)) * rate);
            out[at] += own - torque;
            torque = own;
        }
    }
}

/* M^-1 b of group j, in place, with the factor that the right-hand side left. */
ML_INLINE void chain_solve_again(const struct ml_rhs_ctx *ctx, int j, ml_vec *b,
                                 const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    if (ctx->solver != ML_SOLVER_recursive) {
        ml_solve_again(ctx->solver, n, n_group, w->mass + j, b + j, w->rest);
        return;
    }
    struct chain_sum sum = {ml_splat(0.0), ml_splat(0.0)};
    ML_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        const int at = i * n_group + j;
        const struct chain_segment own = chain_segment_at(w, at);
        b[at] = chain_substitute_inward(&own, w->reciprocal[at], &sum, b[at]);
    }
    sum = (struct chain_sum){ml_splat(0.0), ml_splat(0.0)};
    ML_UNROLL
    for (int i = 0; i < n; i++)
        chain_substitute_outward(i * n_group + j, w, &sum, b);
}

ML_INLINE void chain_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x, const ml_vec *dx,
                               ml_vec *work)
{
    const int size = ctx->n * ctx->n_group;
    const struct chain_work w = chain_work_of(ctx, work);
    ML_UNROLL
    for (int j = 0; j < ctx->n_group; j++)
        if (chain_is_short(ctx))
            chain_derivs_pairs(ctx, j, x + size, dx + size, &w);
        else
            chain_derivs_sums(ctx, j, x + size, dx + size, &w);
}

ML_INLINE void chain_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                             const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    const int size = ctx->n * ctx->n_group;
    const struct chain_work w = chain_work_of(ctx, work);
    const ml_vec *omega = x + size, *acceleration = dx + size, *rate = y + size;
    ml_vec *out = dy + size;
    ML_UNROLL
    for (int at = 0; at < size; at++)
        dy[at] = rate[at];
    ML_UNROLL
    for (int j = 0; j < ctx->n_group; j++) {
        if (chain_is_short(ctx))
            chain_tangent_force_pairs(ctx, j, y, rate, out, &w);
        else
            chain_tangent_force_sums(ctx, j, omega, acceleration, y, out, &w);
        if (ctx->parameter >= 0)
            chain_force_column(ctx, j, omega, acceleration, out, &w);
    }
    if (ctx->n_law > 0)
        chain_apply_law_derivs(ctx, t, x, y, dy, &w);
    ML_UNROLL
    for (int j = 0; j < ctx->n_group; j++)
        chain_solve_again(ctx, j, out, &w);
}

#endif
