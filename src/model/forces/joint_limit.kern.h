/* joint_limit: torque of ligaments and bone at the end of a joint's range. p beyond `upper`, or
 * `lower`,
 *
 *   torque = -k p (1 + d p') where that pushes back, else 0
 *
 * so that it sets in without a jump (Hunt, Crossley, Coefficient of restitution interpreted as
 * damping in vibroimpact, 1975, with exponent 1). */
#ifndef ML_MODEL_FORCES_JOINT_LIMIT_H
#define ML_MODEL_FORCES_JOINT_LIMIT_H

#include "model/forces/law.kern.h"

enum {
    JOINT_LIMIT_LOWER,
    JOINT_LIMIT_UPPER,
    JOINT_LIMIT_STIFFNESS,
    JOINT_LIMIT_DAMPING,
    JOINT_LIMIT_N_PARAM
};

static const struct ml_param joint_limit_params[JOINT_LIMIT_N_PARAM] = {
    [JOINT_LIMIT_LOWER] = {"lower", "rad", (double)NAN, -1e6, 1e6, ML_DERIVED,
                           "joint angle below which it acts (default: none)"},
    [JOINT_LIMIT_UPPER] = {"upper", "rad", (double)NAN, -1e6, 1e6, ML_DERIVED,
                           "joint angle above which it acts (default: none)"},
    [JOINT_LIMIT_STIFFNESS] = {"stiffness", "N m/rad", 0.0, 0.0, 1e12, ML_REQUIRED,
                               "torque per angle beyond"},
    [JOINT_LIMIT_DAMPING] =
        {"damping", "s/rad", 0.0, 0.0, 1e6, 0,
         "how much faster motion outwards is met with more torque, and back with less"},
};

/* Torque against an angle that goes beyond by p at p'; where there is no limit p is NaN. */
ML_INLINE struct ml_dual joint_limit_push(const struct ml_law_at *at, struct ml_dual p,
                                          struct ml_dual rate)
{
    struct ml_dual one = ml_dual_splat(1.0), none = ml_dual_splat(0.0);
    struct ml_dual harder = ml_dual_fma(ml_law_param(at, JOINT_LIMIT_DAMPING), rate, one);
    ml_mask is_pushed = (ml_mask)(p.v > 0.0) & (ml_mask)(harder.v > 0.0);
    struct ml_dual torque = ml_dual_mul(ml_law_param(at, JOINT_LIMIT_STIFFNESS), p);
    return ml_dual_select(is_pushed, ml_dual_mul(torque, harder), none);
}

ML_INLINE void joint_limit_law_at(const struct ml_law_at *at)
{
    struct ml_dual angle = ml_law_joint_angle(at, at->law->joint);
    struct ml_dual rate = ml_law_joint_rate(at, at->law->joint);
    struct ml_dual above = ml_dual_sub(angle, ml_law_param(at, JOINT_LIMIT_UPPER));
    struct ml_dual below = ml_dual_sub(ml_law_param(at, JOINT_LIMIT_LOWER), angle);
    ml_law_add_torque(at, at->law->joint,
                      ml_dual_sub(joint_limit_push(at, below, ml_dual_neg(rate)),
                                  joint_limit_push(at, above, rate)));
}
ML_LAW(joint_limit_force, joint_limit_law_at)

/* Just beyond one limit and without the other, which the angle may be beyond: the stiffness is the
 * same at any angle. */
static void joint_limit_worst_case(const struct ml_touch *touch, int stride, double *numbers)
{
    const double beyond = 1e-6; /* rad */
    if (numbers[JOINT_LIMIT_UPPER * stride] == numbers[JOINT_LIMIT_UPPER * stride]) {
        numbers[JOINT_LIMIT_UPPER * stride] = touch->angle - beyond;
        numbers[JOINT_LIMIT_LOWER * stride] = (double)NAN;
    } else
        numbers[JOINT_LIMIT_LOWER * stride] = touch->angle + beyond;
}

static const struct ml_law_functions joint_limit_law = {.force = joint_limit_force,
                                                        .tangent = joint_limit_force_deriv};

ML_DESCRIPTOR(ml_force, joint_limit) = {
    .name = "joint_limit",
    .doc = "one-sided visco-elastic torque beyond the ends of a joint's range",
    .params = joint_limit_params,
    .n_param = JOINT_LIMIT_N_PARAM,
    .places = ML_AT_JOINT,
    .is_passive = true,
    .is_one_sided = true,
    .law = &joint_limit_law,
    .worst_case = joint_limit_worst_case,
};

#endif
