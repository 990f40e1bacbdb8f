/* poles: of the closed control loops of a run, linearised at their equilibrium
 * (engine/assess/poles.c). */

#include <string.h>

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool poles_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[ML_N_POLE] = {
        [ML_POLE_REAL] = {"pole_real", "1/s",
                          "real part of each pole of the closed loop, the slowest to decay first; "
                          "of sampled loops in the z plane",
                          .dim = {ML_DIM_POLE}},
        [ML_POLE_IMAGINARY] = {"pole_imaginary", "1/s", "its imaginary part", .dim = {ML_DIM_POLE}},
        [ML_POLE_DAMPING] = {"damping_ratio", "1",
                             "-cos of the angle of the pole, of sampled loops of ln z: 1 decays "
                             "without oscillation, below 0 grows",
                             .dim = {ML_DIM_POLE}},
        [ML_POLE_FREQUENCY] = {"natural_frequency", "rad/s",
                               "distance of the pole from 0, of sampled loops of ln z divided by "
                               "the sample time",
                               .dim = {ML_DIM_POLE}},
    };
    if (i >= ML_N_POLE || !use->has_controller)
        return false;
    *output = outputs[i];
    output->size[0] = use->n_x;
    if (use->has_samples && i <= ML_POLE_IMAGINARY)
        output->unit = "1";
    output->join = ML_JOIN_LATER; /* the same at any end */
    return true;
}

static int poles_keep_rows(const struct ml_indicator_use *use)
{
    (void)use;
    return 0;
}

static void poles_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                         double *keep, double *const *out)
{
    const size_t rows = (size_t)use->n_x * ML_LANES;
    (void)keep;
    for (int i = 0; i < ML_N_POLE; i++)
        memcpy(out[i], observed->loops[ML_LOOP_POLES] + (size_t)i * rows, rows * sizeof *out[i]);
}

extern const struct ml_indicator ML_K(ml_indicator_poles);
const struct ml_indicator ML_K(ml_indicator_poles) = {
    .name = "poles",
    .doc = "poles of the closed loop about its equilibrium, with damping ratios",
    .is_on_request = true,
    .loop = ML_LOOP_POLES,
    .output = poles_output,
    .keep_rows = poles_keep_rows,
    .finish = poles_finish,
};
