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
};

/* Pairs of segments that have rows of their own. */
ML_INLINE int chain_pairs(int n) { return n <= CHAIN_MAX_PAIRWISE ? ml_tri(n - 1, 0) : 0; }

ML_INLINE struct chain_work chain_work_of(const struct ml_flow *flow, ml_vec *work)
{
    const int size = flow->n * flow->n_group;
    struct chain_work w = {.anchor = work};
    w.anchor_s = w.anchor + size;
    w.anchor_c = w.anchor_s + size;
    w.s = w.anchor_c + size;
    w.c = w.s + size;
    w.ls = w.c + size;
    w.lc = w.ls + size;
    w.ms = w.lc + size;
    w.mc = w.ms + size;
    w.reciprocal = w.mc + size;
    w.mass = w.reciprocal + size;
    w.rest = w.mass + ml_tri(flow->n, 0) * flow->n_group;
    w.pull = w.rest + ml_solve_rows(flow->n) * flow->n_group;
    w.turn = w.pull + chain_pairs(flow->n) * flow->n_group;
    w.by_angle = w.turn + chain_pairs(flow->n) * flow->n_group;
    w.by_rate = w.by_angle + flow->n * size;
    w.weight = w.by_angle + size;
    w.weight_sine = w.weight + size;
    return w;
}

/* Rows that tangents take besides. */
ML_INLINE int chain_tangent_rows(int n)
{
    return 2 * chain_pairs(n) + (n <= CHAIN_MAX_PAIRWISE ? 2 * n * n + n : 3 * n);
}

ML_INLINE int chain_work_rows(int n) { return 10 * n + ml_tri(n, 0) + ml_solve_rows(n); }

/* State and derivative beside it, for `terms`. */
static int chain_rhs_rows(const struct ml_shape *shape)
{
    return chain_work_rows(shape->n) + (shape->n_column ? chain_tangent_rows(shape->n) : 0) +
           4 * shape->n;
}

/* A sum of vectors in the plane along the chain. */
struct chain_sum {
    ml_vec s, c;
};

#endif
