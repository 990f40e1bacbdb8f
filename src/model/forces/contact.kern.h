/* contact: of a point of a segment with a line or a circle, as of hunt_crossley.kern.h. With the
 * point at e from a point of the line, or from the circle's centre,
 *
 *   line      n = normal / |normal|,   p = -e . n
 *   circle    n = +-e / |e|,           p = radius - e . n, - where the radius is negative
 *
 * so that the point is kept on the normal's side, outside of the circle, or inside. */
#ifndef ML_MODEL_FORCES_CONTACT_H
#define ML_MODEL_FORCES_CONTACT_H

#include "model/forces/hunt_crossley.kern.h"

enum {
    CONTACT_AT,
    CONTACT_POINT,
    CONTACT_POINT_X,
    CONTACT_POINT_Y,
    CONTACT_NORMAL,
    CONTACT_NORMAL_X,
    CONTACT_NORMAL_Y,
    CONTACT_RADIUS,
    CONTACT_SURFACE,
    CONTACT_N_PARAM = CONTACT_SURFACE + HUNT_CROSSLEY_N_PARAM
};

static const struct ml_param contact_params[CONTACT_N_PARAM] = {
    [CONTACT_AT] = {"at", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                    "the point: distance from the segment's proximal joint (default: the distal "
                    "end)"},
    [CONTACT_POINT] = {"point", "m", (double)NAN, -1e6, 1e6, ML_REQUIRED | ML_VECTOR | ML_DERIVED,
                       "[x, y] of a point of the line, or of the circle's centre"},
    [CONTACT_POINT_X] = {"point.x", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         "x of the line's point or the centre"},
    [CONTACT_POINT_Y] = {"point.y", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                         "y of the line's point or the centre"},
    [CONTACT_NORMAL] = {"normal", "1", (double)NAN, -1e6, 1e6, ML_VECTOR | ML_DERIVED,
                        "of a line: [x, y], of any length, towards the side that is free"},
    [CONTACT_NORMAL_X] = {"normal.x", "1", (double)NAN, -1e6, 1e6, ML_DERIVED, "x of the normal"},
    [CONTACT_NORMAL_Y] = {"normal.y", "1", (double)NAN, -1e6, 1e6, ML_DERIVED, "y of the normal"},
    [CONTACT_RADIUS] = {"radius", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                        "of a circle: positive to stay outside, negative to stay inside"},
    HUNT_CROSSLEY_PARAMS(CONTACT_SURFACE),
};

/* m, of the point from its segment's joint */
ML_INLINE struct ml_dual contact_place(const struct ml_law_at *at)
{
    struct ml_dual tip = ml_law_length(at, at->law->segment);
    if (ml_law_is_default(at, CONTACT_AT))
        return tip;
    struct ml_dual own = ml_law_param(at, CONTACT_AT);
    return ml_dual_select((ml_mask)(own.v == own.v), own, tip);
}

/* How a point is to the surface: e, and n but for its length. */
struct contact_surface {
    struct ml_dual_xy e, n;
    struct ml_dual radius; /* 0: a line */
    ml_mask is_circle;
};

/* Lanes of `surface` in which the point is beyond it; of circles by squares, so that in the air
 * there is no root. */
ML_INLINE ml_mask contact_find(const struct ml_law_at *at, struct ml_dual_xy point,
                               struct contact_surface *surface)
{
    const struct ml_dual_xy e = {ml_dual_sub(point.x, ml_law_param(at, CONTACT_POINT_X)),
                                 ml_dual_sub(point.y, ml_law_param(at, CONTACT_POINT_Y))};
    struct ml_dual_xy n = {ml_law_param(at, CONTACT_NORMAL_X), ml_law_param(at, CONTACT_NORMAL_Y)};
    *surface = (struct contact_surface){e, n, ml_dual_splat(0.0), ml_no_lane()};
    ml_mask is_beyond = (ml_mask)(ml_dual_dot(e, n).v < 0.0);
    if (ml_law_is_default(at, CONTACT_RADIUS))
        return is_beyond;
    const struct ml_dual radius = ml_law_param(at, CONTACT_RADIUS);
    const ml_mask is_circle = (ml_mask)(radius.v == radius.v);
    const ml_mask is_inside = (ml_mask)(radius.v < 0.0);
    const ml_vec square = ml_dual_dot(e, e).v, most = radius.v * radius.v;
    n.x = ml_dual_select(is_inside, ml_dual_neg(e.x), e.x);
    n.y = ml_dual_select(is_inside, ml_dual_neg(e.y), e.y);
    surface->n.x = ml_dual_select(is_circle, n.x, surface->n.x);
    surface->n.y = ml_dual_select(is_circle, n.y, surface->n.y);
    surface->radius = ml_dual_select(is_circle, radius, ml_dual_splat(0.0));
    surface->is_circle = is_circle;
    const ml_mask is_out =
        (is_inside & (ml_mask)(square > most)) | (~is_inside & (ml_mask)(square < most));
    return (is_circle & is_out) | (~is_circle & is_beyond);
}

/* The unit normal; next to nothing in the middle of a circle and of a normal of length 0, which
 * have no direction, and so is the force there. */
ML_INLINE struct ml_dual_xy contact_normal(const struct contact_surface *surface)
{
    const struct ml_dual_xy n = surface->n;
    struct ml_dual square = ml_dual_dot(n, n);
    const ml_mask is_short = (ml_mask)(square.v < 0x1p-900); /* its root would lose digits */
    square = ml_dual_select(is_short, ml_dual_splat(1.0), square);
    const struct ml_dual per_length = ml_dual_rsqrt(square);
    return (struct ml_dual_xy){ml_dual_mul(n.x, per_length), ml_dual_mul(n.y, per_length)};
}

ML_INLINE void contact_law_at(const struct ml_law_at *at)
{
    struct ml_dual place = contact_place(at), none = ml_dual_splat(0.0);
    struct hunt_crossley contact = {.first = CONTACT_SURFACE};
    struct contact_surface surface;
    const ml_mask is_beyond = contact_find(at, ml_law_point(at, place), &surface);
    if (ml_bits(is_beyond) == 0)
        return;
    struct ml_dual_xy n = contact_normal(&surface), t = {n.y, ml_dual_neg(n.x)};
    struct ml_dual_xy speed = ml_law_velocity(at, place);
    contact.depth = ml_dual_sub(surface.radius, ml_dual_dot(surface.e, n));
    contact.depth = ml_dual_select(is_beyond, contact.depth, none);
    contact.rising = ml_dual_dot(speed, n);
    contact.sliding = ml_dual_dot(speed, t);
    if (!hunt_crossley_push(at, &contact))
        return;
    ml_law_add_force(at, place,
                     (struct ml_dual_xy){
                         ml_dual_fma(contact.normal, n.x, ml_dual_mul(contact.tangential, t.x)),
                         ml_dual_fma(contact.normal, n.y, ml_dual_mul(contact.tangential, t.y))});
}
ML_LAW(contact_force, contact_law_at)

/* Moves the line, or makes the circle wider, to where the point is in touch. */
static void contact_engage(const struct ml_touch *touch, int stride, double *numbers)
{
    const double *tip = touch->tip, *joint = touch->joint;
    const double at = numbers[CONTACT_AT * stride];
    const double part = isnan(at) ? 1.0 : at / hypot(tip[0] - joint[0], tip[1] - joint[1]);
    const double x = joint[0] + part * (tip[0] - joint[0]);
    const double y = joint[1] + part * (tip[1] - joint[1]);
    double *point_x = &numbers[CONTACT_POINT_X * stride],
           *radius = &numbers[CONTACT_RADIUS * stride];
    double *point_y = &numbers[CONTACT_POINT_Y * stride];
    const double nx = numbers[CONTACT_NORMAL_X * stride], ny = numbers[CONTACT_NORMAL_Y * stride];
    const double depth =
        hunt_crossley_depth(touch->energy, stride, numbers + CONTACT_SURFACE * stride);
    if (isnan(*radius)) {
        *point_x = x + depth * nx / hypot(nx, ny);
        *point_y = y + depth * ny / hypot(nx, ny);
    } else {
        const double away = hypot(x - *point_x, y - *point_y), least = 1e-6; /* m */
        *radius = *radius < 0.0 ? -fmax(away - depth, least) : away + depth;
    }
}

static const struct ml_law_functions contact_law = {.force = contact_force,
                                                    .tangent = contact_force_deriv};

ML_DESCRIPTOR(ml_force, contact) = {
    .name = "contact",
    .doc = "one-sided contact of a point of a segment with a line or a circle, with friction",
    .params = contact_params,
    .n_param = CONTACT_N_PARAM,
    .either = {"normal", "radius"},
    .places = ML_AT_SEGMENT,
    .is_external = true,
    .is_one_sided = true,
    .law = &contact_law,
    .engage = contact_engage,
};

#endif
