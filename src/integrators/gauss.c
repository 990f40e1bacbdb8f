/* Gauss-Legendre collocation. */
#include "integrators/method.h"

/* Gauss-Legendre collocation of 2 stages: symmetric, and symplectic, so that the energy of a
 * conservative system does not drift. Its implicit equations
 *   k_i = f(t + c_i h, x + h sum_j a_ij k_j)
 * are solved by a fixed number of Gauss-Seidel sweeps, which begin with the derivative at the start
 * of the step. So the step is that of an explicit table, the same at every step and of every run,
 * with tangent vectors of this very map; where frequency times step is below 0.4 what the sweeps
 * leave is rounding. */
#define GAUSS4_C1 0.211324865405187117745426
#define GAUSS4_C2 0.788675134594812882254574
#define GAUSS4_A12 -0.038675134594812882254574
#define GAUSS4_A21 0.538675134594812882254574

/* Both stages again, behind the stages `k - 2` and `k - 1` of the sweep before. */
#define GAUSS4_SWEEP(k) \
    ML_SUM(1.0, {(k)-2, 0.25}, {(k)-1, GAUSS4_A12}), ML_SUM(1.0, {(k)-1, 0.25}, {(k), GAUSS4_A21})

static const double gauss4_nodes[] = {
    0.0,       GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2,
    GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2, GAUSS4_C1,
    GAUSS4_C2, GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2,
    GAUSS4_C1, GAUSS4_C2, GAUSS4_C1, GAUSS4_C2,
};

static const struct ml_sum gauss4_stages[] = {
    {.divisor = 1.0},
    ML_SUM(1.0, {0, GAUSS4_C1}),
    /* the line through the derivatives at 0 and C1, up to C2 */
    ML_SUM(1.0, {0, -0.683012701892219323381862}, {1, 1.471687836487032205636436}),
    GAUSS4_SWEEP(3),
    GAUSS4_SWEEP(5),
    GAUSS4_SWEEP(7),
    GAUSS4_SWEEP(9),
    GAUSS4_SWEEP(11),
    GAUSS4_SWEEP(13),
    GAUSS4_SWEEP(15),
    GAUSS4_SWEEP(17),
    GAUSS4_SWEEP(19),
    GAUSS4_SWEEP(21),
    GAUSS4_SWEEP(23),
};

const struct ml_method ml_method_gauss4 = {
    .name = "gauss4",
    .doc = "Gauss-Legendre collocation, 2 stages by 12 sweeps, fixed step; for long "
           "conservative "
           "runs",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
              "(2006), section II.1.3; sweeps: section VIII.6",
    .order = 4,
    .n_stage = 25,
    .n_step_stage = 25,
    .n_sweep_stage = 2,
    .node = gauss4_nodes,
    .stage = gauss4_stages,
    .step = ML_SUM(2.0, {23, 1.0}, {24, 1.0}),
};

/* Gauss-Legendre collocation of 3 stages, as gauss4.c has it of 2. Where frequency times step is
 * below 0.3 the error of the sweeps is rounding. */
#define GAUSS6_C1 0.112701665379258311482073
#define GAUSS6_C3 0.887298334620741688517927
#define GAUSS6_A11 0.138888888888888888888889
#define GAUSS6_A12 -0.035976667524938903456395
#define GAUSS6_A13 0.009789444015308326049580
#define GAUSS6_A21 0.300263194980864592438025
#define GAUSS6_A22 0.222222222222222222222222
#define GAUSS6_A23 -0.022485417203086814660247
#define GAUSS6_A31 0.267988333762469451728198
#define GAUSS6_A32 0.480421111969383347900840

/* All stages again, behind the stages `k - 3` .. `k - 1` of the sweep before. */
#define GAUSS6_SWEEP(k)                                                           \
    ML_SUM(1.0, {(k)-3, GAUSS6_A11}, {(k)-2, GAUSS6_A12}, {(k)-1, GAUSS6_A13}),   \
        ML_SUM(1.0, {(k)-2, GAUSS6_A22}, {(k)-1, GAUSS6_A23}, {(k), GAUSS6_A21}), \
        ML_SUM(1.0, {(k)-1, GAUSS6_A11}, {(k), GAUSS6_A31}, {(k) + 1, GAUSS6_A32})

static const double gauss6_nodes[] = {
    0.0,       GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1,
    0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3,
    GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,
    GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3, GAUSS6_C1, 0.5,       GAUSS6_C3,
};

static const struct ml_sum gauss6_stages[] = {
    {.divisor = 1.0},
    ML_SUM(1.0, {0, GAUSS6_C1}),
    /* polynomials through the derivatives at 0 and C1, up to 0.5; and these and 0.5, up to
       C3 */
    ML_SUM(1.0, {0, -0.609122918275927110647408}, {1, 1.109122918275927110647408}),
    ML_SUM(1.0, {0, 0.739415278850618073764939}, {1, -0.825481575433005115657811},
           {2, 0.973364631203128730410799}),
    GAUSS6_SWEEP(4),
    GAUSS6_SWEEP(7),
    GAUSS6_SWEEP(10),
    GAUSS6_SWEEP(13),
    GAUSS6_SWEEP(16),
    GAUSS6_SWEEP(19),
    GAUSS6_SWEEP(22),
    GAUSS6_SWEEP(25),
    GAUSS6_SWEEP(28),
};

const struct ml_method ml_method_gauss6 = {
    .name = "gauss6",
    .doc = "Gauss-Legendre collocation, 3 stages by 10 sweeps, fixed step; for long "
           "conservative "
           "runs",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
              "(2006), section II.1.3; sweeps: section VIII.6",
    .order = 6,
    .n_stage = 31,
    .n_step_stage = 31,
    .n_sweep_stage = 3,
    .node = gauss6_nodes,
    .stage = gauss6_stages,
    .step = ML_SUM(18.0, {28, 5.0}, {29, 8.0}, {30, 5.0}),
};
