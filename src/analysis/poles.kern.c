/* poles: of the closed control loops of a run, linearised at their equilibrium
 * (engine/assess/poles.c). */

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

extern const struct ml_indicator ML_K(ml_indicator_poles);
const struct ml_indicator ML_K(ml_indicator_poles) = {
    .name = "poles",
    .doc = "poles of the closed loop about its equilibrium, with damping ratios",
    .is_on_request = true,
    .loop = ML_LOOP_POLES,
    .output = poles_output,
};
