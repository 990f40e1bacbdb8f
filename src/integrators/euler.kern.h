/* Explicit Euler, order 1: for comparison with texts that use it, not for results. */
#include "integrators/integrator.h"
#include "systems/rhs.h"

static const struct ml_integrator euler_integrator = {
    .name = "euler",
    .doc = "explicit Euler, 1 evaluation per step, fixed step; gains energy, for comparison only",
    .order = 1,
    .n_stage = 1,
    .state_rows = 1,
    .growth = {1.0, 1.0},
};

ML_INLINE void euler_step(ml_rhs_fn *rhs, const struct ml_flow *flow, double t, double step,
                          ml_vec *x, ml_vec *work)
{
    const int n = flow->n_x * flow->n_group;
    ml_vec *k = work;
    rhs(flow, ML_STAGE_FIRST, t, x, k, work + n);
    for (int i = 0; i < n; i++)
        x[i] = ml_fma(ml_splat(step), k[i], x[i]);
}
