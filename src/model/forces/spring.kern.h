/* spring: from a point p of a segment to a fixed anchor A. With e = p - A, L = |e|,
 *
 *   F = -k (L - L0) e/L,    V = k (L - L0)^2 / 2,    or along one axis a
 *   F = -k (e . a) a,       V = k (e . a)^2 / 2
 *
 * Without a rest length F = -k e, without a division. Where L is 0 it has no direction: F is 0. */
#ifndef ML_MODEL_FORCES_SPRING_H
#define ML_MODEL_FORCES_SPRING_H

#include "model/forces/law.kern.h"

enum {
    SPRING_AT,
    SPRING_ANCHOR,
    SPRING_ANCHOR_X,
    SPRING_ANCHOR_Y,
    SPRING_STIFFNESS,
    SPRING_REST_LENGTH,
    SPRING_AXIS,
    SPRING_AXIS_X,
    SPRING_AXIS_Y,
    SPRING_N_PARAM
};

static const struct ml_param spring_params[SPRING_N_PARAM] = {
    [SPRING_AT] = {"at", "m", 0.0, -1e6, 1e6, ML_REQUIRED,
                   "where it acts: distance from the segment's proximal joint"},
    [SPRING_ANCHOR] = {"anchor", "m", (double)NAN, -1e6, 1e6, ML_REQUIRED | ML_VECTOR | ML_DERIVED,
                       "its fixed end, [x, y]"},
    [SPRING_ANCHOR_X] = {"anchor.x", "m", (double)NAN, -1e6, 1e6, ML_DERIVED, "x of the fixed end"},
    [SPRING_ANCHOR_Y] = {"anchor.y", "m", (double)NAN, -1e6, 1e6, ML_DERIVED, "y of the fixed end"},
    [SPRING_STIFFNESS] = {"stiffness", "N/m", 0.0, 0.0, 1e12, ML_REQUIRED, "force per extension"},
    [SPRING_REST_LENGTH] = {"rest_length", "m", 0.0, 0.0, 1e6, 0, "length without force"},
    [SPRING_AXIS] =
        {"axis", "1", (double)NAN, -1e6, 1e6, ML_VECTOR | ML_DERIVED,
         "[x, y], of any length: it acts along this direction only, and has no rest length "
         "(default: towards the anchor)"},
    [SPRING_AXIS_X] = {"axis.x", "1", (double)NAN, -1e6, 1e6, ML_DERIVED, "x of the direction"},
    [SPRING_AXIS_Y] = {"axis.y", "1", (double)NAN, -1e6, 1e6, ML_DERIVED, "y of the direction"},
};

static const double spring_shortest = 1e-12; /* m, of a spring that has a direction */

/* Where its end is, seen from the anchor. */
ML_INLINE struct ml_dual_xy spring_extent(const struct ml_law_at *at)
{
    struct ml_dual_xy e = ml_law_point(at, ml_law_param(at, SPRING_AT));
    e.x = ml_dual_sub(e.x, ml_law_param(at, SPRING_ANCHOR_X));
    e.y = ml_dual_sub(e.y, ml_law_param(at, SPRING_ANCHOR_Y));
    return e;
}

/* Lanes with an axis, and how far e reaches along it: (e . a) a / |a|^2. */
ML_INLINE ml_mask spring_along_axis(const struct ml_law_at *at, struct ml_dual_xy *e)
{
    if (ml_law_is_default(at, SPRING_AXIS_X))
        return ml_no_lane();
    struct ml_dual_xy a = {ml_law_param(at, SPRING_AXIS_X), ml_law_param(at, SPRING_AXIS_Y)};
    ml_mask has_axis = (ml_mask)(a.x.v == a.x.v);
    struct ml_dual part = ml_dual_div(ml_dual_dot(*e, a), ml_dual_dot(a, a));
    e->x = ml_dual_select(has_axis, ml_dual_mul(part, a.x), e->x);
    e->y = ml_dual_select(has_axis, ml_dual_mul(part, a.y), e->y);
    return has_axis;
}

/* Rest length L0; 0 along an axis. */
ML_INLINE struct ml_dual spring_rest(const struct ml_law_at *at, ml_mask has_axis)
{
    return ml_dual_select(has_axis, ml_dual_splat(0.0), ml_law_param(at, SPRING_REST_LENGTH));
}

/* k (L0/L - 1), the force per e. Below the shortest L it is that of the shortest. */
ML_INLINE struct ml_dual spring_pull(const struct ml_law_at *at, ml_mask has_axis,
                                     struct ml_dual_xy e)
{
    struct ml_dual stiffness = ml_law_param(at, SPRING_STIFFNESS);
    if (ml_law_is_default(at, SPRING_REST_LENGTH))
        return ml_dual_neg(stiffness);
    const double shortest = spring_shortest * spring_shortest;
    struct ml_dual square = ml_dual_dot(e, e);
    square.d = ml_select((ml_mask)(square.v > shortest), square.d, ml_splat(0.0));
    square.v = ml_max(square.v, ml_splat(shortest));
    struct ml_dual push = ml_dual_mul(stiffness, spring_rest(at, has_axis)); /* k L0 */
    struct ml_dual pull = ml_dual_fma(push, ml_dual_rsqrt(square), ml_dual_neg(stiffness));
    pull.v = ml_fma(ml_sqrt(square.v), push.v * (1.0 / square.v), -stiffness.v); /* waits least */
    return pull;
}

ML_INLINE void spring_law_at(const struct ml_law_at *at)
{
    struct ml_dual_xy e = spring_extent(at);
    ml_mask has_axis = spring_along_axis(at, &e);
    struct ml_dual pull = spring_pull(at, has_axis, e);
    ml_law_add_force(at, ml_law_param(at, SPRING_AT),
                     (struct ml_dual_xy){ml_dual_mul(pull, e.x), ml_dual_mul(pull, e.y)});
}
ML_LAW(spring_force, spring_law_at)

/* L, of which only the value is known where it is short. */
ML_INLINE struct ml_dual spring_length(struct ml_dual_xy e)
{
    struct ml_dual length = ml_dual_sqrt(ml_dual_dot(e, e));
    length.d = ml_select((ml_mask)(length.v >= spring_shortest), length.d, ml_splat(0.0));
    return length;
}

/* k (L^2 - 2 L0 L + L0^2) / 2 */
ML_INLINE void spring_potential_at(const struct ml_law_at *at)
{
    struct ml_dual_xy e = spring_extent(at);
    struct ml_dual rest = spring_rest(at, spring_along_axis(at, &e));
    struct ml_dual length = spring_length(e);
    struct ml_dual half = ml_dual_mul(ml_dual_splat(0.5), ml_law_param(at, SPRING_STIFFNESS));
    struct ml_dual less = ml_dual_sub(rest, ml_dual_add(length, length));
    ml_law_add_potential(at, ml_dual_mul(half, ml_dual_fma(rest, less, ml_dual_dot(e, e))));
}
ML_LAW(spring_potential, spring_potential_at)

static const struct ml_law_functions spring_law = {
    .force = spring_force,
    .tangent = spring_force_deriv,
    .potential = spring_potential,
    .potential_deriv = spring_potential_deriv,
};

ML_DESCRIPTOR(ml_force, spring) = {
    .name = "spring",
    .doc = "spring from a point of a segment to a fixed point, or along a fixed direction",
    .params = spring_params,
    .n_param = SPRING_N_PARAM,
    .places = ML_AT_SEGMENT,
    .is_external = true,
    .is_conservative = true,
    .law = &spring_law,
};

#endif
