/* Three steps of verlet, the one in the middle backwards, whose errors of order 2 cancel. */
#include "integrators/method.h"

/* Each a sum of halves of the weights of two steps of verlet. */
static const double drifts[] = {
    0.675603595979828817023844,
    -0.175603595979828817023844,
    -0.175603595979828817023844,
    0.675603595979828817023844,
};

/* Weights of the steps of verlet. */
static const double kicks[] = {
    1.35120719195965763404769,
    -1.70241438391931526809538,
    1.35120719195965763404769,
};

static const double nodes[] = {
    0.675603595979828817023844,
    0.5,
    0.324396404020171182976156,
};

const struct ml_method ml_method_yoshida4 = {
    .name = "yoshida4",
    .doc = "symmetric composition of 3 steps of verlet, for x'' = F(x, t); fixed step",
    .source =
        "H. Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150 "
        "(1990) 262-268",
    .order = 4,
    .n_stage = 3,
    .n_step_stage = 3,
    .node = nodes,
    .splitting = &(const struct ml_splitting){drifts, kicks},
};
