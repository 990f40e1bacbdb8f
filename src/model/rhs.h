/* How kernels see a system: the right-hand side of dx/dt = f(t, x) for some vectors of lanes. */
#ifndef ML_MODEL_RHS_H
#define ML_MODEL_RHS_H

#include "linalg/solve.kern.h"
#include "model/system.h"
#include "simd/vmath.h"

/* Code path of an evaluation: the fast path assumes conditions that nearly always hold; where they
 * fail the step is repeated by the checked path. A lane's results do not depend on the path. */
enum ml_path {
    ML_CHECKED, /* right for any state */
    ML_FAST     /* assumes that angles, and how far they turn within a step, are small */
};

/* A system on the lanes that a kernel advances together: `n_group` vectors, so that the processor
 * works on one while results of another are on their way. In a kernel compiled for a spec all
 * fields but the pointers, the number of columns and the fields of single columns are compile-time
 * constants. */
struct ml_rhs_ctx {
    int n, n_x, n_group;
    int rhs_rows; /* of scratch that the system takes */
    bool has_joint_terms;
    /* As of ml_instance. */
    const int *choice;
    const struct ml_law *laws;
    int n_law;
    const void *own;

    bool is_compensated; /* rounding errors of the state are carried on */
    bool has_columns;    /* there are tangent vectors */
    int n_column;        /* how many */
    int n_sens;          /* of them the last, forced by a change of the constants */
    int parameter;       /* which of these is being evaluated; -1: one of the others */
    enum ml_path path;
    enum ml_solver_kind solver;
    int n_constant;          /* rows of constants; as many follow along each parameter */
    const double *constants; /* rows from `prepare`, at the first lane */
    ml_vec *smallest;        /* [n_group] smallest pivot of any mass matrix so far */

    /* [n_group] s: when the step under way begins, and how long it is; set where there are laws.
     * NULL: there is no step, but one time. */
    const ml_vec *begin, *length;

    /* [n_group] of the fast path: largest |angle| whose sine was asked for, and largest |increment|
     * of one since the first stage of the step */
    ml_vec *largest_angle, *largest_increment;
};

/* Stages of a step. The states of later stages are a fraction of a step away from that of the
 * first, so that its results in `work` may serve. */
enum ml_stage { ML_STAGE_FIRST, ML_STAGE_LATER };

/* The right-hand side of a system: dx/dt = f(t, x).
 *   t     [n_group] s
 *   x     [n_x][n_group]
 *   dx    [n_x][n_group] out
 *   work  [rhs_rows][n_group], kept from stage to stage of a step
 * Lowers ctx->smallest to the smallest pivot met; it ends <= 0 where a mass matrix was not
 * positive definite. The result of a lane depends on that lane alone, and not on the path. */
typedef void ml_rhs_fn(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t, const ml_vec *x,
                       ml_vec *dx, ml_vec *work);

/* Linearisation of a system with tangents in closed form: the terms that all tangent vectors of an
 * evaluation have in common. Called right after the right-hand side.
 *   x, dx  the state and its derivative */
typedef void ml_linearise_fn(const struct ml_rhs_ctx *ctx, const ml_vec *x, const ml_vec *dx,
                             ml_vec *work);

/* And dy/dt = (df/dx) y of one tangent vector, + df/dp for ctx->parameter >= 0, at the state that
 * was linearised last.
 *   x, dx  the state and its derivative
 *   y      [n_x][n_group], dy the same out */
typedef void ml_tangent_fn(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                           const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work);

/* Sine and cosine of an angle [rad] of vector j. */
ML_INLINE void ml_rhs_sincos(const struct ml_rhs_ctx *ctx, int j, ml_vec angle, ml_vec *sine,
                             ml_vec *cosine)
{
    if (ctx->path == ML_CHECKED) {
        ml_sincos(1, &angle, sine, cosine);
    } else {
        ml_sincos_near(angle, sine, cosine);
        ctx->largest_angle[j] = ml_max(ml_abs(angle), ctx->largest_angle[j]);
    }
}

/* Sine and cosine of an angle that is a row of the state: at later stages of a step those of the
 * first stage are turned, in each lane in which they may be.
 *   anchor  [3][n_group], at group j: angle, sine and cosine of the first stage */
ML_INLINE void ml_rhs_sincos_of(const struct ml_rhs_ctx *ctx, int stage, int j, ml_vec *anchor,
                                ml_vec angle, ml_vec *sine, ml_vec *cosine)
{
    ml_vec *anchor_s = anchor + ctx->n_group, *anchor_c = anchor_s + ctx->n_group;
    if (stage == ML_STAGE_FIRST) {
        ml_rhs_sincos(ctx, j, angle, sine, cosine);
        *anchor = angle;
        *anchor_s = *sine;
        *anchor_c = *cosine;
        return;
    }
    const ml_vec increment = angle - *anchor;
    *sine = *anchor_s;
    *cosine = *anchor_c;
    ml_sincos_update(increment, sine, cosine);
    if (ctx->path != ML_CHECKED) {
        ctx->largest_increment[j] = ml_max(ml_abs(increment), ctx->largest_increment[j]);
        return;
    }
    const ml_mask turned = ml_within(increment, ML_INCREMENT_MAX);
    if (__builtin_expect(ml_bits(~turned) != 0, 0)) {
        ml_vec s, c;
        ml_sincos(1, &angle, &s, &c);
        *sine = ml_select(turned, *sine, s);
        *cosine = ml_select(turned, *cosine, c);
    }
}

#endif
