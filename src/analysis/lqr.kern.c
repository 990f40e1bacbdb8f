/* lqr: gains of a linear quadratic regulator of a chain about its equilibrium
 * (engine/assess/regulator.c). */
#include "analysis/regulator.kern.h"
#include "simd/lanes.h"

static const struct ml_param params[ML_N_REGULATOR_KEY] = {
    [ML_REGULATOR_Q_ANGLE] = {"angle", "1/rad^2", 1.0, 0.0, 1e12, ML_BY_JOINT,
                              "cost of the square of each angle's error, as the study counts "
                              "angles; 1/(largest error)^2 is a first choice",
                              .group = "q"},
    [ML_REGULATOR_Q_RATE] = {"rate", "s^2/rad^2", 0.0, 0.0, 1e12, ML_BY_JOINT,
                             "cost of the square of each rate", .group = "q"},
    [ML_REGULATOR_R] = {"r", "1/(N m)^2", 1.0, 0.0, 1e12, ML_OPEN_LOW | ML_BY_JOINT,
                        "cost of the square of the torque at each joint"},
    [ML_REGULATOR_SAMPLE_TIME] = {"sample_time", "s", (double)NAN, 0.0, 1e6,
                                  ML_DERIVED | ML_OPEN_LOW,
                                  "time between samples, with torques held in between, whose costs "
                                  "are summed (default: the regulator acts all the time, and costs "
                                  "are integrated)"},
};

static bool lqr_output(const struct ml_indicator_use *use, int i, struct ml_output *output)
{
    static const struct ml_output outputs[ML_N_REGULATOR] = {
        REGULATOR_GAINS("lqr"),
        [ML_REGULATOR_POLE] = {"lqr_slowest_pole", "1/s",
                               "real part of the slowest pole of the chain with the regulator; "
                               "with a sample time the size of that pole in the z plane"},
    };
    if (i >= ML_N_REGULATOR || !use->system->forces.joint_terms)
        return false;
    *output = outputs[i];
    if (i == ML_REGULATOR_POLE && use->settings && !isnan(use->settings[ML_REGULATOR_SAMPLE_TIME]))
        output->unit = "1";
    output->join = ML_JOIN_LATER; /* the same at any end */
    return true;
}

extern const struct ml_indicator ML_K(ml_indicator_lqr);
const struct ml_indicator ML_K(ml_indicator_lqr) = {
    .name = "lqr",
    .doc = "gains of a linear quadratic regulator about the equilibrium",
    .is_on_request = true,
    .loop = ML_LOOP_REGULATOR,
    .params = params,
    .n_param = ML_N_REGULATOR_KEY,
    .output = lqr_output,
};
