/* duffing: x'' + delta x' + alpha x + beta x^3 = gamma cos(omega t)
 *
 * G. Duffing, Erzwungene Schwingungen bei veraenderlicher Eigenfrequenz, Vieweg 1918; defaults as
 * are usual for two wells (Guckenheimer, Holmes, Nonlinear Oscillations, section 2.2). */
#include "model/first_order.kern.h"

enum {
    DUFFING_DELTA,
    DUFFING_ALPHA,
    DUFFING_BETA,
    DUFFING_GAMMA,
    DUFFING_OMEGA,
    DUFFING_ENERGY,
    DUFFING_N_PARAM
};
enum { DUFFING_X, DUFFING_V, DUFFING_N_STATE };
enum { DUFFING_FIRST_RATE = DUFFING_V, DUFFING_N_RATE = 1, DUFFING_N_POSITION = 1 };

static const struct ml_param duffing_params[DUFFING_N_PARAM] = {
    [DUFFING_DELTA] = {"delta", "1", 0.3, -1e6, 1e6, ML_FRICTION, "damping"},
    [DUFFING_ALPHA] = {"alpha", "1", -1.0, -1e6, 1e6, 0, "linear stiffness"},
    [DUFFING_BETA] = {"beta", "1", 1.0, -1e6, 1e6, 0, "cubic stiffness"},
    [DUFFING_GAMMA] = {"gamma", "1", 0.5, -1e6, 1e6, ML_DRIVE, "amplitude of the drive"},
    [DUFFING_OMEGA] = {"omega", "1", 1.2, -1e6, 1e6, 0, "angular frequency of the drive"},
    [DUFFING_ENERGY] = {"energy", "1", (double)NAN, -1e30, 1e30, ML_DERIVED | ML_OF_START,
                        "v^2/2 + alpha x^2/2 + beta x^4/4 at the start: v follows from x, positive "
                        "unless v is given negative, whatever its size; where no v has it the run "
                        "ends as impossible_start"},
};

static const struct ml_quantity duffing_records[] = {
    [DUFFING_X] = {"x", "1", "displacement", {ML_DIM_NONE}},
    [DUFFING_V] = {"v", "1", "velocity", {ML_DIM_NONE}},
    {"energy", "1", "kinetic plus potential energy; kept without damping and drive", {ML_DIM_NONE}},
    {"kinetic_energy", "1", "v^2/2", {ML_DIM_NONE}},
    {"potential_energy", "1", "alpha x^2/2 + beta x^4/4", {ML_DIM_NONE}},
};

ML_INLINE void duffing_deriv(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                             ml_vec *dx)
{
    ml_vec delta = first_order_param(ctx, j, DUFFING_DELTA);
    ml_vec alpha = first_order_param(ctx, j, DUFFING_ALPHA);
    ml_vec beta = first_order_param(ctx, j, DUFFING_BETA);
    ml_vec gamma = first_order_param(ctx, j, DUFFING_GAMMA);
    ml_vec sine, cosine;
    ml_rhs_sincos(ctx, j, first_order_param(ctx, j, DUFFING_OMEGA) * t, &sine, &cosine);
    ml_vec drive = gamma * cosine;
    ml_vec stiffness = ml_fma(beta, x[DUFFING_X] * x[DUFFING_X], alpha);
    dx[DUFFING_X] = x[DUFFING_V];
    dx[DUFFING_V] = ml_fnma(stiffness, x[DUFFING_X], ml_fnma(delta, x[DUFFING_V], drive));
}

#define DUFFING_HAS_TANGENTS 1
#define DUFFING_HAS_FORCING 1
ML_INLINE void duffing_jacobian(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                                const ml_vec *y, ml_vec *dy)
{
    ml_vec delta = first_order_param(ctx, j, DUFFING_DELTA);
    ml_vec alpha = first_order_param(ctx, j, DUFFING_ALPHA);
    ml_vec beta = first_order_param(ctx, j, DUFFING_BETA);
    ml_vec deriv = ml_fma(3.0 * beta, x[DUFFING_X] * x[DUFFING_X], alpha);
    dy[DUFFING_X] = y[DUFFING_V];
    dy[DUFFING_V] = ml_fnma(deriv, y[DUFFING_X], -(delta * y[DUFFING_V]));
}

ML_INLINE ml_vec duffing_change(const struct ml_rhs_ctx *ctx, int j, int i)
{
    return first_order_param_deriv(ctx, DUFFING_N_PARAM, j, i);
}

/* In closed form: late in a run differences by omega are of no use. */
ML_INLINE void duffing_forcing(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                               ml_vec *dy)
{
    ml_vec gamma = first_order_param(ctx, j, DUFFING_GAMMA), sine, cosine;
    ml_rhs_sincos(ctx, j, first_order_param(ctx, j, DUFFING_OMEGA) * t, &sine, &cosine);
    ml_vec turn = gamma * (duffing_change(ctx, j, DUFFING_OMEGA) * t);
    ml_vec drive = ml_fnma(turn, sine, duffing_change(ctx, j, DUFFING_GAMMA) * cosine);
    ml_vec stiffness = ml_fma(duffing_change(ctx, j, DUFFING_BETA), x[DUFFING_X] * x[DUFFING_X],
                              duffing_change(ctx, j, DUFFING_ALPHA));
    ml_vec damped = ml_fnma(duffing_change(ctx, j, DUFFING_DELTA), x[DUFFING_V], drive);
    dy[DUFFING_V] += ml_fnma(stiffness, x[DUFFING_X], damped);
}
FIRST_ORDER_TANGENTS(duffing, DUFFING, duffing_forcing)

/* The scale is that of a displacement of 1. */
static void duffing_energy(const struct ml_instance *model, const double *constants,
                           const double *x, double *work, double *kinetic, double *potential,
                           double *scale)
{
    (void)model, (void)work;
    ML_EACH_GROUP(g) {
        ml_vec alpha = ml_load(constants + g, DUFFING_ALPHA);
        ml_vec beta = ml_load(constants + g, DUFFING_BETA);
        ml_vec at_x = ml_load(x + g, DUFFING_X), v = ml_load(x + g, DUFFING_V);
        ml_vec square = at_x * at_x;
        ml_store(kinetic + g, 0, 0.5 * v * v);
        ml_store(potential + g, 0, square * ml_fma(0.25 * beta, square, 0.5 * alpha));
        if (scale)
            ml_store(scale + g, 0, ml_fma(ml_splat(0.25), ml_abs(beta), 0.5 * ml_abs(alpha)));
    }
}

static void duffing_energy_deriv(const struct ml_instance *model, int p, const double *constants,
                                 const double *x, double *work, const struct ml_energies *out)
{
    const double *derivs = first_order_constants_along(DUFFING_N_PARAM, p, constants);
    const double *dx = first_order_x_along(model, DUFFING_N_STATE, p, x);
    (void)work;
    ML_EACH_GROUP(g) {
        ml_vec alpha = ml_load(constants + g, DUFFING_ALPHA);
        ml_vec beta = ml_load(constants + g, DUFFING_BETA);
        ml_vec d_alpha = ml_load(derivs + g, DUFFING_ALPHA);
        ml_vec d_beta = ml_load(derivs + g, DUFFING_BETA);
        ml_vec at_x = ml_load(x + g, DUFFING_X), square = at_x * at_x;
        ml_vec pull = at_x * ml_fma(beta, square, alpha); /* dV/dx */
        ml_vec stiffer = square * ml_fma(0.25 * d_beta, square, 0.5 * d_alpha);
        ml_store(out->kinetic + g, 0, ml_load(x + g, DUFFING_V) * ml_load(dx + g, DUFFING_V));
        ml_store(out->potential + g, 0, ml_fma(pull, ml_load(dx + g, DUFFING_X), stiffer));
        if (out->scale)
            ml_store(out->scale + g, 0,
                     ml_fma(ml_splat(0.25), ml_abs_deriv(beta, d_beta),
                            0.5 * ml_abs_deriv(alpha, d_alpha)));
    }
}

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define DUFFING_GROUPS(n, has_columns) ((has_columns) ? 2 : 4)

FIRST_ORDER_SYSTEM(duffing, DUFFING, duffing_params, duffing_energy, duffing_energy_deriv,
                   "forced oscillator: x'' + delta x' + alpha x + beta x^3 = gamma cos(omega t)");
