/* friction: dry and viscous friction in a joint that turns at w,
 *
 *   torque = -(F_c + (F_s - F_c) exp(-(w/w_s)^2)) w / sqrt(w^2 + w_0^2) - b w
 *
 * Coulomb's F_c, which the static F_s exceeds at rates below w_s (R. Stribeck, 1902; as in
 * Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30, 1994), smooth below w_0: a joint that
 * sticks under a torque T creeps at about w_0 T / sqrt(F_s^2 - T^2). */
#ifndef ML_MODEL_FORCES_FRICTION_H
#define ML_MODEL_FORCES_FRICTION_H

#include <math.h>

#include "model/forces/law.kern.h"
#include "simd/exp.h"

enum {
    FRICTION_COULOMB,
    FRICTION_STATIC,
    FRICTION_STRIBECK_SPEED,
    FRICTION_VISCOUS,
    FRICTION_VELOCITY_SCALE,
    FRICTION_N_PARAM
};

static const struct ml_plausible_range friction_jump = {
    1e-12, 1e6, "without one dry friction has a jump at rest, which no step can follow"};

static const struct ml_param friction_params[FRICTION_N_PARAM] = {
    [FRICTION_COULOMB] = {"coulomb", "N m", 0.0, 0.0, 1e12, ML_REQUIRED,
                          "torque against sliding, whatever its rate"},
    [FRICTION_STATIC] = {"static", "N m", (double)NAN, 0.0, 1e12, ML_DERIVED,
                         "torque that holds a joint at rest (default: coulomb)"},
    [FRICTION_STRIBECK_SPEED] = {"stribeck_speed", "rad/s", 0.1, 0.0, 1e6, ML_OPEN_LOW,
                                 "rate at which `static` has fallen off to coulomb + (static - "
                                 "coulomb)/e"},
    [FRICTION_VISCOUS] = {"viscous", "N m s/rad", 0.0, 0.0, 1e12, 0, "more torque per rate"},
    [FRICTION_VELOCITY_SCALE] =
        {"velocity_scale", "rad/s", 0.01, 0.0, 1e6, ML_OPEN_LOW,
         "rate below which dry friction falls off, so that it has no jump at rest: a joint that "
         "sticks creeps below it, and a given step must be shorter than about inertia x it / "
         "static",
         .doubt = &friction_jump},
};

/* F_c + (F_s - F_c) exp(-(w/w_s)^2); where it is not given F_s is NaN. */
ML_INLINE struct ml_dual friction_level(const struct ml_law_at *at, struct ml_dual rate)
{
    const double far = 40.0; /* e^-40 is nothing beside 1 */
    struct ml_dual coulomb = ml_law_param(at, FRICTION_COULOMB);
    if (ml_law_is_default(at, FRICTION_STATIC))
        return coulomb;
    struct ml_dual holding = ml_law_param(at, FRICTION_STATIC);
    struct ml_dual per_speed =
        ml_dual_div(ml_dual_splat(1.0), ml_law_param(at, FRICTION_STRIBECK_SPEED));
    struct ml_dual ratio = ml_dual_mul(rate, per_speed);
    ml_vec square = ratio.v * ratio.v;
    ml_mask is_slow = (ml_mask)(holding.v == holding.v) & (ml_mask)(square < far);
    if (ml_bits(is_slow) == 0)
        return coulomb;
    ml_vec part = ml_exp_near(-square);
    struct ml_dual falling = {part, -2.0 * ratio.v * ratio.d * part};
    struct ml_dual level = ml_dual_fma(ml_dual_sub(holding, coulomb), falling, coulomb);
    return ml_dual_select(is_slow, level, coulomb);
}

ML_INLINE void friction_law_at(const struct ml_law_at *at)
{
    struct ml_dual rate = ml_law_joint_rate(at, at->law->joint);
    struct ml_dual scale = ml_law_param(at, FRICTION_VELOCITY_SCALE);
    struct ml_dual square = ml_dual_fma(rate, rate, ml_dual_mul(scale, scale));
    struct ml_dual part = ml_dual_mul(rate, ml_dual_rsqrt(square));
    struct ml_dual viscous = ml_dual_mul(ml_law_param(at, FRICTION_VISCOUS), rate);
    struct ml_dual torque = ml_dual_fma(friction_level(at, rate), part, viscous);
    ml_law_slip(at, at->law->joint, rate, scale);
    ml_law_add_torque(at, at->law->joint, ml_dual_neg(torque));
}
ML_LAW(friction_force, friction_law_at)

/* As it is at rest, where it is the stiffest, at any rate. */
static void friction_worst_case(const struct ml_touch *touch, int stride, double *numbers)
{
    double *coulomb = &numbers[FRICTION_COULOMB * stride];
    double *holding = &numbers[FRICTION_STATIC * stride];
    (void)touch;
    numbers[FRICTION_VISCOUS * stride] +=
        (isnan(*holding) ? *coulomb : *holding) / numbers[FRICTION_VELOCITY_SCALE * stride];
    *coulomb = 0.0;
    *holding = isnan(*holding) ? *holding : 0.0;
}

static const struct ml_law_functions friction_law = {.force = friction_force,
                                                     .tangent = friction_force_deriv};

ML_DESCRIPTOR(ml_force, friction) = {
    .name = "friction",
    .doc = "dry friction in a joint (Coulomb, Stribeck), and viscous friction",
    .params = friction_params,
    .n_param = FRICTION_N_PARAM,
    .places = ML_AT_JOINT,
    .is_passive = true,
    .is_dry = true,
    .law = &friction_law,
    .worst_case = friction_worst_case,
};

#endif
