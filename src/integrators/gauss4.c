/* Gauss-Legendre collocation of 2 stages: symmetric, and symplectic, so that the energy of a
 * conservative system does not drift. Its implicit equations
 *   k_i = f(t + c_i h, x + h sum_j a_ij k_j)
 * are solved by a fixed number of Gauss-Seidel sweeps, which begin with the derivative at the start
 * of the step. So the step is that of an explicit table, the same at every step and of every run,
 * with tangent vectors of this very map; where frequency times step is below 0.4 what the sweeps
 * leave is rounding. */
#include "integrators/method.h"

#define C1 0.211324865405187117745426
#define C2 0.788675134594812882254574
#define A12 -0.038675134594812882254574
#define A21 0.538675134594812882254574

/* Both stages again, behind the stages `k - 2` and `k - 1` of the sweep before. */
#define SWEEP(k) ML_SUM(1.0, {(k)-2, 0.25}, {(k)-1, A12}), ML_SUM(1.0, {(k)-1, 0.25}, {(k), A21})

static const double nodes[] = {
    0.0, C1, C2, C1, C2, C1, C2, C1, C2, C1, C2, C1, C2,
    C1,  C2, C1, C2, C1, C2, C1, C2, C1, C2, C1, C2,
};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(1.0, {0, C1}),
    /* the line through the derivatives at 0 and C1, up to C2 */
    ML_SUM(1.0, {0, -0.683012701892219323381862}, {1, 1.471687836487032205636436}),
    SWEEP(3),
    SWEEP(5),
    SWEEP(7),
    SWEEP(9),
    SWEEP(11),
    SWEEP(13),
    SWEEP(15),
    SWEEP(17),
    SWEEP(19),
    SWEEP(21),
    SWEEP(23),
};

const struct ml_method ml_method_gauss4 = {
    .name = "gauss4",
    .doc = "Gauss-Legendre collocation, 2 stages by 12 sweeps, fixed step; for long conservative "
           "runs",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
              "(2006), section II.1.3; sweeps: section VIII.6",
    .order = 4,
    .n_stage = 25,
    .n_step_stage = 25,
    .n_sweep_stage = 2,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(2.0, {23, 1.0}, {24, 1.0}),
};
