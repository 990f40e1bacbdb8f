/* Kutta's 3/8 rule, order 4: Kutta (1901). */
#include "integrators/method.h"

static const double nodes[] = {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(3.0, {0, 1.0}),
    ML_SUM(3.0, {0, -1.0}, {1, 3.0}),
    ML_SUM(1.0, {0, 1.0}, {1, -1.0}, {2, 1.0}),
};

const struct ml_method ml_method_rk4_38 = {
    .name = "rk4_38",
    .doc = "Kutta's 3/8 rule, 4 evaluations per step, fixed step; an alternative to rk4",
    .source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.2",
    .order = 4,
    .n_stage = 4,
    .n_step_stage = 4,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(8.0, {0, 1.0}, {1, 3.0}, {2, 3.0}, {3, 1.0}),
};
