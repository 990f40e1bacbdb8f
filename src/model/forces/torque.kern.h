/* torque: at a joint, + on the distal and - on the proximal segment. */
#ifndef ML_MODEL_FORCES_TORQUE_H
#define ML_MODEL_FORCES_TORQUE_H

#include "model/forces/law_signal.kern.h"

enum {
    TORQUE_VALUE,
    TORQUE_LIMIT = TORQUE_VALUE + ML_SIGNAL_ROWS,
    TORQUE_LIMIT_LOW,
    TORQUE_LIMIT_HIGH,
    TORQUE_N_PARAM
};

static const struct ml_param torque_params[TORQUE_N_PARAM] = {
    [TORQUE_VALUE] = {"value", "N m", 0.0, -1e12, 1e12, ML_REQUIRED | ML_SIGNAL, "joint torque"},
    ML_LIMIT_PARAMS(TORQUE_LIMIT, TORQUE_LIMIT_LOW, TORQUE_LIMIT_HIGH, 0),
};

/* derivs  of the values; NULL: not wanted */
ML_INLINE struct ml_dual torque_constant(const double *values, const double *derivs)
{
    const int rows[] = {TORQUE_VALUE, TORQUE_LIMIT, TORQUE_LIMIT_LOW, TORQUE_LIMIT_HIGH};
    struct ml_dual number[4];
    for (int k = 0; k < 4; k++)
        number[k] = (struct ml_dual){ml_load(values, rows[k]),
                                     derivs ? ml_load(derivs, rows[k]) : ml_splat(0.0)};
    return ml_dual_limited(number[0], number[1], number[2], number[3]);
}

static void torque_prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_store(terms.torque + g, row,
                 ml_load(terms.torque + g, row) + torque_constant(values + g, NULL).v);
}

static void torque_prepare_deriv(const double *values, const double *deriv, int joint,
                                 struct ml_joint_terms derivs)
{
    int row = joint * derivs.stride;
    ML_EACH_GROUP(g)
        ml_store(derivs.torque + g, row,
                 ml_load(derivs.torque + g, row) + torque_constant(values + g, deriv + g).d);
}

ML_INLINE void torque_law_at(const struct ml_law_at *at)
{
    struct ml_dual torque = ml_law_signal(at, 0, TORQUE_VALUE).value;
    if (at->law->has_limit)
        torque = ml_law_limited(at, torque, TORQUE_LIMIT, TORQUE_LIMIT_LOW, TORQUE_LIMIT_HIGH);
    ml_law_add_torque(at, at->law->joint, torque);
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
    .prepare_deriv = torque_prepare_deriv,
    .law = &torque_law,
};

#endif
