/* torque: a constant torque at a joint, + on the distal and - on the proximal segment. */
#include "forces/force.h"
#include "simd/lanes.h"

enum { VALUE, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [VALUE] = {"value", "N m", 0.0, -1e12, 1e12, ML_REQUIRED, "constant joint torque"},
};

static void prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_put(terms.torque + g, row, ml_get(terms.torque + g, row) + ml_get(values + g, VALUE));
}

extern const struct ml_force ML_K(ml_force_torque);
const struct ml_force ML_K(ml_force_torque) = {
    .name = "torque",
    .doc = "constant joint torque, + on the distal and - on the proximal segment",
    .params = params,
    .n_param = N_PARAM,
    .places = ML_AT_JOINT,
    .prepare = prepare,
};
