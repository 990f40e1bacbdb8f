/* The chain's generalised forces: its terms in O(n), state-dependent forces, and their loads on the
 * segments. */
#ifndef ML_MODEL_CHAIN_FORCES_H
#define ML_MODEL_CHAIN_FORCES_H

#include "linalg/solve.kern.h"
#include "model/chain/params.kern.h"
#include "model/law.kern.h"
#include "model/rhs.h"
#include "simd/vmath.h"

/* Scratch of an evaluation of the chain's right-hand side. */

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

ML_INLINE int chain_n_x(const struct ml_instance *model)
{
    return 2 * model->n + model->n_law_state;
}

/* Pairs of segments that have rows of their own. */
ML_INLINE int chain_pairs(int n) { return n <= CHAIN_MAX_PAIRWISE ? ml_tri(n - 1, 0) : 0; }

/* Rows from by_angle on that all tangents take; those of a long chain's fit in a short one's. */
ML_INLINE int chain_deriv_rows(int n) { return n <= CHAIN_MAX_PAIRWISE ? 2 * n * n + n : 3 * n; }

/* Rows of an evaluation, except for anchors and derivatives by parameters. */
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
static int chain_rhs_rows(const struct ml_instance *model)
{
    const int n = model->n;
    return (CHAIN_ANCHORS + CHAIN_FORCING) * n + chain_stage_rows(n, model->n_column > 0) +
           2 * chain_n_x(model);
}

/* A sum of vectors in the plane along the chain. */
struct chain_sum {
    ml_vec s, c;
};

/* Sine and cosine of one segment's angle times length and times mu, loaded once: the compiler must
 * assume that stores in between alias these rows. */
struct chain_segment {
    ml_vec ls, lc, ms, mc;
};

ML_INLINE struct chain_segment chain_segment_at(const struct chain_work *w, int at)
{
    return (struct chain_segment){w->ls[at], w->lc[at], w->ms[at], w->mc[at]};
}

/* Forces and mass matrix of the chain. c_ij being a product, the sums over j factor:
 *   C_i = mu_i [cos phi_i sum_{j<i} l_j sin phi_j omega_j^2 - sin phi_i sum_{j<i} l_j cos phi_j ..]
 *       + l_i  [cos phi_i sum_{j>i} mu_j sin phi_j omega_j^2 - sin phi_i sum_{j>i} mu_j cos ..]
 *   M_ij = (mu_i cos phi_i)(l_j cos phi_j) + (mu_i sin phi_i)(l_j sin phi_j), i > j
 * so that a pass outwards and one inwards give all forces in O(n). */

/* Torque of joint i on segment i; its reaction acts on segment i - 1. */
ML_INLINE ml_vec chain_joint_torque(const struct ml_rhs_ctx *ctx, int i, int j, const ml_vec *omega)
{
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec rate = omega[i * ctx->n_group + j];
    if (i > 0)
        rate -= omega[(i - 1) * ctx->n_group + j];
    return ml_fnma(ml_load(constants, chain_row_damping(i)), rate,
                   ml_load(constants, chain_row_torque(i)));
}

/* From base to tip: products, and G and the part of C that the segments nearer to the base exert.
 */
ML_INLINE void chain_forces_outward(const struct ml_rhs_ctx *ctx, bool has_gravity,
                                    const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    struct chain_sum sum[ML_ROW];
    for (int j = 0; j < n_group; j++)
        sum[j] = (struct chain_sum){ml_splat(0.0), ml_splat(0.0)};
    for (int i = 0; i < ctx->n; i++)
        for (int j = 0; j < n_group; j++) {
            const double *constants = ctx->constants + j * ML_WIDTH;
            const int at = i * n_group + j;
            ml_vec length = ml_load(constants, chain_row_length(i));
            ml_vec mu = ml_load(constants, chain_row_mu(i)), square = omega[at] * omega[at];
            ml_vec s = w->s[at], c = w->c[at], f = ml_splat(0.0);
            const struct chain_segment own = {length * s, length * c, mu * s, mu * c};
            w->ls[at] = own.ls;
            w->lc[at] = own.lc;
            w->ms[at] = own.ms;
            w->mc[at] = own.mc;
            if (has_gravity)
                f = ml_fma(ml_load(constants, CHAIN_ROW_ALONG), own.mc,
                           ml_load(constants, CHAIN_ROW_ACROSS) * own.ms);
            force[at] = ml_fnma(own.ms, sum[j].c, ml_fma(own.mc, sum[j].s, f));
            sum[j].s = ml_fma(own.ls, square, sum[j].s);
            sum[j].c = ml_fma(own.lc, square, sum[j].c);
        }
}

/* The force at segment i on the way from tip to base: `force` of the way there, the rest of C, and
 * joint torques.
 *   sum     of the segments beyond, which this one joins
 *   torque  of the joint beyond, replaced by that of joint i */
ML_INLINE ml_vec chain_force_inward(const struct ml_rhs_ctx *ctx, int i, int j, const ml_vec *omega,
                                    ml_vec force, const struct chain_segment *own,
                                    const struct chain_work *w, struct chain_sum *sum,
                                    ml_vec *torque)
{
    const int at = i * ctx->n_group + j;
    ml_vec square = omega[at] * omega[at];
    ml_vec f = ml_fnma(own->ls, sum->c, ml_fma(own->lc, sum->s, force));
    sum->s = ml_fma(own->ms, square, sum->s);
    sum->c = ml_fma(own->mc, square, sum->c);
    if (ctx->has_joint_terms) {
        ml_vec joint = chain_joint_torque(ctx, i, j, omega);
        f += joint - *torque;
        *torque = joint;
    }
    if (ctx->n_law > 0)
        f += w->applied[at];
    return f;
}

/* All forces and M by sums. */
ML_INLINE void chain_assemble_sums(const struct ml_rhs_ctx *ctx, bool has_gravity,
                                   const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n_group = ctx->n_group;
    chain_forces_outward(ctx, has_gravity, omega, force, w);
    ML_UNROLL
    for (int j = 0; j < n_group; j++) {
        struct chain_sum sum = {ml_splat(0.0), ml_splat(0.0)};
        ml_vec torque = ml_splat(0.0);
        ML_UNROLL
        for (int i = ctx->n - 1; i >= 0; i--) {
            const struct chain_segment own = chain_segment_at(w, i * n_group + j);
            force[i * n_group + j] = chain_force_inward(ctx, i, j, omega, force[i * n_group + j],
                                                        &own, w, &sum, &torque);
        }
    }
    ML_UNROLL
    for (int i = 0; i < ctx->n; i++)
        ML_UNROLL
    for (int j = 0; j < n_group; j++) {
        const double *constants = ctx->constants + j * ML_WIDTH;
        ML_UNROLL
        for (int k = 0; k < i; k++)
            w->mass[ml_tri(i, k) * n_group + j] =
                ml_fma(w->mc[i * n_group + j], w->lc[k * n_group + j],
                       w->ms[i * n_group + j] * w->ls[k * n_group + j]);
        w->mass[ml_tri(i, i) * n_group + j] = ml_load(constants, chain_row_diagonal(i));
    }
}

/* Group j's forces and M, pair by pair. */
ML_INLINE void chain_assemble_pairs(const struct ml_rhs_ctx *ctx, int j, bool has_gravity,
                                    const ml_vec *omega, ml_vec *force, const struct chain_work *w)
{
    const int n = ctx->n, n_group = ctx->n_group;
    const double *constants = ctx->constants + j * ML_WIDTH;
    ml_vec square[CHAIN_MAX_PAIRWISE], f[CHAIN_MAX_PAIRWISE];
    const ml_vec *s = w->s + j, *c = w->c + j;
    ML_UNROLL
    for (int i = 0; i < n; i++) {
        int at = i * n_group;
        square[i] = omega[at + j] * omega[at + j];
        f[i] = ml_splat(0.0);
        if (has_gravity)
            f[i] = ml_fma(ml_load(constants, chain_row_along(n, i)), c[at],
                          ml_load(constants, chain_row_across(n, i)) * s[at]);
        w->mass[ml_tri(i, i) * n_group + j] = ml_load(constants, chain_row_diagonal(i));
        ML_UNROLL
        for (int k = 0; k < i; k++) {
            int by = k * n_group;
            ml_vec coupling = ml_load(constants, chain_row_coupling(n, i, k));
            /* c_ik times the sine and the cosine of the difference */
            ml_vec pull = coupling * ml_fnma(c[at], s[by], s[at] * c[by]);
            w->mass[ml_tri(i, k) * n_group + j] = coupling * ml_fma(c[at], c[by], s[at] * s[by]);
            f[i] = ml_fnma(pull, square[k], f[i]);
            f[k] = ml_fma(pull, square[i], f[k]);
            if (ctx->has_columns) {
                w->pull[ml_tri(i - 1, k) * n_group + j] = pull;
                w->turn[ml_tri(i - 1, k) * n_group + j] = w->mass[ml_tri(i, k) * n_group + j];
            }
        }
    }
    ml_vec torque = ml_splat(0.0);
    ML_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        if (ctx->has_joint_terms) {
            ml_vec own = chain_joint_torque(ctx, i, j, omega);
            f[i] += own - torque;
            torque = own;
        }
        if (ctx->n_law > 0)
            f[i] += w->applied[i * n_group + j];
        force[i * n_group + j] = f[i];
    }
}

/* All forces and M; which form depends on n alone, so that the bits do.
 *   omega  [n] rates
 *   force  [n] out */
ML_INLINE void chain_assemble(const struct ml_rhs_ctx *ctx, bool has_gravity, const ml_vec *omega,
                              ml_vec *force, const struct chain_work *w)
{
    if (ctx->n > CHAIN_MAX_PAIRWISE)
        chain_assemble_sums(ctx, has_gravity, omega, force, w);
    else
        for (int j = 0; j < ctx->n_group; j++)
            chain_assemble_pairs(ctx, j, has_gravity, omega, force, w);
}

/* Sums that forces with laws add to. */

/* All n laws at a stage: their generalised forces and the rates of their own states; or, of a
 * tangent vector, the derivatives of these. A kernel that is made for its laws has them inlined
 * (engine/kernels/spec_laws.kern.h). */
ML_INLINE void ml_laws_force(int n, const struct ml_law *laws, const struct ml_law_view *view,
                             const ml_vec *t);
ML_INLINE void ml_laws_tangent(int n, const struct ml_law *laws, const struct ml_law_view *view,
                               const ml_vec *t);

/* View of a law at the angles of the sines s and cosines c. */
ML_INLINE struct ml_law_view chain_law_view(int n, int n_group, const int *choice,
                                            const double *constants, const ml_vec *x,
                                            const ml_vec *s, const ml_vec *c)
{
    return (struct ml_law_view){
        .n = n,
        .n_group = n_group,
        .is_down = choice[CHAIN_ZERO] == CHAIN_DOWN,
        .is_joint = choice[CHAIN_ANGLES] == CHAIN_JOINT,
        .begin = NULL,
        .length = NULL,
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
        /* Every field has an initialiser: with one missing, compilers clear the whole struct first.
         */
        .force = NULL,
        .dx = NULL,
        .field = NULL,
        .load = NULL,
        .error = NULL,
        .slip = NULL,
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
    view.begin = ctx->begin;
    view.length = ctx->length;
    view.force = w->applied;
    view.dx = dx;
    for (int at = 0; at < ctx->n * ctx->n_group; at++)
        w->applied[at] = ml_splat(0.0);
    ml_laws_force(ctx->n_law, ctx->laws, &view, t);
}

/* Adds the derivatives of the laws' forces along a tangent vector y to the forces in dy. */
ML_INLINE void chain_apply_law_derivs(const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                      const ml_vec *x, const ml_vec *y, ml_vec *dy,
                                      const struct chain_work *w)
{
    struct ml_law_view view =
        chain_law_view(ctx->n, ctx->n_group, ctx->choice, ctx->constants, x, w->s, w->c);
    view.begin = ctx->begin;
    view.length = ctx->length;
    if (ctx->parameter >= 0)
        view.constant_derivs =
            ctx->constants + (long)(1 + ctx->parameter) * ctx->n_constant * ML_LANES;
    view.y = y;
    view.force_deriv = dy + ctx->n * ctx->n_group;
    view.dy = dy;
    ml_laws_tangent(ctx->n_law, ctx->laws, &view, t);
}

/* State of one vector of lanes, with sines and cosines behind it: [2 n], [n], [n]. */
ML_INLINE struct ml_law_view chain_law_view_of(const struct ml_instance *model,
                                               const double *constants, const double *x,
                                               ml_vec *work)
{
    const int n = model->n;
    ml_vec *s = work + 2 * n, *c = s + n;
    for (int i = 0; i < 2 * n; i++)
        work[i] = ml_load(x, i);
    ml_sincos(n, work, s, c);
    return chain_law_view(n, 1, model->choice, constants, work, s, c);
}

/* Adds the laws' potential energies, J, of one vector of lanes.
 *   work  [4 n] */
ML_INLINE void chain_law_potentials(const struct ml_instance *model, const double *constants,
                                    const double *x, ml_vec *work, double *potential)
{
    struct ml_law_view view = chain_law_view_of(model, constants, x, work);
    const ml_vec t = ml_splat(0.0); /* a potential does not depend on it */
    ml_vec sum = ml_load(potential, 0);
    view.potential = &sum;
    for (int l = 0; l < model->n_law; l++) {
        const struct ml_law_functions *law = ML_K(ml_law_functions_of)(model->laws[l].type);
        if (model->laws[l].has_potential)
            law->potential(&model->laws[l], &view, &t);
    }
    ml_store(potential, 0, sum);
}

/* And their derivatives.
 *   derivatives, dx  derivatives of constants and x
 *   work        [5 n] */
ML_INLINE void chain_law_potential_derivs(const struct ml_instance *model, const double *constants,
                                          const double *derivs, const double *x, const double *dx,
                                          ml_vec *work, double *potential)
{
    struct ml_law_view view = chain_law_view_of(model, constants, x, work);
    const ml_vec t = ml_splat(0.0); /* a potential does not depend on it */
    ml_vec sum = ml_load(potential, 0), *turn = work + 4 * model->n;
    for (int i = 0; i < model->n; i++)
        turn[i] = ml_load(dx, i);
    view.y = turn;
    view.constant_derivs = derivs;
    view.potential_deriv = &sum;
    for (int l = 0; l < model->n_law; l++) {
        const struct ml_law_functions *law = ML_K(ml_law_functions_of)(model->laws[l].type);
        if (model->laws[l].has_potential)
            law->potential_deriv(&model->laws[l], &view, &t);
    }
    ml_store(potential, 0, sum);
}

/* Forces of laws on the chain's segments, for inverse dynamics: `loads` of ml_system. */

/* One vector of lanes, from lane `group` on. */
ML_INLINE void chain_loads_of(const struct ml_instance *model, const double *constants,
                              const double *x, int group, double *work, const struct ml_loads *out)
{
    const int n = model->n;
    ml_vec *own = (ml_vec *)work + 4 * n, *outside = own + n, *planar = outside + n;
    const ml_vec time = ml_load(out->time + group, 0);
    struct ml_law_view view =
        chain_law_view_of(model, constants + group, x + group, (ml_vec *)work);
    ml_vec start[4], uniform[2] = {ml_splat(0.0), ml_splat(0.0)};
    for (int d = 0; out->base && d < 4; d++)
        start[d] = ml_load(out->base + group, d);
    view.base = out->base ? start : NULL;
    view.field = uniform;
    for (int i = 0; i < 5 * n; i++)
        own[i] = ml_splat(0.0);
    for (int k = 0; k < model->n_law; k++) {
        const struct ml_law *law = &model->laws[k];
        if (!law->is_external && !law->is_passive)
            continue;
        view.force = law->is_external ? outside : own;
        view.load = law->is_external ? planar : NULL;
        ML_K(ml_law_functions_of)(law->type)->force(law, &view, &time);
    }
    for (int i = 0; i < n; i++)
        ml_store(out->passive + group, i, own[i]);
    for (int i = 0; i < 3 * n; i++)
        ml_store(out->load + group, i, planar[i]);
    for (int d = 0; d < 2; d++)
        ml_store(out->field + group, d, uniform[d]);
}

static void chain_loads(const struct ml_instance *model, const double *constants, const double *x,
                        double *work, const struct ml_loads *out)
{
    for (int group = 0; group < ML_LANES; group += ML_WIDTH)
        chain_loads_of(model, constants, x, group, work, out);
}

#endif
