/* sweep_residual: whether the sweeps that solve an implicit method's equations converge.
 *
 *   sum over the steps of max h sum_i b_i |k_i - k_i of the sweep before|   over the state
 *
 * is how far the last sweeps moved the ends of steps. What the sweeps leave is less than that by
 * the factor by which each of them converges. */
#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool sweep_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    *output = (struct ml_output){
        ML_SWEEP_RESIDUAL, "1",
        "sum over the steps of the largest change of any state variable by the last sweep that "
        "solves the step's implicit equations, in that variable's unit",
        .join = ML_JOIN_LATER};
    return use->has_sweeps && i == 0;
}

static int sweep_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 0;
}

static void sweep_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                         double *keep, double *const *out)
{
    (void)use, (void)keep;
    memcpy(out[0], observed->sweep_residual, ML_LANES * sizeof *out[0]);
}

extern const struct ml_indicator ML_K(ml_indicator_sweep_residual);
const struct ml_indicator ML_K(ml_indicator_sweep_residual) = {
    .name = ML_SWEEP_RESIDUAL,
    .doc = "what the last sweep of an implicit integrator of fixed steps still changed",
    .is_never_left_out = true,
    .output = sweep_output,
    .keep_rows = sweep_keep_rows,
    .finish = sweep_finish,
};
