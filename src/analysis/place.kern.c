/* place: gains of a torque that give a chain chosen poles about its equilibrium
 * (engine/assess/regulator.c). */
#include "analysis/regulator.kern.h"
#include "simd/lanes.h"

static const struct ml_param params[ML_N_PLACEMENT_KEY] = {
    [ML_PLACEMENT_SAMPLE_TIME] =
        {"sample_time", "s", (double)NAN, 0.0, 1e6, ML_DERIVED | ML_OPEN_LOW,
         "time between samples, with the torque held in between: poles are "
         "those of the z plane (default: the regulator acts all the time)"},
};

static bool place_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[ML_N_REGULATOR] = {
        REGULATOR_GAINS("place"),
        [ML_REGULATOR_POLE] = {"place_error", "1",
                               "largest distance of a pole of the chain with the regulator from "
                               "the chosen pole, by the largest chosen pole; with a sample time "
                               "the distance in the z plane"},
    };
    if (i >= ML_N_REGULATOR || !use->system->forces.joint_terms)
        return false;
    *output = outputs[i];
    output->join = ML_JOIN_LATER; /* the same at any end */
    return true;
}

extern const struct ml_indicator ML_K(ml_indicator_place);
const struct ml_indicator ML_K(ml_indicator_place) = {
    .name = "place",
    .doc = "gains of one torque for chosen poles about the equilibrium",
    .is_on_request = true,
    .takes_poles = true,
    .loop = ML_LOOP_PLACEMENT,
    .params = params,
    .n_param = ML_N_PLACEMENT_KEY,
    .output = place_output,
};
