/* Classical Runge-Kutta, order 4: Kutta (1901); Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I, table II.1.2. */
#include "integrators/integrator.h"
#include "systems/rhs.h"

static const struct ml_integrator rk4_integrator = {
    .name = "rk4",
    .doc = "classical Runge-Kutta, 4 evaluations per step, fixed step",
    .order = 4,
    .n_stage = 4,
    .state_rows = 3,
    .growth = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0},
};

ML_INLINE void rk4_step(ml_rhs_fn *rhs, const struct ml_flow *flow, double t, double step,
                        ml_vec *x, ml_vec *work)
{
    const int n = flow->n_x * flow->n_group;
    ml_vec *k = work, *sum = k + n, *y = sum + n, *rest = y + n;
    const ml_vec half = ml_splat(0.5 * step), whole = ml_splat(step), two = ml_splat(2.0);
    const ml_vec sixth = ml_splat(step / 6.0);

    rhs(flow, ML_STAGE_FIRST, t, x, k, rest);
    for (int i = 0; i < n; i++) {
        sum[i] = k[i];
        y[i] = ml_fma(half, k[i], x[i]);
    }
    rhs(flow, 1, t + 0.5 * step, y, k, rest);
    for (int i = 0; i < n; i++) {
        sum[i] = ml_fma(two, k[i], sum[i]);
        y[i] = ml_fma(half, k[i], x[i]);
    }
    rhs(flow, 2, t + 0.5 * step, y, k, rest);
    for (int i = 0; i < n; i++) {
        sum[i] = ml_fma(two, k[i], sum[i]);
        y[i] = ml_fma(whole, k[i], x[i]);
    }
    rhs(flow, 3, t + step, y, k, rest);
    for (int i = 0; i < n; i++)
        x[i] = ml_fma(sixth, sum[i] + k[i], x[i]);
}
