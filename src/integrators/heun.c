/* Heun's method of order 2, the explicit trapezoidal rule: an Euler step, then the mean of the
 * derivatives at its two ends. */
#include "integrators/method.h"

static const double nodes[] = {0.0, 1.0};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(1.0, {0, 1.0}),
};

const struct ml_method ml_method_heun = {
    .name = "heun",
    .doc = "explicit trapezoidal rule, 2 evaluations per step, fixed step; for comparison",
    .source = "Butcher, Numerical Methods for Ordinary Differential Equations, section 23",
    .order = 2,
    .n_stage = 2,
    .n_step_stage = 2,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(2.0, {0, 1.0}, {1, 1.0}),
};
