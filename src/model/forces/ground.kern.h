/* ground: contact of a segment's distal end with level ground. Where it is p > 0 below, sinking at
 * v and sliding at u,
 *
 *   F_y = k p^e (1 + d v) where that pushes, else 0
 *
 *   F_x = -mu F_y u / sqrt(u^2 + u0^2)
 *
 * F_y: Hunt, Crossley, Coefficient of restitution interpreted as damping in vibroimpact, 1975.
 * F_x: Coulomb friction, smooth below u0. */
#ifndef ML_MODEL_FORCES_GROUND_H
#define ML_MODEL_FORCES_GROUND_H

#include <math.h>

#include "model/forces/law.kern.h"
#include "simd/exp.h"
#include "simd/log.h"

enum {
    GROUND_LEVEL,
    GROUND_STIFFNESS,
    GROUND_EXPONENT,
    GROUND_DAMPING,
    GROUND_FRICTION,
    GROUND_SLIP_SPEED,
    GROUND_N_PARAM
};

static const struct ml_param ground_params[GROUND_N_PARAM] = {
    [GROUND_LEVEL] = {"level", "m", 0.0, -1e6, 1e6, ML_REQUIRED, "height of the ground"},
    [GROUND_STIFFNESS] = {"stiffness", "N/m^e", 0.0, 0.0, 1e15, ML_REQUIRED,
                          "force at a depth of 1 m, e being the exponent"},
    [GROUND_EXPONENT] = {"exponent", "1", 1.5, 1.0, 10.0, 0,
                         "of the depth: 1.5 for spheres (Hertz)"},
    [GROUND_DAMPING] = {"damping", "s/m", 0.0, 0.0, 1e6, 0,
                        "how much more force meets sinking, and less rising"},
    [GROUND_FRICTION] = {"friction", "1", 0.0, 0.0, 1e3, 0, "coefficient of friction"},
    [GROUND_SLIP_SPEED] = {"slip_speed", "m/s", 0.1, 0.0, 1e6, ML_OPEN_LOW,
                           "speed below which friction falls off"},
};

/* p^e for p > 0, by roots where e is that of spheres. */
ML_INLINE struct ml_dual ground_power(const struct ml_law_at *at, struct ml_dual p)
{
    ml_vec root = ml_sqrt(p.v), v = p.v * root, slope = 1.5 * root;
    if (ml_law_is_default(at, GROUND_EXPONENT))
        return (struct ml_dual){v, slope * p.d};
    struct ml_dual e = ml_law_param(at, GROUND_EXPONENT);
    ml_mask is_usual = (ml_mask)(e.v == 1.5);
    ml_vec log_p = ml_log(p.v), power = ml_exp(e.v * log_p);
    v = ml_select(is_usual, v, power);
    slope = ml_select(is_usual, slope, e.v * power / p.v);
    return (struct ml_dual){v, ml_fma(v * log_p, e.d, slope * p.d)};
}

/* 1 + d v, v being the speed of sinking. */
ML_INLINE struct ml_dual ground_hardening(const struct ml_law_at *at, struct ml_dual rising)
{
    struct ml_dual one = ml_dual_splat(1.0);
    if (ml_law_is_default(at, GROUND_DAMPING))
        return one;
    return ml_dual_fma(ml_dual_neg(ml_law_param(at, GROUND_DAMPING)), rising, one);
}

/* F_x / F_y */
ML_INLINE struct ml_dual ground_grip(const struct ml_law_at *at, struct ml_dual sliding)
{
    if (ml_law_is_default(at, GROUND_FRICTION))
        return ml_dual_splat(0.0);
    struct ml_dual slip = ml_law_param(at, GROUND_SLIP_SPEED);
    struct ml_dual square = ml_dual_fma(sliding, sliding, ml_dual_mul(slip, slip));
    struct ml_dual part = ml_dual_mul(sliding, ml_dual_rsqrt(square));
    return ml_dual_neg(ml_dual_mul(ml_law_param(at, GROUND_FRICTION), part));
}

/* Most steps of most runs are in the air: there nothing is computed for a vector without contact.
 */
ML_INLINE void ground_law_at(const struct ml_law_at *at)
{
    struct ml_dual tip = ml_law_length(at, at->law->segment);
    struct ml_dual depth = ml_dual_sub(ml_law_param(at, GROUND_LEVEL), ml_law_point(at, tip).y);
    struct ml_dual_xy speed = ml_law_velocity(at, tip);
    struct ml_dual harder = ground_hardening(at, speed.y);
    ml_mask is_pushed = (ml_mask)(depth.v > 0.0) & (ml_mask)(harder.v > 0.0);
    if (ml_bits(is_pushed) == 0)
        return;
    depth = ml_dual_select(is_pushed, depth, ml_dual_splat(1.0));
    struct ml_dual up = ml_dual_mul(ml_law_param(at, GROUND_STIFFNESS), ground_power(at, depth));
    up = ml_dual_select(is_pushed, ml_dual_mul(up, harder), ml_dual_splat(0.0));
    ml_law_add_force(at, tip, (struct ml_dual_xy){ml_dual_mul(ground_grip(at, speed.x), up), up});
}
ML_LAW(ground_force, ground_law_at)

/* As deep as it takes to stop what moves, k depth^(e + 1) / (e + 1) = energy, or just in touch. */
static void ground_engage(const struct ml_touch *touch, int stride, double *numbers)
{
    const double ground_power = numbers[GROUND_EXPONENT * stride] + 1.0, least = 1e-6,
                 most = 1.0; /* m */
    const double per_stiffness = ground_power * touch->energy / numbers[GROUND_STIFFNESS * stride];
    const double depth = fmax(least, fmin(pow(per_stiffness, 1.0 / ground_power), most));
    numbers[GROUND_LEVEL * stride] = touch->height + depth;
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
    .law = &ground_law,
    .engage = ground_engage,
};

#endif
