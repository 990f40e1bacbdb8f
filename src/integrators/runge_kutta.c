/* Explicit Runge-Kutta methods of fixed steps, order 1 to 4. */
#include "integrators/method.h"

/* Explicit Euler, order 1: for comparison with texts that use it, not for results. */
static const double euler_nodes[] = {0.0};

static const struct ml_sum euler_stages[] = {{.divisor = 1.0}};

const struct ml_method ml_method_euler = {
    .name = "euler",
    .doc = "explicit Euler, 1 evaluation per step, fixed step; gains energy, for comparison only",
    .source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section I.7",
    .order = 1,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = euler_nodes,
    .stage = euler_stages,
    .step = ML_SUM(1.0, {0, 1.0}),
};

/* The explicit midpoint rule, order 2: Runge (1895). */
static const double midpoint_nodes[] = {0.0, 0.5};

static const struct ml_sum midpoint_stages[] = {
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
    .node = midpoint_nodes,
    .stage = midpoint_stages,
    .step = ML_SUM(1.0, {1, 1.0}),
};

/* Heun's method of order 2, the explicit trapezoidal rule: an Euler step, then the mean of the
 * derivatives at its two ends. */
static const double heun_nodes[] = {0.0, 1.0};

static const struct ml_sum heun_stages[] = {
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
    .node = heun_nodes,
    .stage = heun_stages,
    .step = ML_SUM(2.0, {0, 1.0}, {1, 1.0}),
};

/* The classical Runge-Kutta method: Kutta (1901). */
static const double rk4_nodes[] = {0.0, 0.5, 0.5, 1.0};

static const struct ml_sum rk4_stages[] = {
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
    .node = rk4_nodes,
    .stage = rk4_stages,
    .step = ML_SUM(6.0, {0, 1.0}, {1, 2.0}, {2, 2.0}, {3, 1.0}),
};

/* Kutta's 3/8 rule, order 4: Kutta (1901). */
static const double rk4_38_nodes[] = {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0};

static const struct ml_sum rk4_38_stages[] = {
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
    .node = rk4_38_nodes,
    .stage = rk4_38_stages,
    .step = ML_SUM(8.0, {0, 1.0}, {1, 3.0}, {2, 3.0}, {3, 1.0}),
};
