/* margins: how far the control loops of a run are from the limit of stability. They are found where
 * the run is loaded (engine/steps/loop.h, engine/assess/margins.c), as they do not depend on the
 * motion. */

#include "analysis/indicator.h"
#include "simd/lanes.h"

static bool margins_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[ML_N_MARGIN] = {
        [ML_MARGIN_GAIN] = {"gain_margin", "1",
                            "smallest factor above 1 of the controllers' torque at the joint that "
                            "makes the loop unstable; infinite if no factor does",
                            .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_LARGER},
        [ML_MARGIN_GAIN_AT] = {"gain_margin_frequency", "rad/s",
                               "frequency at which it oscillates then", .dim = {ML_DIM_SEGMENT}},
        [ML_MARGIN_GAIN_LOW] =
            {"gain_reduction_margin", "1",
             "largest factor below 1 that makes the loop unstable; 0 if no factor does",
             .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_SMALLER},
        [ML_MARGIN_GAIN_LOW_AT] = {"gain_reduction_margin_frequency", "rad/s",
                                   "frequency at which it oscillates then, 0 if it falls",
                                   .dim = {ML_DIM_SEGMENT}},
        [ML_MARGIN_PHASE] = {"phase_margin", "rad",
                             "phase that the torque may lag (above 0) or lead: the smallest that "
                             "makes the loop unstable; infinite if the gain is never 1",
                             .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_LARGER},
        [ML_MARGIN_PHASE_AT] = {"phase_margin_frequency", "rad/s",
                                "frequency of that, where the gain of the open loop is 1",
                                .dim = {ML_DIM_SEGMENT}},
        [ML_MARGIN_DELAY] = {"delay_margin", "s",
                             "smallest delay, besides those there are, that makes the loop "
                             "unstable; infinite if no delay does",
                             .dim = {ML_DIM_SEGMENT}, .better = ML_BETTER_LARGER},
        [ML_MARGIN_BANDWIDTH] = {"bandwidth", "rad/s",
                                 "frequency from which the angle follows its target by less than "
                                 "-3 dB of how it follows one at rest",
                                 .dim = {ML_DIM_SEGMENT}},
        [ML_MARGIN_ANGLE] = {"equilibrium_angle", "rad", "angle where the loop is linearised",
                             .dim = {ML_DIM_SEGMENT}, .is_angle = true},
        [ML_MARGIN_UNSTABLE] = {"unstable_roots", "1",
                                "roots of the closed loop that grow: margins are those of a run "
                                "without any; NaN if there is no equilibrium"},
    };
    if (i >= ML_N_MARGIN || !use->has_controller)
        return false;
    *output = outputs[i];
    if (!use->system->forces.joint_terms) { /* the loop of a formula */
        output->dim[0] = ML_DIM_NONE;
        if (i == ML_MARGIN_ANGLE)
            *output = (struct ml_output){"equilibrium_input", "1",
                                         "value of the controller's formula where the loop is "
                                         "linearised"};
    }
    output->join = ML_JOIN_LATER; /* the same at any end */
    return true;
}

extern const struct ml_indicator ML_K(ml_indicator_margins);
const struct ml_indicator ML_K(ml_indicator_margins) = {
    .name = "margins",
    .doc = "gain, phase and delay margins and bandwidth of controllers' loops",
    .is_on_request = true,
    .loop = ML_LOOP_MARGINS,
    .output = margins_output,
};
