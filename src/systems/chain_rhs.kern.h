/* The chain's right-hand side. */
#ifndef ML_SYSTEMS_CHAIN_RHS_H
#define ML_SYSTEMS_CHAIN_RHS_H

#include "simd/vmath.h"
#include "systems/chain_tangents.kern.h"

/* Sines and cosines of group j where some lane is beyond what the fast forms are made for. By
 * value: clang no longer takes the sizes in a flow for constants once a call, even one that is
 * never made, is given its address. */
static __attribute__((noinline, cold)) void
chain_sincos_far(int n, int n_group, int j, int stage, const ml_vec *angle, struct chain_work w)
{
    for (int i = 0; i < n; i++) {
        const int at = i * n_group + j;
        ml_mask turned = ml_within(angle[at], -1.0); /* none */
        ml_vec s, c;
        if (stage != ML_STAGE_FIRST)
            turned = ml_within(angle[at] - w.anchor[at], ML_TURN_MAX);
        ml_sincos(1, &angle[at], &s, &c);
        w.s[at] = ml_select(turned, w.s[at], s);
        w.c[at] = ml_select(turned, w.c[at], c);
    }
}

/* Of a step's first stage. */
ML_INLINE void chain_sincos_first(const struct ml_flow *flow, const ml_vec *angle,
                                  const struct chain_work *w, ml_mask *handled)
{
    for (int i = 0; i < flow->n; i++)
        for (int j = 0; j < flow->n_group; j++) {
            const int at = i * flow->n_group + j;
            ml_sincos_near(angle[at], &w->s[at], &w->c[at]);
            handled[j] &= ml_within(angle[at], ML_ANGLE_FAST);
        }
}

/* Of a stage near the first one: turns its sines and cosines by the difference in angle. */
ML_INLINE void chain_sincos_turned(const struct ml_flow *flow, const ml_vec *angle,
                                   const struct chain_work *w, ml_mask *handled)
{
    for (int i = 0; i < flow->n; i++)
        for (int j = 0; j < flow->n_group; j++) {
            const int at = i * flow->n_group + j;
            ml_vec turn = angle[at] - w->anchor[at];
            w->s[at] = w->anchor_s[at];
            w->c[at] = w->anchor_c[at];
            ml_rotate(turn, &w->s[at], &w->c[at]);
            handled[j] &= ml_within(turn, ML_TURN_MAX);
        }
}

/* The same where a segment turns further within a step than that is good for: lane by lane. */
ML_INLINE void chain_sincos_afresh(const struct ml_flow *flow, const ml_vec *angle,
                                   const struct chain_work *w, ml_mask *handled)
{
    for (int i = 0; i < flow->n; i++)
        for (int j = 0; j < flow->n_group; j++) {
            const int at = i * flow->n_group + j;
            ml_mask turned = ml_within(angle[at] - w->anchor[at], ML_TURN_MAX);
            ml_vec s, c;
            ml_sincos_near(angle[at], &s, &c);
            w->s[at] = ml_select(turned, w->s[at], s);
            w->c[at] = ml_select(turned, w->c[at], c);
            handled[j] &= turned | ml_within(angle[at], ML_ANGLE_FAST);
        }
}

/* Whether a lane of any group is missing. */
ML_INLINE bool chain_is_missing(const struct ml_flow *flow, const ml_mask *handled)
{
    ml_mask all = handled[0];
    for (int j = 1; j < flow->n_group; j++)
        all &= handled[j];
    return ml_bits(~all) != 0;
}

/* Sines and cosines of the angles. A hasty kernel has no way out for large turns: the mere branch
 * costs it some 6 %. */
ML_INLINE void chain_sincos_stage(const struct ml_flow *flow, int stage, const ml_vec *angle,
                                  const struct chain_work *w)
{
    const int n_group = flow->n_group;
    const ml_mask all = ml_within(ml_splat(0.0), 0.0);
    ml_mask handled[ML_ROW];
    for (int j = 0; j < n_group; j++)
        handled[j] = all;
    if (stage == ML_STAGE_FIRST)
        chain_sincos_first(flow, angle, w, handled);
    else
        chain_sincos_turned(flow, angle, w, handled);
    if (stage != ML_STAGE_FIRST && flow->care != ML_HASTY && chain_is_missing(flow, handled)) {
        for (int j = 0; j < n_group; j++)
            handled[j] = all;
        chain_sincos_afresh(flow, angle, w, handled);
    }
    for (int j = 0; j < n_group; j++)
        if (flow->care != ML_FULL)
            flow->handled[j] &= handled[j];
        else if (__builtin_expect(ml_bits(~handled[j]) != 0, 0))
            chain_sincos_far(flow->n, n_group, j, stage, angle, *w);
    for (int at = 0; at < flow->n * n_group && stage == ML_STAGE_FIRST; at++) {
        w->anchor[at] = angle[at];
        w->anchor_s[at] = w->s[at];
        w->anchor_c[at] = w->c[at];
    }
}

ML_INLINE void chain_rhs(const struct ml_flow *flow, int stage, double t, const ml_vec *x,
                         ml_vec *dx, ml_vec *work)
{
    const int n = flow->n, n_group = flow->n_group;
    const struct chain_work w = chain_work_of(flow, stage, work);
    const ml_vec *omega = x + n * n_group;
    ml_vec *force = dx + n * n_group;
    chain_sincos_stage(flow, stage, x, &w);
    for (int at = 0; at < n * n_group; at++)
        dx[at] = omega[at];
    if (flow->n_law > 0)
        chain_apply_laws(flow, t, x, dx, &w);
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
