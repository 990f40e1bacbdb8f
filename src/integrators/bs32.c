/* The pair of Bogacki and Shampine, order 3 with an embedded method of order 2. The fourth stage is
 * the first of the next step; only the error and the interpolant use it. */
#include "integrators/method.h"

#define STEP ML_SUM(9.0, {0, 2.0}, {1, 3.0}, {2, 4.0})

static const double nodes[] = {0.0, 0.5, 0.75, 1.0};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(2.0, {0, 1.0}),
    ML_SUM(4.0, {1, 3.0}),
    STEP,
};

/* The cubic with the values and derivatives of both ends (Hermite). */
static const double interpolant[][3] = {
    {1.0, -4.0 / 3.0, 5.0 / 9.0},
    {0.0, 1.0, -2.0 / 3.0},
    {0.0, 4.0 / 3.0, -8.0 / 9.0},
    {0.0, -1.0, 1.0},
};

const struct ml_method ml_method_bs32 = {
    .name = "bs32",
    .doc = "Bogacki-Shampine 3(2), 3 evaluations per step; for comparison",
    .source = "Bogacki, Shampine, A 3(2) pair of Runge-Kutta formulas, Applied Mathematics Letters "
              "2 (1989) 321-325",
    .order = 3,
    .n_stage = 4,
    .n_step_stage = 3,
    .is_fsal = true,
    .node = nodes,
    .stage = stages,
    .step = STEP,
    .embedded_order = 2,
    .error = ML_SUM(72.0, {0, -5.0}, {1, 6.0}, {2, 8.0}, {3, -9.0}),
    .interpolant_degree = 3,
    .interpolant = interpolant[0],
};
