/* henon_heiles: H = (px^2 + py^2 + x^2 + y^2)/2 + x^2 y - y^3/3
 *
 *   x' = px,   y' = py,   px' = -x - 2 x y,   py' = -y - x^2 + y^2
 *
 * M. Henon, C. Heiles, The applicability of the third integral of motion: some numerical
 * experiments, Astronomical Journal 69 (1964) 73-79. */
#include "model/first_order.kern.h"

enum { HENON_HEILES_ENERGY, HENON_HEILES_N_PARAM };
enum { HENON_HEILES_X, HENON_HEILES_Y, HENON_HEILES_PX, HENON_HEILES_PY, HENON_HEILES_N_STATE };
enum { HENON_HEILES_FIRST_RATE = HENON_HEILES_PX, HENON_HEILES_N_RATE = 1 };
enum { HENON_HEILES_N_POSITION = 2 };

static const struct ml_param henon_heiles_params[HENON_HEILES_N_PARAM] = {
    [HENON_HEILES_ENERGY] = {"energy", "1", (double)NAN, -1e30, 1e30, ML_DERIVED | ML_OF_START,
                             "H at the start: px follows from x, y and py, positive unless px is "
                             "given negative, whatever its size; where no px has it the run ends "
                             "as impossible_start"},
};

static const struct ml_quantity henon_heiles_records[] = {
    [HENON_HEILES_X] = {"x", "1", "first coordinate", {ML_DIM_NONE}},
    [HENON_HEILES_Y] = {"y", "1", "second coordinate", {ML_DIM_NONE}},
    [HENON_HEILES_PX] = {"px", "1", "momentum of x", {ML_DIM_NONE}},
    [HENON_HEILES_PY] = {"py", "1", "momentum of y", {ML_DIM_NONE}},
    {"energy", "1", "the Hamiltonian, kinetic plus potential energy", {ML_DIM_NONE}},
    {"kinetic_energy", "1", "(px^2 + py^2)/2", {ML_DIM_NONE}},
    {"potential_energy", "1", "(x^2 + y^2)/2 + x^2 y - y^3/3", {ML_DIM_NONE}},
};

ML_INLINE void henon_heiles_deriv(const struct ml_rhs_ctx *ctx, int j, ml_vec t, const ml_vec *x,
                                  ml_vec *dx)
{
    ml_vec at_x = x[HENON_HEILES_X], at_y = x[HENON_HEILES_Y];
    (void)ctx, (void)j, (void)t;
    dx[HENON_HEILES_X] = x[HENON_HEILES_PX];
    dx[HENON_HEILES_Y] = x[HENON_HEILES_PY];
    dx[HENON_HEILES_PX] = ml_fnma(at_x + at_x, at_y, -at_x);
    dx[HENON_HEILES_PY] = ml_fnma(at_x, at_x, ml_fma(at_y, at_y, -at_y));
}

#define HENON_HEILES_HAS_TANGENTS 1
#define HENON_HEILES_HAS_FORCING 0
ML_INLINE void henon_heiles_jacobian(const struct ml_rhs_ctx *ctx, int j, const ml_vec *x,
                                     const ml_vec *y, ml_vec *dy)
{
    ml_vec twice_x = x[HENON_HEILES_X] + x[HENON_HEILES_X];
    ml_vec twice_y = x[HENON_HEILES_Y] + x[HENON_HEILES_Y];
    (void)ctx, (void)j;
    dy[HENON_HEILES_X] = y[HENON_HEILES_PX];
    dy[HENON_HEILES_Y] = y[HENON_HEILES_PY];
    dy[HENON_HEILES_PX] = ml_fnma(twice_x, y[HENON_HEILES_Y],
                                  ml_fnma(twice_y, y[HENON_HEILES_X], -y[HENON_HEILES_X]));
    dy[HENON_HEILES_PY] =
        ml_fnma(twice_x, y[HENON_HEILES_X], ml_fma(twice_y, y[HENON_HEILES_Y], -y[HENON_HEILES_Y]));
}
FIRST_ORDER_TANGENTS(henon_heiles, HENON_HEILES, NULL)

/* The scale is the energy of escape, 1/6. */
static void henon_heiles_energy(const struct ml_instance *model, const double *constants,
                                const double *x, double *work, double *kinetic, double *potential,
                                double *scale)
{
    (void)model, (void)constants, (void)work;
    ML_EACH_GROUP(g) {
        ml_vec at_x = ml_load(x + g, HENON_HEILES_X), at_y = ml_load(x + g, HENON_HEILES_Y);
        ml_vec px = ml_load(x + g, HENON_HEILES_PX), py = ml_load(x + g, HENON_HEILES_PY);
        ml_vec quadratic = ml_fma(at_x, at_x, at_y * at_y);
        ml_vec cubic = ml_fma(at_x, at_x, at_y * at_y * ml_splat(-1.0 / 3.0)) * at_y;
        ml_store(kinetic + g, 0, 0.5 * ml_fma(px, px, py * py));
        ml_store(potential + g, 0, ml_fma(ml_splat(0.5), quadratic, cubic));
        if (scale)
            ml_store(scale + g, 0, ml_splat(1.0 / 6.0));
    }
}

static void henon_heiles_energy_deriv(const struct ml_instance *model, int p,
                                      const double *constants, const double *x, double *work,
                                      const struct ml_energies *out)
{
    const double *dx = first_order_x_along(model, HENON_HEILES_N_STATE, p, x);
    (void)constants, (void)work;
    ML_EACH_GROUP(g) {
        ml_vec at_x = ml_load(x + g, HENON_HEILES_X), at_y = ml_load(x + g, HENON_HEILES_Y);
        ml_vec px = ml_load(x + g, HENON_HEILES_PX), py = ml_load(x + g, HENON_HEILES_PY);
        ml_vec along_x = ml_fma(at_x + at_x, at_y, at_x);               /* dV/dx */
        ml_vec along_y = ml_fma(at_x, at_x, ml_fnma(at_y, at_y, at_y)); /* dV/dy */
        ml_store(
            out->kinetic + g, 0,
            ml_fma(px, ml_load(dx + g, HENON_HEILES_PX), py * ml_load(dx + g, HENON_HEILES_PY)));
        ml_store(out->potential + g, 0,
                 ml_fma(along_x, ml_load(dx + g, HENON_HEILES_X),
                        along_y * ml_load(dx + g, HENON_HEILES_Y)));
        if (out->scale)
            ml_store(out->scale + g, 0, ml_splat(0.0));
    }
}

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define HENON_HEILES_GROUPS(n, has_columns) ((has_columns) ? 1 : 4)

FIRST_ORDER_SYSTEM(henon_heiles, HENON_HEILES, henon_heiles_params, henon_heiles_energy,
                   henon_heiles_energy_deriv,
                   "a star in a galaxy's plane: H = (px^2 + py^2 + x^2 + y^2)/2 + x^2 y - y^3/3");
