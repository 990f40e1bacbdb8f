/* Gauss-Legendre collocation of 3 stages, as gauss4.c has it of 2. Where frequency times step is
 * below 0.3 the error of the sweeps is rounding. */
#include "integrators/method.h"

#define C1 0.112701665379258311482073
#define C3 0.887298334620741688517927
#define A11 0.138888888888888888888889
#define A12 -0.035976667524938903456395
#define A13 0.009789444015308326049580
#define A21 0.300263194980864592438025
#define A22 0.222222222222222222222222
#define A23 -0.022485417203086814660247
#define A31 0.267988333762469451728198
#define A32 0.480421111969383347900840

/* All stages again, behind the stages `k - 3` .. `k - 1` of the sweep before. */
#define SWEEP(k)                                             \
    ML_SUM(1.0, {(k)-3, A11}, {(k)-2, A12}, {(k)-1, A13}),   \
        ML_SUM(1.0, {(k)-2, A22}, {(k)-1, A23}, {(k), A21}), \
        ML_SUM(1.0, {(k)-1, A11}, {(k), A31}, {(k) + 1, A32})

static const double nodes[] = {
    0.0, C1,  0.5, C3, C1,  0.5, C3, C1,  0.5, C3, C1,  0.5, C3, C1,  0.5, C3,
    C1,  0.5, C3,  C1, 0.5, C3,  C1, 0.5, C3,  C1, 0.5, C3,  C1, 0.5, C3,
};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(1.0, {0, C1}),
    /* polynomials through the derivatives at 0 and C1, up to 0.5; and these and 0.5, up to C3 */
    ML_SUM(1.0, {0, -0.609122918275927110647408}, {1, 1.109122918275927110647408}),
    ML_SUM(1.0, {0, 0.739415278850618073764939}, {1, -0.825481575433005115657811},
           {2, 0.973364631203128730410799}),
    SWEEP(4),
    SWEEP(7),
    SWEEP(10),
    SWEEP(13),
    SWEEP(16),
    SWEEP(19),
    SWEEP(22),
    SWEEP(25),
    SWEEP(28),
};

const struct ml_method ml_method_gauss6 = {
    .name = "gauss6",
    .doc = "Gauss-Legendre collocation, 3 stages by 10 sweeps, fixed step; for long conservative "
           "runs",
    .source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
              "(2006), section II.1.3; sweeps: section VIII.6",
    .order = 6,
    .n_stage = 31,
    .n_step_stage = 31,
    .n_sweep_stage = 3,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(18.0, {28, 5.0}, {29, 8.0}, {30, 5.0}),
};
