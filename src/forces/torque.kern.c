/* torque: at a joint, + on the distal and - on the proximal segment. */
#include "forces/course.kern.h"

enum { VALUE, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [VALUE] = {"value", "N m", 0.0, -1e12, 1e12, ML_REQUIRED | ML_COURSE, "joint torque"},
};

static void prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_put(terms.torque + g, row, ml_get(terms.torque + g, row) + ml_get(values + g, VALUE));
}

ML_INLINE void law_at(const struct ml_law_at *at)
{
    ml_law_twist(at, at->law->joint, ml_law_course(at, 0, VALUE).value);
}
ML_LAW(force, law_at)

static const struct ml_law_functions law = {.force = force, .tangent = force_slope};

extern const struct ml_force ML_K(ml_force_torque);
const struct ml_force ML_K(ml_force_torque) = {
    .name = "torque",
    .doc = "joint torque, + on the distal and - on the proximal segment",
    .params = params,
    .n_param = N_PARAM,
    .places = ML_AT_JOINT,
    .prepare = prepare,
    .law = &law,
};
