/* What forces with laws of their own add to the chain. */
#ifndef ML_SYSTEMS_CHAIN_LAWS_H
#define ML_SYSTEMS_CHAIN_LAWS_H

#include "simd/vmath.h"
#include "systems/chain_constants.kern.h"
#include "systems/chain_work.kern.h"
#include "systems/law.kern.h"

/* All n laws at a stage: their generalised forces and the rates of their own states; or, of a
 * tangent vector, the derivatives of these. A kernel that is made for its laws has them inlined
 * (engine/spec_laws.kern.h). */
ML_INLINE void ml_laws_force(int n, const struct ml_law *laws, const struct ml_law_view *view,
                             const ml_vec *t);
ML_INLINE void ml_laws_tangent(int n, const struct ml_law *laws, const struct ml_law_view *view,
                               const ml_vec *t);

/* What a law sees at the angles that s and c are of. */
ML_INLINE struct ml_law_view chain_law_view(int n, int n_group, const int *choice,
                                            const double *constants, const ml_vec *x,
                                            const ml_vec *s, const ml_vec *c)
{
    return (struct ml_law_view){
        .n = n,
        .n_group = n_group,
        .is_down = choice[CHAIN_ZERO] == CHAIN_DOWN,
        .is_joint = choice[CHAIN_ANGLES] == CHAIN_JOINT,
        .constants = constants,
        .rows = {.along = CHAIN_ROW_ALONG,
                 .across = CHAIN_ROW_ACROSS,
                 .length = chain_row_length(0),
                 .mu = chain_row_mu(0),
                 .diagonal = chain_row_diagonal(0),
                 .stride = CHAIN_ROWS_PER_SEGMENT},
        .x = x,
        .s = s,
        .c = c,
        /* said one by one: else the whole is cleared first, which takes longer than it looks */
        .force = NULL,
        .dx = NULL,
        .load = NULL,
        .error = NULL,
        .constant_derivs = NULL,
        .y = NULL,
        .force_deriv = NULL,
        .dy = NULL,
        .potential = NULL,
        .potential_deriv = NULL,
    };
}

/* All laws' generalised forces, and the rates of their own states. */
ML_INLINE void chain_apply_laws(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                ml_vec *dx, const struct chain_work *w)
{
    struct ml_law_view view =
        chain_law_view(ctx->n, ctx->n_group, ctx->choice, ctx->constants, x, w->s, w->c);
    view.force = w->applied;
    view.dx = dx;
    for (int at = 0; at < ctx->n * ctx->n_group; at++)
        w->applied[at] = ml_splat(0.0);
    ml_laws_force(ctx->n_law, ctx->laws, &view, t);
}

/* The same of a tangent vector y, added to its forces in dy. */
ML_INLINE void chain_apply_law_derivs(const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                      const ml_vec *x, const ml_vec *y, ml_vec *dy,
                                      const struct chain_work *w)
{
    struct ml_law_view view =
        chain_law_view(ctx->n, ctx->n_group, ctx->choice, ctx->constants, x, w->s, w->c);
    if (ctx->parameter >= 0)
        view.constant_derivs =
            ctx->constants + (long)(1 + ctx->parameter) * ctx->n_constant * ML_LANES;
    view.y = y;
    view.force_deriv = dy + ctx->n * ctx->n_group;
    view.dy = dy;
    ml_laws_tangent(ctx->n_law, ctx->laws, &view, t);
}

/* State of one vector of lanes, with sines and cosines behind it: [2 n], [n], [n]. */
ML_INLINE struct ml_law_view chain_law_view_of(const struct ml_shape *shape,
                                               const double *constants, const double *x,
                                               ml_vec *work)
{
    const int n = shape->n;
    ml_vec *s = work + 2 * n, *c = s + n;
    for (int i = 0; i < 2 * n; i++)
        work[i] = ml_get(x, i);
    ml_sincos(n, work, s, c);
    return chain_law_view(n, 1, shape->choice, constants, work, s, c);
}

/* Adds the laws' potential energies, J, of one vector of lanes.
 *   work  [4 n] */
ML_INLINE void chain_law_potentials(const struct ml_shape *shape, const double *constants,
                                    const double *x, ml_vec *work, double *potential)
{
    struct ml_law_view view = chain_law_view_of(shape, constants, x, work);
    const ml_vec t = ml_splat(0.0); /* a potential does not depend on it */
    ml_vec sum = ml_get(potential, 0);
    view.potential = &sum;
    for (int l = 0; l < shape->n_law; l++) {
        const struct ml_law_functions *law = ML_K(ml_law_functions_of)(shape->laws[l].type);
        if (law->potential)
            law->potential(&shape->laws[l], &view, &t);
    }
    ml_put(potential, 0, sum);
}

/* And their derivatives.
 *   derivatives, dx  derivatives of constants and x
 *   work        [5 n] */
ML_INLINE void chain_law_potential_derivs(const struct ml_shape *shape, const double *constants,
                                          const double *derivs, const double *x, const double *dx,
                                          ml_vec *work, double *potential)
{
    struct ml_law_view view = chain_law_view_of(shape, constants, x, work);
    const ml_vec t = ml_splat(0.0); /* a potential does not depend on it */
    ml_vec sum = ml_get(potential, 0), *turn = work + 4 * shape->n;
    for (int i = 0; i < shape->n; i++)
        turn[i] = ml_get(dx, i);
    view.y = turn;
    view.constant_derivs = derivs;
    view.potential_deriv = &sum;
    for (int l = 0; l < shape->n_law; l++) {
        const struct ml_law_functions *law = ML_K(ml_law_functions_of)(shape->laws[l].type);
        if (law->potential_deriv)
            law->potential_deriv(&shape->laws[l], &view, &t);
    }
    ml_put(potential, 0, sum);
}

#endif
