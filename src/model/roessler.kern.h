/* roessler: x' = -y - z, y' = x + a y, z' = b + z (x - c)
 *
 * O. E. Roessler, An equation for continuous chaos, Physics Letters A 57 (1976) 397-398. */
#include "model/first_order.kern.h"

enum { ROESSLER_A, ROESSLER_B, ROESSLER_C, ROESSLER_N_PARAM };
enum { ROESSLER_X, ROESSLER_Y, ROESSLER_Z, ROESSLER_N_STATE };
enum { ROESSLER_FIRST_RATE, ROESSLER_N_RATE = 0, ROESSLER_N_POSITION = 0 }; /* there is no energy */

static const struct ml_param roessler_params[ROESSLER_N_PARAM] = {
    [ROESSLER_A] = {"a", "1", 0.2, -1e6, 1e6, 0, "growth of the spiral in the plane of x and y"},
    [ROESSLER_B] = {"b", "1", 0.2, -1e6, 1e6, 0, "constant part of z'"},
    [ROESSLER_C] = {"c", "1", 5.7, -1e6, 1e6, 0, "x beyond which z grows"},
};

static const struct ml_quantity roessler_records[ROESSLER_N_STATE] = {
    [ROESSLER_X] = {"x", "1", "first coordinate", {ML_DIM_NONE}},
    [ROESSLER_Y] = {"y", "1", "second coordinate", {ML_DIM_NONE}},
    [ROESSLER_Z] = {"z", "1", "third coordinate", {ML_DIM_NONE}},
};

ML_INLINE void roessler_deriv(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                              ml_vec *dx)
{
    ml_vec a = first_order_param(ctx, j, ROESSLER_A), b = first_order_param(ctx, j, ROESSLER_B);
    ml_vec c = first_order_param(ctx, j, ROESSLER_C);
    (void)t;
    dx[ROESSLER_X] = -x[ROESSLER_Y] - x[ROESSLER_Z];
    dx[ROESSLER_Y] = ml_fma(a, x[ROESSLER_Y], x[ROESSLER_X]);
    dx[ROESSLER_Z] = ml_fma(x[ROESSLER_Z], x[ROESSLER_X] - c, b);
}

#define ROESSLER_HAS_TANGENTS 1
#define ROESSLER_HAS_FORCING 0
ML_INLINE void roessler_jacobian(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                                 const ml_vec *y, ml_vec *dy)
{
    ml_vec a = first_order_param(ctx, j, ROESSLER_A), c = first_order_param(ctx, j, ROESSLER_C);
    dy[ROESSLER_X] = -y[ROESSLER_Y] - y[ROESSLER_Z];
    dy[ROESSLER_Y] = ml_fma(a, y[ROESSLER_Y], y[ROESSLER_X]);
    dy[ROESSLER_Z] = ml_fma(x[ROESSLER_Z], y[ROESSLER_X], (x[ROESSLER_X] - c) * y[ROESSLER_Z]);
}
FIRST_ORDER_TANGENTS(roessler, ROESSLER, NULL)

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define ROESSLER_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)

FIRST_ORDER_SYSTEM(roessler, ROESSLER, roessler_params, NULL, NULL,
                   "chaos with one nonlinear term: x' = -y - z, y' = x + a y, z' = b + z (x - c)");
