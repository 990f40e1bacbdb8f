/* The explicit midpoint rule, order 2: Runge (1895). */
#include "integrators/method.h"

static const double nodes[] = {0.0, 0.5};

static const struct ml_sum stages[] = {
    {.divisor = 1.0},
    ML_SUM(2.0, {0, 1.0}),
};

const struct ml_method ml_method_midpoint = {
    .name = "midpoint",
    .doc = "explicit midpoint rule, 2 evaluations per step, fixed step; for comparison",
    .source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.1",
    .order = 2,
    .n_stage = 2,
    .n_step_stage = 2,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(1.0, {1, 1.0}),
};
