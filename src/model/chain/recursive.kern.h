/* The chain's accelerations in O(n).
 *
 * With v_i = l_i (cos phi_i, sin phi_i) and u_i = mu_i (cos phi_i, sin phi_i), M_ik = v_i . u_k for
 * i < k: the mass matrix is a diagonal and a product of few vectors, and so is its factor. Tip
 * first, M = U D U^T with U_ik = v_i . w_k and
 *
 *   P_i = sum_{k>i} d_k w_k w_k^T,   d_i = c_ii - v_i . P_i v_i,   w_i = (u_i - P_i v_i) / d_i
 *
 * d_i is the articulated inertia of the segments from i on (Featherstone, The calculation of robot
 * dynamics using articulated-body inertias, 1983); the form is that of factorising a semiseparable
 * matrix (Vandebril, Van Barel, Mastronardi, Matrix Computations and Semiseparable Matrices, 2008).
 */
#ifndef ML_MODEL_CHAIN_RECURSIVE_H
#define ML_MODEL_CHAIN_RECURSIVE_H

#include "model/chain/forces.kern.h"

/* P, symmetric. */
struct chain_projection {
    ml_vec cc, cs, ss;
};

/* A segment of the factor, from tip to base: u_i in `own` becomes w_i.
 *   diagonal    c_ii
 *   reciprocal  out: 1/d_i
 *   p           P_i in, P_{i-1} out
 * Returns d_i, > 0 for all i if M is positive definite. */
ML_INLINE ml_vec chain_factor_inward(ml_vec diagonal, struct chain_segment *own, ml_vec *reciprocal,
                                     struct chain_projection *p)
{
    ml_vec vs = own->ls, vc = own->lc;
    ml_vec c = ml_fma(p->cc, vc, p->cs * vs), s = ml_fma(p->cs, vc, p->ss * vs); /* P v */
    ml_vec d = ml_fnma(vs, s, ml_fnma(vc, c, diagonal));
    *reciprocal = 1.0 / d;
    c = own->mc - c;
    s = own->ms - s;
    own->mc = c * *reciprocal;
    own->ms = s * *reciprocal;
    p->cc = ml_fma(c, own->mc, p->cc);
    p->cs = ml_fma(c, own->ms, p->cs);
    p->ss = ml_fma(s, own->ms, p->ss);
    return d;
}

/* A segment of D^-1 U^-1 b, from tip to base.
 *   sum  of w_k (U^-1 b)_k beyond */
ML_INLINE ml_vec chain_substitute_inward(const struct chain_segment *own, ml_vec reciprocal,
                                         struct chain_sum *sum, ml_vec b)
{
    ml_vec z = ml_fnma(own->ls, sum->s, ml_fnma(own->lc, sum->c, b));
    sum->s = ml_fma(own->ms, z, sum->s);
    sum->c = ml_fma(own->mc, z, sum->c);
    return z * reciprocal;
}

/* Segment i of U^-T b in place, for i = 0 .. n - 1.
 *   sum  of v_k (U^-T b)_k below */
ML_INLINE void chain_substitute_outward(int at, const struct chain_work *w, struct chain_sum *sum,
                                        ml_vec *b)
{
    const struct chain_segment own = chain_segment_at(w, at);
    ml_vec x = ml_fnma(own.ms, sum->s, ml_fnma(own.mc, sum->c, b[at]));
    sum->s = ml_fma(own.ls, x, sum->s);
    sum->c = ml_fma(own.lc, x, sum->c);
    b[at] = x;
}

/* Accelerations from sines, cosines and rates.
 *   omega         [n] rates
 *   acceleration  [n] out */
ML_INLINE void chain_accelerate_recursive(const struct ml_rhs_ctx *ctx, const ml_vec *omega,
                                          ml_vec *acceleration, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    struct chain_sum force[ML_ROW], sum[ML_ROW];
    struct chain_projection p[ML_ROW];
    ml_vec torque[ML_ROW], smallest[ML_ROW];
    chain_forces_outward(ctx, true, omega, acceleration, w);
    for (int j = 0; j < n_group; j++) {
        force[j] = sum[j] = (struct chain_sum){ml_splat(0.0), ml_splat(0.0)};
        p[j] = (struct chain_projection){ml_splat(0.0), ml_splat(0.0), ml_splat(0.0)};
        torque[j] = ml_splat(0.0);
        smallest[j] = ctx->smallest[j];
    }
    for (int i = ctx->n - 1; i >= 0; i--)
        for (int j = 0; j < n_group; j++) {
            const int at = i * n_group + j;
            struct chain_segment own = chain_segment_at(w, at);
            ml_vec f = chain_force_inward(ctx, i, j, omega, acceleration[at], &own, w, &force[j],
                                          &torque[j]);
            ml_vec diagonal = ml_load(ctx->constants + j * ML_WIDTH, chain_row_diagonal(i));
            ml_vec reciprocal, pivot = chain_factor_inward(diagonal, &own, &reciprocal, &p[j]);
            w->reciprocal[at] = reciprocal;
            w->mc[at] = own.mc;
            w->ms[at] = own.ms;
            acceleration[at] = chain_substitute_inward(&own, reciprocal, &sum[j], f);
            smallest[j] = ml_min(pivot, smallest[j]);
        }
    for (int j = 0; j < n_group; j++) {
        sum[j] = (struct chain_sum){ml_splat(0.0), ml_splat(0.0)};
        ctx->smallest[j] = smallest[j];
    }
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < n_group; j++)
            chain_substitute_outward(i * n_group + j, w, &sum[j], acceleration);
}

#endif
