/* The chain's right-hand side. */
#ifndef ML_SYSTEMS_CHAIN_RHS_H
#define ML_SYSTEMS_CHAIN_RHS_H

#include "simd/vmath.h"
#include "systems/chain_recursive.kern.h"

static int chain_n_x(const struct ml_shape *shape) { return 2 * shape->n; }

/* Sines and cosines of group j where some lane is beyond what the fast forms are made for. By value:
 * clang no longer takes the sizes in a flow for constants once a call, even one that is never made,
 * is given its address. */
static __attribute__((noinline, cold)) void chain_sincos_rare(int n, int n_group, int j,
                                                              enum ml_stage stage,
                                                              const ml_vec *angle,
                                                              struct chain_work w)
{
    for (int i = 0; i < n; i++) {
        const int at = i * n_group + j;
        ml_mask turned = ml_within(angle[at], -1.0); /* none */
        ml_vec s, c;
        if (stage == ML_STAGE_NEAR)
            turned = ml_within(angle[at] - w.anchor[at], ML_TURN_MAX);
        ml_sincos(1, &angle[at], &s, &c);
        w.s[at] = ml_select(turned, w.s[at], s);
        w.c[at] = ml_select(turned, w.c[at], c);
    }
}

/* Sines and cosines of the angles. A stage near the first one turns its sine and cosine by the
 * difference in angle, lane by lane where that is small enough, which is nearly always. */
ML_INLINE void chain_sincos_stage(const struct ml_flow *flow, enum ml_stage stage,
                                  const ml_vec *angle, const struct chain_work *w)
{
    const int n_group = flow->n_group;
    ml_mask handled[ML_ROW];
    for (int j = 0; j < n_group; j++)
        handled[j] = flow->handled[j];
    for (int i = 0; i < flow->n; i++)
        for (int j = 0; j < n_group; j++) {
            const int at = i * n_group + j;
            if (stage == ML_STAGE_FIRST) {
                ml_sincos_near(angle[at], &w->s[at], &w->c[at]);
                handled[j] &= ml_within(angle[at], ML_ANGLE_FAST);
            } else {
                ml_vec turn = angle[at] - w->anchor[at];
                w->s[at] = w->anchor_s[at];
                w->c[at] = w->anchor_c[at];
                ml_rotate(turn, &w->s[at], &w->c[at]);
                handled[j] &= ml_within(turn, ML_TURN_MAX);
            }
        }
    for (int j = 0; j < n_group; j++)
        if (flow->is_hasty)
            flow->handled[j] = handled[j];
        else if (__builtin_expect(ml_bits(~handled[j]) != 0, 0))
            chain_sincos_rare(flow->n, n_group, j, stage, angle, *w);
    for (int at = 0; at < flow->n * n_group && stage == ML_STAGE_FIRST; at++) {
        w->anchor[at] = angle[at];
        w->anchor_s[at] = w->s[at];
        w->anchor_c[at] = w->c[at];
    }
}

ML_INLINE void chain_rhs(const struct ml_flow *flow, enum ml_stage stage, double t, const ml_vec *x,
                         ml_vec *dx, ml_vec *work)
{
    (void)t;
    const int n = flow->n, n_group = flow->n_group;
    const struct chain_work w = chain_work_of(flow, work);
    const ml_vec *omega = x + n * n_group;
    ml_vec *force = dx + n * n_group;
    chain_sincos_stage(flow, stage, x, &w);
    for (int at = 0; at < n * n_group; at++)
        dx[at] = omega[at];
    if (flow->solver == ML_SOLVER_recursive) {
        chain_accelerate_recursive(flow, omega, force, &w);
        return;
    }
    chain_assemble(flow, true, omega, force, &w);
    for (int j = 0; j < n_group; j++) {
        ml_vec pivot = ml_solve(flow->solver, n, n_group, w.mass + j, force + j, w.rest);
        flow->smallest[j] = ml_min(pivot, flow->smallest[j]);
    }
}

#endif
