/* damper: a viscous torque at a joint, minus coefficient times relative rate. */
#include "forces/force.h"
#include "simd/lanes.h"

enum { COEFFICIENT, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [COEFFICIENT] = {"coefficient", "N m s/rad", 0.0, 0.0, 1e12, ML_REQUIRED,
                     "viscous joint coefficient"},
};

static void prepare(const double *values, int joint, struct ml_joint_terms terms)
{
    int row = joint * terms.stride;
    ML_EACH_GROUP(g)
        ml_put(terms.damping + g, row,
               ml_get(terms.damping + g, row) + ml_get(values + g, COEFFICIENT));
}

extern const struct ml_force ML_K(ml_force_damper);
const struct ml_force ML_K(ml_force_damper) = {
    .name = "damper",
    .doc =
        "viscous joint torque, - coefficient x (rate of the distal - rate of the proximal segment)",
    .params = params,
    .n_param = N_PARAM,
    .places = ML_AT_JOINT,
    .is_passive = true,
    .prepare = prepare,
};
