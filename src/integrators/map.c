/* Iteration of maps, x' = F(x), in the place of a method of integration. */
#include "integrators/method.h"

static const double nodes[] = {0.0};

const struct ml_method ml_method_map = {
    .name = "map",
    .doc = "iterates a map: of systems of formulas with `kind: map` only",
    .source = "its definition",
    .order = 1,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = nodes,
    .is_map = true,
};
