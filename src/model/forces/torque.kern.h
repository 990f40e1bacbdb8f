/* torque: at a joint, + on the distal and - on the proximal segment. */
#ifndef ML_MODEL_FORCES_TORQUE_H
#define ML_MODEL_FORCES_TORQUE_H

#include "model/forces/law_signal.kern.h"

enum { TORQUE_VALUE, TORQUE_N_PARAM };

static const struct ml_param torque_params[TORQUE_N_PARAM] = {
    [TORQUE_VALUE] = {"value", "N m", 0.0, -1e12, 1e12, ML_REQUIRED | ML_SIGNAL, "joint torque"},
};

static void torque_prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_store(terms.torque + g, row,
                 ml_load(terms.torque + g, row) + ml_load(values + g, TORQUE_VALUE));
}

ML_INLINE void torque_law_at(const struct ml_law_at *at)
{
    ml_law_add_torque(at, at->law->joint, ml_law_signal(at, 0, TORQUE_VALUE).value);
}
ML_LAW(torque_force, torque_law_at)

static const struct ml_law_functions torque_law = {.force = torque_force,
                                                   .tangent = torque_force_deriv};

ML_DESCRIPTOR(ml_force, torque) = {
    .name = "torque",
    .doc = "joint torque, + on the distal and - on the proximal segment",
    .params = torque_params,
    .n_param = TORQUE_N_PARAM,
    .places = ML_AT_JOINT,
    .prepare = torque_prepare,
    .law = &torque_law,
};

#endif
