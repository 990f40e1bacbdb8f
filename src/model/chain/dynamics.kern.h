/* The chain's right-hand side. */
#ifndef ML_MODEL_CHAIN_DYNAMICS_H
#define ML_MODEL_CHAIN_DYNAMICS_H

#include "model/chain/tangents.kern.h"
#include "simd/vmath.h"

/* Sines and cosines of group j where some lane is beyond the range of the short forms: of those
 * lanes. By value: clang no longer takes the sizes in a context for constants once a call, even one
 * that is never made, is given its address. */
ML_RARE void chain_sincos_far(int n, int n_group, int j, int stage, const ml_vec *angle,
                              struct chain_work w)
{
    for (int i = 0; i < n; i++) {
        const int at = i * n_group + j;
        ml_mask turned = ml_no_lane();
        ml_vec s, c;
        if (stage != ML_STAGE_FIRST)
            turned = ml_within(angle[at] - w.anchor[at], ML_INCREMENT_MAX);
        ml_sincos(1, &angle[at], &s, &c);
        w.s[at] = ml_select(turned, w.s[at], s);
        w.c[at] = ml_select(turned, w.c[at], c);
    }
}

/* The first stage of a step, on the fast path. */
ML_INLINE void chain_sincos_first(const struct ml_rhs_ctx *ctx, const ml_vec *angle,
                                  const struct chain_work *w)
{
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < ctx->n_group; j++) {
            const int at = i * ctx->n_group + j;
            ml_sincos_near(angle[at], &w->s[at], &w->c[at]);
            ctx->largest_angle[j] = ml_max(ml_abs(angle[at]), ctx->largest_angle[j]);
        }
}

/* A later stage, on the fast path: updates the first one's sines and cosines by the increment of
 * the angle. */
ML_INLINE void chain_sincos_update(const struct ml_rhs_ctx *ctx, const ml_vec *angle,
                                   const struct chain_work *w)
{
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < ctx->n_group; j++) {
            const int at = i * ctx->n_group + j;
            ml_vec increment = angle[at] - w->anchor[at];
            w->s[at] = w->anchor_s[at];
            w->c[at] = w->anchor_c[at];
            ml_sincos_update(increment, &w->s[at], &w->c[at]);
            ctx->largest_increment[j] = ml_max(ml_abs(increment), ctx->largest_increment[j]);
        }
}

/* Any stage, whatever the angles: each lane by the form that is right for it. */
ML_INLINE void chain_sincos_checked(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *angle,
                                    const struct chain_work *w)
{
    for (int j = 0; j < ctx->n_group; j++) {
        ml_mask near = ml_within(ml_splat(0.0), 0.0);
        for (int i = 0; i < ctx->n; i++) {
            const int at = i * ctx->n_group + j;
            if (stage == ML_STAGE_FIRST) {
                ml_sincos_near(angle[at], &w->s[at], &w->c[at]);
                near &= ml_within(angle[at], ML_ANGLE_FAST);
                continue;
            }
            const ml_vec increment = angle[at] - w->anchor[at];
            w->s[at] = w->anchor_s[at];
            w->c[at] = w->anchor_c[at];
            ml_sincos_update(increment, &w->s[at], &w->c[at]);
            near &= ml_within(increment, ML_INCREMENT_MAX);
        }
        if (__builtin_expect(ml_bits(~near) != 0, 0))
            chain_sincos_far(ctx->n, ctx->n_group, j, stage, angle, *w);
    }
}

/* Sines and cosines of the angles. The fast path has no way out for large increments: the mere
 * branch costs it some 6 %. */
ML_INLINE void chain_sincos_stage(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *angle,
                                  const struct chain_work *w)
{
    if (ctx->path == ML_CHECKED)
        chain_sincos_checked(ctx, stage, angle, w);
    else if (stage == ML_STAGE_FIRST)
        chain_sincos_first(ctx, angle, w);
    else
        chain_sincos_update(ctx, angle, w);
    for (int at = 0; at < ctx->n * ctx->n_group && stage == ML_STAGE_FIRST; at++) {
        w->anchor[at] = angle[at];
        w->anchor_s[at] = w->s[at];
        w->anchor_c[at] = w->c[at];
    }
}

ML_INLINE void chain_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t, const ml_vec *x,
                         ml_vec *dx, ml_vec *work)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const struct chain_work w = chain_work_of(ctx, work);
    const ml_vec *omega = x + n * n_group;
    ml_vec *force = dx + n * n_group;
    chain_sincos_stage(ctx, stage, x, &w);
    for (int at = 0; at < n * n_group; at++)
        dx[at] = omega[at];
    if (ctx->n_law > 0)
        chain_apply_laws(ctx, t, x, dx, &w);
    if (ctx->solver == ML_SOLVER_recursive) {
        chain_accelerate_recursive(ctx, omega, force, &w);
        return;
    }
    chain_assemble(ctx, true, omega, force, &w);
    for (int j = 0; j < n_group; j++) {
        ml_vec pivot = ml_solve(ctx->solver, n, n_group, w.mass + j, force + j, w.rest);
        ctx->smallest[j] = ml_min(pivot, ctx->smallest[j]);
    }
}

/* Evaluation of a vector of lanes.
 *   constants  at its first lane
 *   smallest   pivot, to begin with infinity */
ML_INLINE struct ml_rhs_ctx chain_flow_of(const struct ml_instance *model, const double *constants,
                                          ml_vec *smallest)
{
    return (struct ml_rhs_ctx){
        .n = model->n,
        .n_x = chain_n_x(model),
        .n_group = 1,
        .parameter = -1,
        .has_joint_terms = model->has_joint_terms,
        .choice = model->choice,
        .laws = model->laws,
        .n_law = model->n_law,
        .solver = model->solver,
        .constants = constants,
        .smallest = smallest,
    };
}

/* State and its rate at time t of one vector of lanes, [n_x] each, at the front of `work`.
 *   constants, x  at its first lane */
static void chain_rate_of_lanes(const struct ml_rhs_ctx *ctx, ml_vec t, const double *x,
                                ml_vec *work)
{
    ml_vec *state = work, *deriv = state + ctx->n_x;
    for (int i = 0; i < ctx->n_x; i++)
        state[i] = ml_load(x, i);
    chain_rhs(ctx, ML_STAGE_FIRST, &t, state, deriv, deriv + ctx->n_x);
}

#endif
