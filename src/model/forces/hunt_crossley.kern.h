/* Contact of a point with a surface: where it is p > 0 beyond, sinking at v and sliding at u,
 *
 *   N = k p^e (1 + d v) where that pushes, else 0     along the surface's normal
 *   T = -mu N u / sqrt(u^2 + u0^2)                    along the surface
 *
 * N: Hunt, Crossley, Coefficient of restitution interpreted as damping in vibroimpact, 1975.
 * T: Coulomb friction, smooth below u0. The forces `ground` and `contact` define the surface. */
#ifndef ML_MODEL_FORCES_HUNT_CROSSLEY_H
#define ML_MODEL_FORCES_HUNT_CROSSLEY_H

#include <math.h>

#include "model/forces/law.kern.h"
#include "simd/exp.h"
#include "simd/log.h"

/* Rows of a force that is a contact, from its `first` on. */
enum {
    HUNT_CROSSLEY_STIFFNESS,
    HUNT_CROSSLEY_EXPONENT,
    HUNT_CROSSLEY_DAMPING,
    HUNT_CROSSLEY_FRICTION,
    HUNT_CROSSLEY_SLIP_SPEED,
    HUNT_CROSSLEY_N_PARAM
};

#define HUNT_CROSSLEY_PARAMS(first)                                                          \
    [(first) +                                                                               \
        HUNT_CROSSLEY_STIFFNESS] = {"stiffness",                                             \
                                    "N/m^e",                                                 \
                                    0.0,                                                     \
                                    0.0,                                                     \
                                    1e15,                                                    \
                                    ML_REQUIRED,                                             \
                                    "force at a depth of 1 m, e being the exponent"},        \
        [(first) + HUNT_CROSSLEY_EXPONENT] =                                                 \
            {"exponent", "1", 1.5, 1.0, 10.0, 0, "of the depth: 1.5 for spheres (Hertz)"},   \
        [(first) +                                                                           \
            HUNT_CROSSLEY_DAMPING] = {"damping",                                             \
                                      "s/m",                                                 \
                                      0.0,                                                   \
                                      0.0,                                                   \
                                      1e6,                                                   \
                                      0,                                                     \
                                      "how much more force meets sinking, and less rising"}, \
        [(first) + HUNT_CROSSLEY_FRICTION] =                                                 \
            {"friction", "1", 0.0, 0.0, 1e3, 0, "coefficient of friction"},                  \
        [(first) + HUNT_CROSSLEY_SLIP_SPEED] = {"slip_speed",                                \
                                                "m/s",                                       \
                                                0.1,                                         \
                                                0.0,                                         \
                                                1e6,                                         \
                                                ML_OPEN_LOW,                                 \
                                                "speed below which friction falls off"}

/* a where it is positive, else 0. */
ML_INLINE struct ml_dual hunt_crossley_positive(struct ml_dual a)
{
    const ml_vec none = ml_splat(0.0);
    return (struct ml_dual){ml_max(a.v, none), ml_select((ml_mask)(a.v > none), a.d, none)};
}

/* p^e for p >= 0, by roots where e is that of spheres. */
ML_INLINE struct ml_dual hunt_crossley_power(const struct ml_law_at *at, int first,
                                             struct ml_dual p)
{
    ml_vec root = ml_sqrt(p.v), v = p.v * root, slope = 1.5 * root;
    if (ml_law_is_default(at, first + HUNT_CROSSLEY_EXPONENT))
        return (struct ml_dual){v, slope * p.d};
    const ml_vec none = ml_splat(0.0);
    struct ml_dual e = ml_law_param(at, first + HUNT_CROSSLEY_EXPONENT);
    ml_mask is_usual = (ml_mask)(e.v == 1.5), is_deep = (ml_mask)(p.v > none);
    ml_vec deep = ml_select(is_deep, p.v, ml_splat(1.0));
    ml_vec log_p = ml_log(deep), power = ml_exp(e.v * log_p);
    v = ml_select(is_usual, v, ml_select(is_deep, power, none));
    slope = ml_select(is_usual, slope, ml_select(is_deep, e.v * power / deep, none));
    return (struct ml_dual){v, ml_fma(v * log_p, e.d, slope * p.d)};
}

/* 1 + d v, v being the speed of sinking, where that pushes, else 0. */
ML_INLINE struct ml_dual hunt_crossley_hardening(const struct ml_law_at *at, int first,
                                                 struct ml_dual rising)
{
    struct ml_dual one = ml_dual_splat(1.0);
    if (ml_law_is_default(at, first + HUNT_CROSSLEY_DAMPING))
        return one;
    return hunt_crossley_positive(
        ml_dual_fma(ml_dual_neg(ml_law_param(at, first + HUNT_CROSSLEY_DAMPING)), rising, one));
}

/* T / N
 *   sliding  by a length of that square */
ML_INLINE struct ml_dual hunt_crossley_grip(const struct ml_law_at *at, int first,
                                            struct ml_dual sliding, struct ml_dual length_square)
{
    if (ml_law_is_default(at, first + HUNT_CROSSLEY_FRICTION))
        return ml_dual_splat(0.0);
    struct ml_dual slip = ml_law_param(at, first + HUNT_CROSSLEY_SLIP_SPEED);
    struct ml_dual least = ml_dual_mul(ml_dual_mul(slip, slip), length_square);
    struct ml_dual square = ml_dual_fma(sliding, sliding, least);
    struct ml_dual part = ml_dual_mul(sliding, ml_dual_rsqrt(square));
    return ml_dual_neg(ml_dual_mul(ml_law_param(at, first + HUNT_CROSSLEY_FRICTION), part));
}

/* m: the depth that stops a body of that energy, J, k depth^(e + 1) / (e + 1) = energy; 1e-6 to 1.
 *   numbers  of the contact, `stride` apart */
static double hunt_crossley_depth(double energy, int stride, const double *numbers)
{
    const double power = numbers[HUNT_CROSSLEY_EXPONENT * stride] + 1.0, least = 1e-6,
                 most = 1.0; /* m */
    const double per_stiffness = power * energy / numbers[HUNT_CROSSLEY_STIFFNESS * stride];
    return fmax(least, fmin(pow(per_stiffness, 1.0 / power), most));
}

#endif
