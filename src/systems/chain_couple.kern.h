/* Products with the chain's couplings c_ik in O(n). */
#ifndef ML_SYSTEMS_CHAIN_COUPLE_H
#define ML_SYSTEMS_CHAIN_COUPLE_H

#include "systems/chain_constants.kern.h"
#include "systems/chain_work.kern.h"

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
        out[at] = ml_get(constants, chain_row_mu(i)) * own;
        p = ml_fma(w->lc[at], a[at], ml_fma(w->ls[at], b[at], p));
        q = ml_fma(w->ls[at], a[at], ml_fnma(w->lc[at], b[at], q));
    }
    p = q = ml_splat(0.0);
    for (int i = ctx->n - 1; i >= 0; i--) {
        const int at = i * n_group + j;
        ml_vec mu = ml_get(constants, chain_row_mu(i)), ms = mu * w->s[at], mc = mu * w->c[at];
        out[at] = ml_fma(w->ls[at], p, ml_fnma(w->lc[at], q, out[at]));
        p = ml_fma(mc, a[at], ml_fma(ms, b[at], p));
        q = ml_fma(ms, a[at], ml_fnma(mc, b[at], q));
    }
}

#endif
