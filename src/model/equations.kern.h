/* equations: x' = f(t, x, p), which a study gives as formulas. The general kernel interprets the
 * programs of them that are `own` of the instance; in a kernel that is made for the study they are
 * C (expr/emit.h), behind this unit. Both call the same functions in the same order. */
#include "model/equations.h"
#include "model/first_order.kern.h"
#include "model/program.kern.h"

#define EQUATIONS_GENERAL_GROUPS ML_ROW
#define EQUATIONS_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)
#define EQUATIONS_ANY_GROUPS 1

#define EQUATIONS_HAS_TANGENTS 1
#define EQUATIONS_HAS_FORCING 1

static const struct ml_equations *equations_of(const struct ml_instance *model)
{
    return model->own;
}

#ifdef ML_SPEC_TEXT

static int equations_n_x(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_STATE;
}

static int equations_constant_rows(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_CONSTANT;
}

static int equations_rhs_rows(const struct ml_instance *model)
{
    (void)model;
    return ML_SPEC_KEPT;
}

#else

/* The registry lists the system without a study, too. */
static int equations_n_x(const struct ml_instance *model)
{
    return model->own ? equations_of(model)->n_state : 0;
}

static int equations_constant_rows(const struct ml_instance *model)
{
    return model->own ? equations_of(model)->n_param : 0;
}

/* The registers of the longest program. */
static int equations_rhs_rows(const struct ml_instance *model)
{
    int rows = FIRST_ORDER_ROWS;
    for (int p = 0; model->own && p < ML_N_EQUATIONS; p++)
        if (equations_of(model)->programs[p].n_register > rows)
            rows = equations_of(model)->programs[p].n_register;
    return rows;
}

#endif

/* Which program serves a context. */
ML_INLINE int equations_kind(const struct ml_rhs_ctx *ctx)
{
    return !ctx->has_columns ? ML_EQUATIONS_BARE
           : ctx->n_sens > 0 ? ML_EQUATIONS_FORCED
                             : ML_EQUATIONS_TANGENT;
}

#ifdef ML_SPEC_TEXT

ML_INLINE ml_vec equations_param(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return first_order_param(ctx, j, i);
}

ML_INLINE ml_vec equations_param_deriv(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return first_order_param_deriv(ctx, ctx->n_constant, j, i);
}

ML_INLINE void equations_sincos(const struct ml_rhs_ctx *ctx, int j, ml_vec angle, ml_vec *sine,
                                ml_vec *cosine)
{
    ml_rhs_sincos(ctx, j, angle, sine, cosine);
}

/* Of one vector j of lanes: the phases of the three programs, behind this unit. */
typedef void equations_fn(const struct ml_rhs_ctx *ctx, int j, const ml_vec *t, const ml_vec *x,
                          ml_vec *work, ml_vec *out);
typedef void equations_along_fn(const struct ml_rhs_ctx *ctx, int j, const ml_vec *t,
                                const ml_vec *x, const ml_vec *y, ml_vec *work, ml_vec *out);
ML_INLINE equations_fn equations_bare, equations_first, equations_first_forced, equations_forcing;
ML_INLINE equations_along_fn equations_along, equations_along_forced;

ML_INLINE void equations_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                             const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    (void)stage;
    for (int j = 0; j < ctx->n_group; j++)
        if (equations_kind(ctx) == ML_EQUATIONS_BARE)
            equations_bare(ctx, j, t, x, work, dx);
        else if (equations_kind(ctx) == ML_EQUATIONS_TANGENT)
            equations_first(ctx, j, t, x, work, dx);
        else
            equations_first_forced(ctx, j, t, x, work, dx);
}

ML_INLINE void equations_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                 const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    (void)dx;
    for (int j = 0; j < ctx->n_group; j++) {
        if (equations_kind(ctx) == ML_EQUATIONS_TANGENT) {
            equations_along(ctx, j, t, x, y, work, dy);
            continue;
        }
        equations_along_forced(ctx, j, t, x, y, work, dy);
        if (ctx->parameter >= 0)
            equations_forcing(ctx, j, t, x, work, dy);
    }
}

#else

/* Where a program finds the numbers of a context.
 *   y  NULL: there is no tangent vector */
ML_INLINE struct ml_program_rows equations_rows(const struct ml_rhs_ctx *ctx, const ml_vec *t,
                                                const ml_vec *x, const ml_vec *y, ml_vec *work)
{
    return (struct ml_program_rows){
        .n = ctx->n_group,
        .t = t,
        .x = x,
        .y = y,
        .params = ctx->constants,
        .param_derivs = ctx->constants + (long)(1 + ctx->parameter) * ctx->n_constant * ML_LANES,
        .registers = work,
        .ctx = ctx,
    };
}

ML_INLINE const struct ml_program *equations_program(const struct ml_rhs_ctx *ctx)
{
    const struct ml_equations *own = ctx->own;
    return &own->programs[equations_kind(ctx)];
}

ML_INLINE void equations_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                             const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    (void)stage;
    const struct ml_program_rows rows = equations_rows(ctx, t, x, NULL, work);
    ml_program_run(equations_program(ctx), 0, &rows, false, dx);
}

ML_INLINE void equations_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                 const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    (void)dx;
    const struct ml_program_rows rows = equations_rows(ctx, t, x, y, work);
    ml_program_run(equations_program(ctx), 1, &rows, false, dy);
    if (ctx->parameter >= 0)
        ml_program_run(equations_program(ctx), 2, &rows, true, dy);
}

#endif

/* The first phase has done so. */
ML_INLINE void equations_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x, const ml_vec *dx,
                                   ml_vec *work)
{
    (void)ctx, (void)x, (void)dx, (void)work;
}

static void equations_prepare(const struct ml_instance *model, const double *values,
                              double *constants, double *x)
{
    const int n = equations_constant_rows(model);
    first_order_prepare(n, n, equations_n_x(model), values, constants, x);
}

static void equations_prepare_deriv(const struct ml_instance *model, const double *values,
                                    const double *deriv, const double *constants,
                                    double *constant_deriv, double *x_deriv)
{
    (void)values, (void)constants;
    equations_prepare(model, deriv, constant_deriv, x_deriv); /* linear: copies */
}

static void equations_record(const struct ml_instance *model, const double *t,
                             const double *constants, const double *x, double *work,
                             double *const *out)
{
    (void)t;
    first_order_record(equations_n_x(model), NULL, NULL, model, constants, x, work, out);
}

/* What all have in common; the study reader adds the tables of the study at hand. */
ML_DESCRIPTOR(ml_system, equations) = {
    .name = "equations",
    .doc = "a system that the study gives as formulas (docs/equations.md)",
    .has_formulas = true,
    .has_tangents = true,
    .n_x = equations_n_x,
    .is_plain = first_order_is_plain,
    .constant_rows = equations_constant_rows,
    .rhs_rows = equations_rhs_rows,
    .prepare = equations_prepare,
    .prepare_deriv = equations_prepare_deriv,
    .record = equations_record,
};
