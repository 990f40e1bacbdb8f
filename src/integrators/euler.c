/* Explicit Euler, order 1: for comparison with texts that use it, not for results. */
#include "integrators/method.h"

static const double nodes[] = {0.0};

static const struct ml_sum stages[] = {{.divisor = 1.0}};

const struct ml_method ml_method_euler = {
    .name = "euler",
    .doc = "explicit Euler, 1 evaluation per step, fixed step; gains energy, for comparison only",
    .source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section I.7",
    .order = 1,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = nodes,
    .stage = stages,
    .step = ML_SUM(1.0, {0, 1.0}),
};
