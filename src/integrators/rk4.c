/* The classical Runge-Kutta method: Kutta (1901). */
#include "integrators/method.h"

static const double nodes[] = {0.0, 0.5, 0.5, 1.0};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(2.0, {0, 1.0}),
    ML_SUM(2.0, {1, 1.0}),
    ML_SUM(1.0, {2, 1.0}),
};

const struct ml_method ml_method_rk4 = {
    .name = "rk4",
    .doc = "classical Runge-Kutta, 4 evaluations per step, fixed step",
    .source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.2",
    .order = 4,
    .n_stage = 4,
    .n_step_stage = 4,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(6.0, {0, 1.0}, {1, 2.0}, {2, 2.0}, {3, 1.0}),
};
