/* lorenz: x' = sigma (y - x), y' = x (rho - z) - y, z' = x y - beta z
 *
 * E. N. Lorenz, Deterministic nonperiodic flow, J. Atmos. Sci. 20 (1963) 130-141, equations (25)
 * to (27); sigma, rho and beta there are sigma, r and b. */
#include "model/first_order.kern.h"

enum { LORENZ_SIGMA, LORENZ_RHO, LORENZ_BETA, LORENZ_N_PARAM };
enum { LORENZ_X, LORENZ_Y, LORENZ_Z, LORENZ_N_STATE };
enum { LORENZ_FIRST_RATE, LORENZ_N_RATE = 0, LORENZ_N_POSITION = 0 }; /* there is no energy */

static const struct ml_param lorenz_params[LORENZ_N_PARAM] = {
    [LORENZ_SIGMA] = {"sigma", "1", 10.0, -1e6, 1e6, 0, "Prandtl number"},
    [LORENZ_RHO] = {"rho", "1", 28.0, -1e6, 1e6, 0,
                    "Rayleigh number, relative to the one where convection begins"},
    [LORENZ_BETA] = {"beta", "1", 8.0 / 3.0, -1e6, 1e6, 0, "aspect of the convection rolls"},
};

static const struct ml_quantity lorenz_records[LORENZ_N_STATE] = {
    [LORENZ_X] = {"x", "1", "intensity of the convection", {ML_DIM_NONE}},
    [LORENZ_Y] = {"y", "1", "temperature difference of rising and sinking flow", {ML_DIM_NONE}},
    [LORENZ_Z] = {"z", "1", "deviation of the vertical temperature from linear", {ML_DIM_NONE}},
};

ML_INLINE void lorenz_deriv(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                            ml_vec *dx)
{
    ml_vec sigma = first_order_param(ctx, j, LORENZ_SIGMA);
    ml_vec rho = first_order_param(ctx, j, LORENZ_RHO);
    ml_vec beta = first_order_param(ctx, j, LORENZ_BETA);
    (void)t;
    dx[LORENZ_X] = sigma * (x[LORENZ_Y] - x[LORENZ_X]);
    dx[LORENZ_Y] = ml_fma(x[LORENZ_X], rho - x[LORENZ_Z], -x[LORENZ_Y]);
    dx[LORENZ_Z] = ml_fma(x[LORENZ_X], x[LORENZ_Y], -(beta * x[LORENZ_Z]));
}

#define LORENZ_HAS_TANGENTS 1
#define LORENZ_HAS_FORCING 0
ML_INLINE void lorenz_jacobian(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                               const ml_vec *y, ml_vec *dy)
{
    ml_vec sigma = first_order_param(ctx, j, LORENZ_SIGMA);
    ml_vec rho = first_order_param(ctx, j, LORENZ_RHO);
    ml_vec beta = first_order_param(ctx, j, LORENZ_BETA);
    dy[LORENZ_X] = sigma * (y[LORENZ_Y] - y[LORENZ_X]);
    dy[LORENZ_Y] =
        ml_fma(rho - x[LORENZ_Z], y[LORENZ_X], ml_fnma(x[LORENZ_X], y[LORENZ_Z], -y[LORENZ_Y]));
    dy[LORENZ_Z] =
        ml_fma(x[LORENZ_Y], y[LORENZ_X], ml_fma(x[LORENZ_X], y[LORENZ_Y], -(beta * y[LORENZ_Z])));
}
FIRST_ORDER_TANGENTS(lorenz, LORENZ, NULL)

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define LORENZ_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)

FIRST_ORDER_SYSTEM(lorenz, LORENZ, lorenz_params, NULL, NULL,
                   "convection in three numbers: x' = sigma (y - x), y' = x (rho - z) - y, "
                   "z' = x y - beta z");
