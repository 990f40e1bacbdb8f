/* damper: a viscous torque at a joint, minus coefficient times relative rate. */
#ifndef ML_MODEL_FORCES_DAMPER_H
#define ML_MODEL_FORCES_DAMPER_H

#include "model/forces/force.h"
#include "simd/lanes.h"

enum { DAMPER_COEFFICIENT, DAMPER_N_PARAM };

static const struct ml_param damper_params[DAMPER_N_PARAM] = {
    [DAMPER_COEFFICIENT] = {"coefficient", "N m s/rad", 0.0, 0.0, 1e12, ML_REQUIRED,
                            "viscous joint coefficient"},
};

static void damper_prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_store(terms.damping + g, row,
                 ml_load(terms.damping + g, row) + ml_load(values + g, DAMPER_COEFFICIENT));
}

ML_DESCRIPTOR(ml_force, damper) = {
    .name = "damper",
    .doc =
        "viscous joint torque, - coefficient x (rate of the distal - rate of the proximal segment)",
    .params = damper_params,
    .n_param = DAMPER_N_PARAM,
    .places = ML_AT_JOINT,
    .is_passive = true,
    .prepare = damper_prepare,
};

#endif
