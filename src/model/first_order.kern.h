/* Code shared by systems dx/dt = f(t, x) of a few numbers, without segments. The file of such a
 * system `name` (NAME in capitals) defines
 *
 *   NAME_N_PARAM, NAME_N_STATE: how many parameters and state quantities there are;
 *
 *   NAME_FIRST_RATE, NAME_N_RATE: the quantities that the energy at the start decides, as
 *   ml_system.start.first_rate and n_rate; one alone is found from the others;
 *
 *   NAME_N_POSITION: as ml_system.dynamics.n_position;
 *
 *   name_records: its quantities, all of one number: the state, if it has an energy then total,
 * kinetic and potential energy, and further records;
 *
 *   name_deriv: f for one vector of lanes (first_order_slope_fn);
 *
 *   name_jacobian: (df/dx) y of the same vector (first_order_tangent_fn), if NAME_HAS_TANGENTS is
 * 1;
 *
 *   if NAME_HAS_FORCING is 1, df/dp of it (first_order_forcing_fn), under any name;
 *
 *   NAME_GROUPS: vectors that a kernel advances side by side, from has_columns;
 *
 * and ends with FIRST_ORDER_TANGENTS and FIRST_ORDER_SYSTEM, which make the rest. State rows and
 * constants are state and parameters as the study gives them. */
#ifndef ML_MODEL_FIRST_ORDER_H
#define ML_MODEL_FIRST_ORDER_H

#include <string.h>

#include "model/rhs.h"
#include "simd/vmath.h"

enum {
    FIRST_ORDER_MOST = 8,     /* state quantities */
    FIRST_ORDER_ROWS = 2,     /* of scratch: kinetic and potential energy */
    FIRST_ORDER_ENERGIES = 3, /* among the records */
};

/* dx/dt of vector j of the context.
 *   x, dx  [n_state] */
typedef void first_order_deriv_fn(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                                  ml_vec *dx);

/* (df/dx) y of vector j of the context.
 *   x, y, dy  [n_state] */
typedef void first_order_tangent_fn(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                                    const ml_vec *y, ml_vec *dy);

/* Adds df/dp of vector j along the context's parameter to dy.
 *   x, dy  [n_state] */
typedef void first_order_forcing_fn(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                                    ml_vec *dy);

/* As ml_system.energy.measure. */
typedef void first_order_energy_fn(const struct ml_instance *model, const double *constants,
                                   const double *x, double *work, double *kinetic,
                                   double *potential, double *scale);

/* Records after state and energies, for each of them that is not NULL. */
typedef void first_order_show_fn(const double *constants, const double *x, double *const *out);

/* Derivatives of constants and state along parameter direction p. */
ML_INLINE const double *first_order_constants_along(int n_param, int p, const double *constants)
{
    return constants + (1 + p) * n_param * ML_LANES;
}

ML_INLINE const double *first_order_x_along(const struct ml_instance *model, int n_state, int p,
                                            const double *x)
{
    return x + (1 + model->n_column - model->n_sens + p) * n_state * ML_LANES;
}

/* Parameter i of vector j. */
ML_INLINE ml_vec first_order_param(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return ml_load(ctx->constants + j * ML_WIDTH, i);
}

/* How parameter i of n changes along the context's parameter. */
ML_INLINE ml_vec first_order_param_deriv(const struct ml_rhs_ctx *ctx, int n, int j, int i)
{
    return ml_load(ctx->constants + j * ML_WIDTH, (1 + ctx->parameter) * n + i);
}

/* Rows of vector j, [n][n_group], as [n], and back. */
ML_INLINE void first_order_take(const struct ml_rhs_ctx *ctx, int n, int j, const ml_vec *rows,
                                ml_vec *out)
{
    for (int i = 0; i < n; i++)
        out[i] = rows[i * ctx->n_group + j];
}

ML_INLINE void first_order_write(const struct ml_rhs_ctx *ctx, int n, int j, const ml_vec *in,
                                 ml_vec *rows)
{
    for (int i = 0; i < n; i++)
        rows[i * ctx->n_group + j] = in[i];
}

ML_INLINE void first_order_rhs(first_order_deriv_fn *deriv, int n, const struct ml_rhs_ctx *ctx,
                               const ml_vec *t, const ml_vec *x, ml_vec *dx)
{
    ml_vec state[FIRST_ORDER_MOST], out[FIRST_ORDER_MOST];
    for (int j = 0; j < ctx->n_group; j++) {
        first_order_take(ctx, n, j, x, state);
        deriv(ctx, j, t[j], state, out);
        first_order_write(ctx, n, j, out, dx);
    }
}

/* Derivatives of a system of n state quantities. */
struct first_order_derivs {
    first_order_tangent_fn *tangent;
    first_order_forcing_fn *forcing; /* NULL: left to differences of the right-hand side */
    int n;
};

ML_INLINE void first_order_tangent(struct first_order_derivs of, const struct ml_rhs_ctx *ctx,
                                   const ml_vec *t, const ml_vec *x, const ml_vec *y, ml_vec *dy)
{
    const int n = of.n;
    ml_vec state[FIRST_ORDER_MOST], own[FIRST_ORDER_MOST], out[FIRST_ORDER_MOST];
    for (int j = 0; j < ctx->n_group; j++) {
        first_order_take(ctx, n, j, x, state);
        first_order_take(ctx, n, j, y, own);
        of.tangent(ctx, j, state, own, out);
        if (of.forcing && ctx->parameter >= 0)
            of.forcing(ctx, j, t[j], state, out);
        first_order_write(ctx, n, j, out, dy);
    }
}

/* The first n_constant parameters of n_param are constants. */
ML_INLINE void first_order_prepare(int n_constant, int n_param, int n_state, const double *values,
                                   double *constants, double *x)
{
    for (int i = 0; i < n_constant * ML_LANES; i++)
        constants[i] = values[i];
    for (int i = 0; i < n_state * ML_LANES; i++)
        x[i] = values[n_param * ML_LANES + i];
}

/* Energies among the records: total, kinetic, potential, each may be NULL.
 *   work  [FIRST_ORDER_ROWS] */
ML_INLINE void first_order_record_energy(first_order_energy_fn *energy,
                                         const struct ml_instance *model, const double *constants,
                                         const double *x, double *work, double *const *out)
{
    double *kinetic = work, *potential = kinetic + ML_LANES;
    energy(model, constants, x, NULL, kinetic, potential, NULL);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (out[0])
            out[0][lane] = kinetic[lane] + potential[lane];
        if (out[1])
            out[1][lane] = kinetic[lane];
        if (out[2])
            out[2][lane] = potential[lane];
    }
}

static bool first_order_is_plain(const struct ml_instance *model)
{
    (void)model;
    return true;
}

/* Records of a system of n_state state quantities; energy, show: may be NULL. */
struct first_order_records {
    int n_state;
    first_order_energy_fn *energy;
    first_order_show_fn *show;
};

ML_INLINE void first_order_record(struct first_order_records of, const struct ml_instance *model,
                                  const double *constants, const double *x, double *work,
                                  double *const *out)
{
    const int n_state = of.n_state;
    for (int i = 0; i < n_state; i++)
        if (out[i])
            memcpy(out[i], x + i * ML_LANES, ML_LANES * sizeof *x);
    if (of.energy && (out[n_state] || out[n_state + 1] || out[n_state + 2]))
        first_order_record_energy(of.energy, model, constants, x, work, out + n_state);
    if (of.show)
        of.show(constants, x, out + n_state + (of.energy ? FIRST_ORDER_ENERGIES : 0));
}

/* name_linearise and name_tangent out of name_jacobian.
 *   forcing_or_null  first_order_forcing_fn */
#define FIRST_ORDER_TANGENTS(name, NAME, forcing_or_null)                                          \
    ML_INLINE void name##_linearise(const struct ml_rhs_ctx *ctx, const ml_vec *x,                 \
                                    const ml_vec *dx, ml_vec *work)                                \
    {                                                                                              \
        (void)ctx, (void)x, (void)dx, (void)work;                                                  \
    }                                                                                              \
    ML_INLINE void name##_tangent(const struct ml_rhs_ctx *ctx, const ml_vec *t, const ml_vec *x,  \
                                  const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work)     \
    {                                                                                              \
        (void)dx, (void)work;                                                                      \
        first_order_tangent(                                                                       \
            (struct first_order_derivs){name##_jacobian, forcing_or_null, NAME##_N_STATE}, ctx, t, \
            x, y, dy);                                                                             \
    }

/* Right-hand side and descriptor.
 *   own_params         [NAME_N_PARAM], or NULL if NAME_N_PARAM is 0
 *   energy_or_null     first_order_energy_fn
 *   deriv_or_null      as ml_system.energy.deriv
 *   text               doc for `list` */
#define FIRST_ORDER_SYSTEM(system, NAME, own_params, energy_or_null, deriv_or_null, text) \
    FIRST_ORDER_SHOWING_SYSTEM(system, NAME, own_params, energy_or_null, deriv_or_null, NULL, text)

/* Defines a system with records besides state and energies.
 *   show_or_null       first_order_show_fn */
#define FIRST_ORDER_SHOWING_SYSTEM(system, NAME, own_params, energy_or_null, deriv_or_null,        \
                                   show_or_null, text)                                             \
    _Static_assert((int)NAME##_N_STATE <= (int)FIRST_ORDER_MOST,                                   \
                   "more than a slope has room for");                                              \
    ML_INLINE void system##_rhs(const struct ml_rhs_ctx *ctx, int stage, const ml_vec *t,          \
                                const ml_vec *x, ml_vec *dx, ml_vec *work)                         \
    {                                                                                              \
        (void)stage, (void)work;                                                                   \
        first_order_rhs(system##_deriv, NAME##_N_STATE, ctx, t, x, dx);                            \
    }                                                                                              \
    static int system##_n_x(const struct ml_instance *model)                                       \
    {                                                                                              \
        (void)model;                                                                               \
        return NAME##_N_STATE;                                                                     \
    }                                                                                              \
    static int system##_constant_rows(const struct ml_instance *model)                             \
    {                                                                                              \
        return NAME##_N_PARAM + model->n_quantity_constant;                                        \
    }                                                                                              \
    static int system##_rhs_rows(const struct ml_instance *model)                                  \
    {                                                                                              \
        (void)model;                                                                               \
        return FIRST_ORDER_ROWS;                                                                   \
    }                                                                                              \
    static void system##_prepare(const struct ml_instance *model, const double *values,            \
                                 double *constants, double *x)                                     \
    {                                                                                              \
        (void)model;                                                                               \
        first_order_prepare(NAME##_N_PARAM, NAME##_N_PARAM, NAME##_N_STATE, values, constants, x); \
    }                                                                                              \
    static void system##_prepare_deriv(const struct ml_instance *model, const double *values,      \
                                       const double *deriv, const double *constants,               \
                                       double *constant_deriv, double *x_deriv)                    \
    {                                                                                              \
        (void)values, (void)constants;                                                             \
        system##_prepare(model, deriv, constant_deriv, x_deriv); /* linear: copies */              \
    }                                                                                              \
    static void system##_record(const struct ml_instance *model, const double *t,                  \
                                const double *constants, const double *x, double *work,            \
                                double *const *out)                                                \
    {                                                                                              \
        (void)t;                                                                                   \
        first_order_record(                                                                        \
            (struct first_order_records){NAME##_N_STATE, energy_or_null, show_or_null}, model,     \
            constants, x, work, out);                                                              \
    }                                                                                              \
    ML_DESCRIPTOR(ml_system, system) = {                                                           \
        .name = #system,                                                                           \
        .doc = text,                                                                               \
        .tables.params = own_params,                                                               \
        .tables.n_param = NAME##_N_PARAM,                                                          \
        .tables.records = system##_records,                                                        \
        .tables.n_record = sizeof system##_records / sizeof *system##_records,                     \
        .tables.state = system##_records,                                                          \
        .tables.n_state = NAME##_N_STATE,                                                          \
        .start.first_rate = (int)NAME##_FIRST_RATE,                                                \
        .start.n_rate = NAME##_N_RATE,                                                             \
        .start.finds_rate = NAME##_N_RATE == 1,                                                    \
        .dynamics.has_tangents = ML_SYSTEM_HAS_TANGENTS,                                           \
        .dynamics.n_position = NAME##_N_POSITION,                                                  \
        .dynamics.n_x = system##_n_x,                                                              \
        .dynamics.is_plain = first_order_is_plain,                                                 \
        .dynamics.constant_rows = system##_constant_rows,                                          \
        .dynamics.rhs_rows = system##_rhs_rows,                                                    \
        .dynamics.prepare = system##_prepare,                                                      \
        .parameters.prepare_deriv = system##_prepare_deriv,                                        \
        .dynamics.record = system##_record,                                                        \
        .energy.measure = energy_or_null,                                                          \
        .energy.deriv = deriv_or_null,                                                             \
    }

#endif
