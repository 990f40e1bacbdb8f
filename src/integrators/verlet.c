/* Position Verlet, or leapfrog: half a drift, a kick, half a drift. */
#include "integrators/method.h"

static const double nodes[] = {0.5};
static const double drifts[] = {0.5, 0.5}, kicks[] = {1.0};

const struct ml_method ml_method_verlet = {
    .name = "verlet",
    .doc = "Stoermer-Verlet, symplectic, for x'' = F(x, t); fixed step, one evaluation",
    .source =
        "L. Verlet, Computer \"Experiments\" on Classical Fluids I, Physical Review 159 (1967) "
        "98-103; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd edition, Springer "
        "(2006), section I.1.4",
    .order = 2,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = nodes,
    .splitting = &(const struct ml_splitting){drifts, kicks},
};
