/* four_mass_runner: a runner's landing as four masses above each other, joined by springs and
 * dampers, on a shoe that only pushes.
 *
 * x is positive downwards, 0 where the shoe first touches the ground and no spring is stretched.
 * Masses 1 and 3 are the rigid parts of lower and upper body, 2 and 4 the wobbling masses on them:
 *
 *   m1 x1'' = m1 g - F1 - F2 - F    F1 = k1 (x1 - x3) + c1 (x1' - x3')
 *   m2 x2'' = m2 g + F2 - F3        F2 = k2 (x1 - x2) + c2 (x1' - x2')
 *   m3 x3'' = m3 g + F1 + F3 - F4   F3 = k3 (x2 - x3)
 *   m4 x4'' = m4 g + F4             F4 = (k4 + k5) (x3 - x4) + c4 (x3' - x4')
 *
 *   ground force F = A (a x1^b + c x1^d x1') for x1 > 0, never negative
 *
 * W. Liu, B. M. Nigg, J. Biomech. 33 (2000) 219-224, in the form of A. A. Zadpoor, A. A. Nikooyan,
 * A. R. Arshi, J. Biomech. 40 (2007) 2012-2021, who found that the first needed correction. Several
 * secondary sources agree on topology, equations, masses, k1 to k5 and c1 to c4; the numbers of the
 * ground force are not verified against either paper. */
#include "model/four_mass_runner_energy.kern.h"

#define RUNNER_AGREED "; several secondary sources agree on the default"
#define RUNNER_OPEN "; the default is not verified against the original papers"
#define RUNNER_MASS(part, kilograms) \
    "kg", kilograms, 0.0, 1e6, ML_OPEN_LOW, "mass of the " part RUNNER_AGREED
#define RUNNER_SPRING(ends, newtons) \
    "N/m", newtons, 0.0, 1e12, 0, "stiffness between " ends RUNNER_AGREED
#define RUNNER_DAMPER(ends, kilograms) \
    "N s/m", kilograms, 0.0, 1e9, 0, "damping between " ends RUNNER_AGREED

static const struct ml_plausible_range runner_upwards = {
    0.0, 1e6, "a negative one acts upwards: to act downwards it is written without a sign"};

static const struct ml_param four_mass_runner_params[FOUR_MASS_RUNNER_N_PARAM] = {
    [RUNNER_M1] = {"m1", RUNNER_MASS("lower body's rigid part", 6.15)},
    [RUNNER_M2] = {"m2", RUNNER_MASS("lower body's wobbling part", 6.0)},
    [RUNNER_M3] = {"m3", RUNNER_MASS("upper body's rigid part", 12.58)},
    [RUNNER_M4] = {"m4", RUNNER_MASS("upper body's wobbling part", 50.34)},
    [RUNNER_K1] = {"k1", RUNNER_SPRING("masses 1 and 3", 6e3)},
    [RUNNER_K2] = {"k2", RUNNER_SPRING("masses 1 and 2", 6e3)},
    [RUNNER_K3] = {"k3", RUNNER_SPRING("masses 2 and 3", 10e3)},
    [RUNNER_K4] = {"k4", RUNNER_SPRING("masses 3 and 4, first spring", 10e3)},
    [RUNNER_K5] = {"k5", RUNNER_SPRING("masses 3 and 4, second spring", 18e3)},
    [RUNNER_C1] = {"c1", RUNNER_DAMPER("masses 1 and 3", 300.0)},
    [RUNNER_C2] = {"c2", RUNNER_DAMPER("masses 1 and 2", 650.0)},
    [RUNNER_C4] = {"c4", RUNNER_DAMPER("masses 3 and 4", 1900.0)},
    [RUNNER_GRAVITY] = {"gravity", "m/s^2", 9.81, -1e6, 1e6, 0, "gravity, acting downwards", NULL,
                        &runner_upwards},
    [RUNNER_AREA] = {"area", "m^2", 2.0, 0.0, 1e6, 0, "A, area of contact" RUNNER_OPEN, "contact"},
    [RUNNER_STIFFNESS] = {"stiffness", "N/m^(2+b)", 1e6, 0.0, 1e15, 0,
                          "a, stiffness of ground and shoe" RUNNER_OPEN, "contact"},
    [RUNNER_EXPONENT] = {"exponent", "1", 1.56, 0.0, 10.0, ML_OPEN_LOW,
                         "b, exponent of the displacement: 1.56 for a soft shoe, 1.38 for a hard "
                         "one" RUNNER_OPEN,
                         "contact"},
    [RUNNER_DAMPING] = {"damping", "N s/m^(3+d)", 2e4, 0.0, 1e15, 0,
                        "c, damping of ground and shoe" RUNNER_OPEN, "contact"},
    [RUNNER_DAMPING_EXPONENT] = {"damping_exponent", "1", 0.73, 0.0, 10.0, 0,
                                 "d, exponent of the displacement in the damping (the velocity's "
                                 "is 1): 0.73 for a soft shoe, 0.75 for a hard one" RUNNER_OPEN,
                                 "contact"},
    [RUNNER_ENERGY] = {"energy", "J", (double)NAN, -1e30, 1e30, ML_DERIVED | ML_OF_START,
                       "kinetic plus potential energy at the start: one common factor scales the "
                       "velocities to it; where none can (the potential energy is larger, or all "
                       "are 0) the run ends as impossible_start"},
};

#define RUNNER_POSITION "m", "displacement, downwards, of "
#define RUNNER_VELOCITY "m/s", "velocity, downwards, of "
#define RUNNER_ACCELERATION "m/s^2", "acceleration, downwards, of "

/* Records besides state and energies. */
enum { RUNNER_SHOWN_FORCE, RUNNER_SHOWN_ACCELERATION };

static const struct ml_quantity four_mass_runner_records[] = {
    [RUNNER_X1] = {"x1", RUNNER_POSITION "mass 1 and the shoe", {ML_DIM_NONE}},
    [RUNNER_X2] = {"x2", RUNNER_POSITION "mass 2", {ML_DIM_NONE}},
    [RUNNER_X3] = {"x3", RUNNER_POSITION "mass 3", {ML_DIM_NONE}},
    [RUNNER_X4] = {"x4", RUNNER_POSITION "mass 4", {ML_DIM_NONE}},
    [RUNNER_V1] = {"v1", RUNNER_VELOCITY "mass 1 and the shoe", {ML_DIM_NONE}},
    [RUNNER_V2] = {"v2", RUNNER_VELOCITY "mass 2", {ML_DIM_NONE}},
    [RUNNER_V3] = {"v3", RUNNER_VELOCITY "mass 3", {ML_DIM_NONE}},
    [RUNNER_V4] = {"v4", RUNNER_VELOCITY "mass 4", {ML_DIM_NONE}},
    {"energy", "J", "kinetic plus potential energy; kept without dampers", {ML_DIM_NONE}},
    {"kinetic_energy", "J", "sum of m v^2/2", {ML_DIM_NONE}},
    {"potential_energy", "J", "of gravity, springs and the shoe's stiffness", {ML_DIM_NONE}},
    {ML_GROUND_FORCE, "N", "force of the ground on the shoe, upwards", {ML_DIM_NONE}},
    {"a1", RUNNER_ACCELERATION "mass 1 and the shoe", {ML_DIM_NONE}},
    {"a2", RUNNER_ACCELERATION "mass 2", {ML_DIM_NONE}},
    {"a3", RUNNER_ACCELERATION "mass 3", {ML_DIM_NONE}},
    {"a4", RUNNER_ACCELERATION "mass 4", {ML_DIM_NONE}},
};

#define FOUR_MASS_RUNNER_HAS_TANGENTS 1
#define FOUR_MASS_RUNNER_HAS_FORCING 1
FIRST_ORDER_TANGENTS(four_mass_runner, FOUR_MASS_RUNNER, four_mass_runner_forcing)

static void four_mass_runner_show(const double *constants, const double *x, double *const *out)
{
    ML_EACH_GROUP(g) {
        ml_vec p[FOUR_MASS_RUNNER_N_PARAM], state[FOUR_MASS_RUNNER_N_STATE];
        ml_vec dx[FOUR_MASS_RUNNER_N_STATE];
        for (int i = 0; i < FOUR_MASS_RUNNER_N_PARAM; i++)
            p[i] = ml_load(constants + g, i);
        for (int i = 0; i < FOUR_MASS_RUNNER_N_STATE; i++)
            state[i] = ml_load(x + g, i);
        if (out[RUNNER_SHOWN_FORCE])
            ml_store(out[RUNNER_SHOWN_FORCE] + g, 0, runner_contact(p, state).force);
        runner_deriv(p, state, dx);
        for (int i = 0; i < RUNNER_N_MASS; i++)
            if (out[RUNNER_SHOWN_ACCELERATION + i])
                ml_store(out[RUNNER_SHOWN_ACCELERATION + i] + g, 0, dx[RUNNER_V1 + i]);
    }
}

/* Vectors that a kernel advances side by side: the fastest number measured. */
#define FOUR_MASS_RUNNER_GROUPS(n, has_columns) ((has_columns) ? 1 : 2)

FIRST_ORDER_SHOWING_SYSTEM(four_mass_runner, FOUR_MASS_RUNNER, four_mass_runner_params,
                           four_mass_runner_energy, four_mass_runner_energy_deriv,
                           four_mass_runner_show,
                           "a runner's landing: four masses above each other, springs and dampers "
                           "between them, on a shoe");
