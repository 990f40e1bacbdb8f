/* frequency_response: of the open control loops of a run, linearised at their equilibrium
 * (engine/assess/loop_measures.c). */

#include "analysis/indicator.h"
#include "simd/lanes.h"

enum { FROM, TO, COUNT, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [FROM] = {"from", "rad/s", 0.1, 0.0, 1e12, ML_OPEN_LOW, "first frequency"},
    [TO] = {"to", "rad/s", 100.0, 0.0, 1e12, ML_OPEN_LOW,
            "last frequency, of a sampled loop at most half of the sampling frequency"},
    [COUNT] = {"count", "1", 200.0, 2.0, 100000.0, ML_WHOLE,
               "number of frequencies, in equal ratios"},
};

static bool frequency_response_output(const struct ml_indicator_use *use, int i,
                                      struct ml_output *output)
{
    static const struct ml_output outputs[ML_N_RESPONSE] = {
        [ML_RESPONSE_MAGNITUDE] = {"loop_magnitude", "1",
                                   "of the open loop cut at the controllers' torque at the joint",
                                   .dim = {ML_DIM_SEGMENT, ML_DIM_FREQUENCY}},
        [ML_RESPONSE_PHASE] = {"loop_phase", "rad",
                               "its phase, continued from that of the first frequency, which is "
                               "above -pi and at most pi",
                               .dim = {ML_DIM_SEGMENT, ML_DIM_FREQUENCY}},
    };
    if (i >= ML_N_RESPONSE || !use->has_controller || !use->settings)
        return false;
    *output = outputs[i];
    output->size[1] = (int)use->settings[COUNT];
    if (!use->system->forces.joint_terms) { /* the loop of a formula */
        output->dim[0] = ML_DIM_FREQUENCY;
        output->dim[1] = ML_DIM_NONE;
        output->size[0] = output->size[1];
        output->size[1] = 0;
    }
    output->first = use->settings[FROM];
    output->last = use->settings[TO];
    output->join = ML_JOIN_LATER; /* the same at any end */
    return true;
}

extern const struct ml_indicator ML_K(ml_indicator_frequency_response);
const struct ml_indicator ML_K(ml_indicator_frequency_response) = {
    .name = "frequency_response",
    .doc = "magnitude and phase of controllers' open loops over frequencies",
    .is_on_request = true,
    .loop = ML_LOOP_RESPONSE,
    .params = params,
    .n_param = N_PARAM,
    .output = frequency_response_output,
};
