/* ground: contact of a segment's distal end with level ground, as of hunt_crossley.kern.h. */
#ifndef ML_MODEL_FORCES_GROUND_H
#define ML_MODEL_FORCES_GROUND_H

#include "model/forces/hunt_crossley.kern.h"

enum { GROUND_LEVEL, GROUND_CONTACT, GROUND_N_PARAM = GROUND_CONTACT + HUNT_CROSSLEY_N_PARAM };

static const struct ml_param ground_params[GROUND_N_PARAM] = {
    [GROUND_LEVEL] = {"level", "m", 0.0, -1e6, 1e6, ML_REQUIRED, "height of the ground"},
    HUNT_CROSSLEY_PARAMS(GROUND_CONTACT),
};

/* Most steps of most runs are in the air: there nothing is computed for a vector without contact.
 */
ML_INLINE void ground_law_at(const struct ml_law_at *at)
{
    const int first = GROUND_CONTACT;
    struct ml_dual tip = ml_law_length(at, at->law->segment);
    struct ml_dual depth = ml_dual_sub(ml_law_param(at, GROUND_LEVEL), ml_law_point(at, tip).y);
    if (ml_bits((ml_mask)(depth.v > 0.0)) == 0)
        return;
    struct ml_dual_xy speed = ml_law_velocity(at, tip);
    struct ml_dual power = hunt_crossley_power(at, first, hunt_crossley_positive(depth));
    struct ml_dual push = ml_dual_mul(ml_law_param(at, first + HUNT_CROSSLEY_STIFFNESS), power);
    push = ml_dual_mul(push, hunt_crossley_hardening(at, first, speed.y));
    struct ml_dual grip = hunt_crossley_grip(at, first, speed.x, ml_dual_splat(1.0));
    ml_law_add_force(at, tip, (struct ml_dual_xy){ml_dual_mul(grip, push), push});
}
ML_LAW(ground_force, ground_law_at)

static void ground_worst_case(const struct ml_touch *touch, int stride, double *numbers)
{
    numbers[GROUND_LEVEL * stride] =
        touch->tip[1] +
        hunt_crossley_depth(touch->energy, stride, numbers + GROUND_CONTACT * stride);
}

static const struct ml_law_functions ground_law = {.force = ground_force,
                                                   .tangent = ground_force_deriv};

ML_DESCRIPTOR(ml_force, ground) = {
    .name = "ground",
    .doc = "one-sided contact of a segment's distal end with level ground, with friction",
    .params = ground_params,
    .n_param = GROUND_N_PARAM,
    .places = ML_AT_SEGMENT,
    .is_external = true,
    .is_one_sided = true,
    .law = &ground_law,
    .worst_case = ground_worst_case,
};

#endif
