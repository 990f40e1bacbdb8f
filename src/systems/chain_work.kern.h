/* Scratch of an evaluation of the chain's right-hand side. */
#ifndef ML_SYSTEMS_CHAIN_WORK_H
#define ML_SYSTEMS_CHAIN_WORK_H

#include "linalg/solve.kern.h"
#include "systems/rhs.h"

/* Rows of the n_group vectors that advance together: row i of group j is [i n_group + j]. */
struct chain_work {
    ml_vec *anchor, *anchor_s, *anchor_c; /* [n] angle, sine, cosine at the step's first stage */
    ml_vec *s, *c;                        /* [n] sine and cosine of the angles */
    ml_vec *ls, *lc, *ms, *mc;            /* [n] the same times length, and times mu */
    ml_vec *reciprocal;                   /* [n] of the pivots: the recursive solver's */
    ml_vec *mass;                         /* [n(n+1)/2] packed lower triangle: the others' */
    ml_vec *rest;                         /* [ml_solve_rows(n)] */
    /* For tangents, with M's pairs at hand: */
    ml_vec *pull, *turn;        /* [n(n-1)/2] c_ik sin(phi_i - phi_k), c_ik cos(..), k < i */
    ml_vec *by_angle, *by_rate; /* [n][n] derivative of M q'' at constant q'' */
    /* and for tangents of long chains, and of by_angle only the diagonal [n]: */
    ml_vec *weight, *weight_sine; /* [n] */
    /* For parameters: of M its change, or [n] each */
    ml_vec *mass_deriv, *length_s, *length_c, *coupled;
    /* At the place of `coupled`, of the state alone: */
    ml_vec *applied; /* [n] generalised forces of laws */
};

ML_INLINE int chain_n_x(const struct ml_shape *shape) { return 2 * shape->n + shape->n_law_state; }

/* Pairs of segments that have rows of their own. */
ML_INLINE int chain_pairs(int n) { return n <= CHAIN_MAX_PAIRWISE ? ml_tri(n - 1, 0) : 0; }

/* Rows from by_angle on that all tangents take; those of a long chain's fit in a short one's. */
ML_INLINE int chain_deriv_rows(int n) { return n <= CHAIN_MAX_PAIRWISE ? 2 * n * n + n : 3 * n; }

/* Rows of one evaluation, but for the anchors and what parameters need. */
ML_INLINE int chain_stage_rows(int n, bool has_columns)
{
    return 7 * n + ml_tri(n, 0) + ml_solve_rows(n) +
           (has_columns ? 2 * chain_pairs(n) + chain_deriv_rows(n) : 0);
}

/* Rows before those, in units of n: of a step, and of a tangent vector with a parameter. A short
 * chain's packed triangle fits in 3 n too. */
enum { CHAIN_ANCHORS = 3, CHAIN_FORCING = 3 };

ML_INLINE struct chain_work chain_work_of(const struct ml_rhs_ctx *ctx, ml_vec *work)
{
    const int size = ctx->n * ctx->n_group;
    struct chain_work w = {.anchor = work};
    w.anchor_s = w.anchor + size;
    w.anchor_c = w.anchor_s + size;
    w.mass_deriv = w.anchor_c + size;
    w.length_s = w.mass_deriv;
    w.length_c = w.length_s + size;
    w.coupled = w.length_c + size;
    w.applied = w.coupled;
    w.s = work + (CHAIN_ANCHORS + CHAIN_FORCING) * size;
    w.c = w.s + size;
    w.ls = w.c + size;
    w.lc = w.ls + size;
    w.ms = w.lc + size;
    w.mc = w.ms + size;
    w.reciprocal = w.mc + size;
    w.mass = w.reciprocal + size;
    w.rest = w.mass + ml_tri(ctx->n, 0) * ctx->n_group;
    w.pull = w.rest + ml_solve_rows(ctx->n) * ctx->n_group;
    w.turn = w.pull + chain_pairs(ctx->n) * ctx->n_group;
    w.by_angle = w.turn + chain_pairs(ctx->n) * ctx->n_group;
    w.by_rate = w.by_angle + ctx->n * size;
    w.weight = w.by_angle + size;
    w.weight_sine = w.weight + size;
    return w;
}

/* State and derivative beside it, for `terms`. */
static int chain_rhs_rows(const struct ml_shape *shape)
{
    const int n = shape->n;
    return (CHAIN_ANCHORS + CHAIN_FORCING) * n + chain_stage_rows(n, shape->n_column > 0) +
           2 * chain_n_x(shape);
}

/* A sum of vectors in the plane along the chain. */
struct chain_sum {
    ml_vec s, c;
};

#endif
