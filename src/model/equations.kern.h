/* equations: x' = f(t, x, p), which a study gives as formulas. The general kernel interprets the
 * programs of them that are `own` of the instance; in a kernel that is made for the study they are
 * C (expr/emit.h), behind this unit. Both call the same functions in the same order. */
#include "model/equations.h"
#include "model/equations_ops.kern.h"
#include "model/first_order.kern.h"

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
    first_order_sincos(ctx, j, angle, sine, cosine);
}

#ifdef ML_SPEC_TEXT

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

/* Where an instruction finds its numbers: rows of n_group vectors. */
struct equations_rows {
    const ml_vec *t, *x, *y;
    ml_vec *registers;
};

/* Operations of one, two and three arguments, for EQUATIONS_OP. */
#define EQUATIONS_1(name) ml_op_##name(a[j])
#define EQUATIONS_2(name) ml_op_##name(a[j], b[j])
#define EQUATIONS_3(name) ml_op_##name(a[j], b[j], c[j])

/* Of all vectors side by side, so that they share the time it takes to find the operation. */
ML_INLINE void equations_step(const struct ml_rhs_ctx *ctx, const struct ml_instruction *in,
                              const struct equations_rows *rows)
{
    const int n = ctx->n_group;
    ml_vec *r = rows->registers, *out = r + in->out * n;
    const ml_vec *a = r + in->arg[0] * n, *b = r + in->arg[1] * n, *c = r + in->arg[2] * n;
    switch (in->op) {
    case ML_OP_LITERAL:
        for (int j = 0; j < n; j++)
            out[j] = ml_splat(in->value);
        break;
    case ML_OP_TIME:
        for (int j = 0; j < n; j++)
            out[j] = rows->t[j];
        break;
    case ML_OP_STATE:
        for (int j = 0; j < n; j++)
            out[j] = rows->x[in->arg[0] * n + j];
        break;
    case ML_OP_STATE_DERIV:
        for (int j = 0; j < n; j++)
            out[j] = rows->y[in->arg[0] * n + j];
        break;
    case ML_OP_PARAM:
        for (int j = 0; j < n; j++)
            out[j] = equations_param(ctx, j, in->arg[0]);
        break;
    case ML_OP_PARAM_DERIV:
        for (int j = 0; j < n; j++)
            out[j] = equations_param_deriv(ctx, j, in->arg[0]);
        break;
    case ML_OP_sin:
    case ML_OP_cos:
        for (int j = 0; j < n; j++) {
            ml_vec sine, cosine;
            equations_sincos(ctx, j, a[j], &sine, &cosine);
            if (in->out != ML_NO_NODE)
                out[j] = sine;
            if (in->cosine != ML_NO_NODE)
                r[in->cosine * n + j] = cosine;
        }
        break;
#define ML_OP(name, n_argument, word)              \
    case ML_OP_##name:                             \
        for (int j = 0; j < n; j++)                \
            out[j] = EQUATIONS_##n_argument(name); \
        break;
#define ML_OP_PAIR(name, word)
#include "expr/ops.def"
    case ML_N_OP:
        break;
    }
}

/* One phase of a program, whose outputs become rows or are added to them. */
static __attribute__((noinline)) void equations_run(const struct ml_rhs_ctx *ctx, int phase,
                                                    const struct equations_rows *rows,
                                                    bool is_added, ml_vec *out)
{
    const struct ml_equations *own = ctx->own;
    const struct ml_program *program = &own->programs[equations_kind(ctx)];
    const struct ml_phase *p = &program->phases[phase];
    const int n = ctx->n_group;
    for (int i = p->first; i < p->first + p->n; i++)
        equations_step(ctx, &program->instructions[i], rows);
    for (int o = 0; o < p->n_output; o++)
        for (int j = 0; j < n; j++) {
            ml_vec value = ml_splat(0.0);
            if (p->outputs[o] != ML_NO_NODE)
                value = rows->registers[p->outputs[o] * n + j];
            else if (is_added)
                continue;
            out[o * n + j] = is_added ? (ml_vec)(out[o * n + j] + value) : value;
        }
}

ML_INLINE void equations_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,
                             const ml_vec *x, ml_vec *dx, ml_vec *work)
{
    (void)stage;
    equations_run(ctx, 0, &(struct equations_rows){t, x, NULL, work}, false, dx);
}

ML_INLINE void equations_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,
                                 const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)
{
    (void)dx;
    const struct equations_rows rows = {t, x, y, work};
    equations_run(ctx, 1, &rows, false, dy);
    if (ctx->parameter >= 0)
        equations_run(ctx, 2, &rows, true, dy);
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
