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

/* A surface as the point sees it. */
struct contact_surface {
    struct ml_dual_xy e, n; /* m; n of any length */
    struct ml_dual square;  /* |n|^2 */
    struct ml_dual radius;
    ml_mask is_circle;
};

/* Lanes' sign bits where the point stays inside of a circle. */
ML_INLINE ml_mask contact_inside(struct ml_dual radius)
{
    return (ml_mask)(radius.v < 0.0) & INT64_MIN;
}

ML_INLINE struct ml_dual contact_turned(ml_mask sign, struct ml_dual a)
{
    return (struct ml_dual){(ml_vec)((ml_mask)a.v ^ sign), (ml_vec)((ml_mask)a.d ^ sign)};
}

/* Next to nothing counts as a least |n|^2, which has a root: in the middle of a circle, and of a
 * normal of length 0, there is no direction, and so no force. */
ML_INLINE struct contact_surface contact_surface_of(const struct ml_law_at *at,
                                                    struct ml_dual_xy point)
{
    const ml_vec least = ml_splat(0x1p-900);
    struct contact_surface s = {
        .e = {ml_dual_sub(point.x, ml_law_param(at, CONTACT_POINT_X)),
              ml_dual_sub(point.y, ml_law_param(at, CONTACT_POINT_Y))},
        .n = {ml_law_param(at, CONTACT_NORMAL_X), ml_law_param(at, CONTACT_NORMAL_Y)},
        .radius = ml_law_param(at, CONTACT_RADIUS),
        .is_circle = ml_no_lane(),
    };
    if (!ml_law_is_default(at, CONTACT_RADIUS)) {
        const ml_mask sign = contact_inside(s.radius);
        const struct ml_dual_xy n = {contact_turned(sign, s.e.x), contact_turned(sign, s.e.y)};
        s.is_circle = ml_law_is_default(at, CONTACT_NORMAL_X) ? ~ml_no_lane()
                                                              : (ml_mask)(s.radius.v == s.radius.v);
        s.n.x = ml_dual_select(s.is_circle, n.x, s.n.x);
        s.n.y = ml_dual_select(s.is_circle, n.y, s.n.y);
    }
    s.square = ml_dual_dot(s.n, s.n);
    s.square.d = ml_select((ml_mask)(s.square.v > least), s.square.d, ml_splat(0.0));
    s.square.v = ml_max(s.square.v, least);
    return s;
}

/* Lanes that are beyond it: of a circle by squares, whose roots are ordered as they are, so that in
 * the air there is no root. */
ML_INLINE ml_mask contact_is_beyond(const struct contact_surface *s)
{
    const ml_mask sign = contact_inside(s->radius);
    const ml_vec square = (ml_vec)((ml_mask)s->square.v ^ sign);
    const ml_vec most = (ml_vec)((ml_mask)(s->radius.v * s->radius.v) ^ sign);
    return (s->is_circle & (ml_mask)(square < most)) |
           (~s->is_circle & (ml_mask)(ml_dual_dot(s->e, s->n).v < 0.0));
}

/* m, negative in the air.
 *   per_length  1 / |n| */
ML_INLINE struct ml_dual contact_depth(const struct contact_surface *s, struct ml_dual per_length)
{
    const struct ml_dual length = {ml_sqrt(s->square.v), 0.5 * per_length.v * s->square.d};
    const struct ml_dual of_circle =
        ml_dual_sub(s->radius, contact_turned(contact_inside(s->radius), length));
    const struct ml_dual of_line = ml_dual_neg(ml_dual_mul(ml_dual_dot(s->e, s->n), per_length));
    return ml_dual_select(s->is_circle, of_circle, of_line);
}

/* n + T/N t, t being along the surface and as long as n. */
ML_INLINE struct ml_dual_xy contact_direction(const struct ml_law_at *at,
                                              const struct contact_surface *s,
                                              struct ml_dual_xy speed)
{
    const struct ml_dual_xy n = s->n, t = {n.y, ml_dual_neg(n.x)};
    if (ml_law_is_default(at, CONTACT_SURFACE + HUNT_CROSSLEY_FRICTION))
        return n;
    const struct ml_dual grip =
        hunt_crossley_grip(at, CONTACT_SURFACE, ml_dual_dot(speed, t), s->square);
    return (struct ml_dual_xy){ml_dual_fma(grip, t.x, n.x), ml_dual_fma(grip, t.y, n.y)};
}

/* Two roots follow each other, of |n| and of the depth: the rest does not wait for them. */
ML_INLINE void contact_law_at(const struct ml_law_at *at)
{
    const int first = CONTACT_SURFACE;
    struct ml_dual place = contact_place(at);
    struct contact_surface surface = contact_surface_of(at, ml_law_point(at, place));
    if (ml_bits(contact_is_beyond(&surface)) == 0)
        return;
    struct ml_dual_xy speed = ml_law_velocity(at, place);
    struct ml_dual per_length = ml_dual_rsqrt(surface.square);
    struct ml_dual depth = hunt_crossley_positive(contact_depth(&surface, per_length));
    struct ml_dual rising = ml_dual_mul(ml_dual_dot(speed, surface.n), per_length);
    struct ml_dual size = ml_dual_mul(ml_law_param(at, first + HUNT_CROSSLEY_STIFFNESS),
                                      hunt_crossley_hardening(at, first, rising));
    size = ml_dual_mul(ml_dual_mul(size, per_length), hunt_crossley_power(at, first, depth));
    ml_law_add_sized_force(at, place, contact_direction(at, &surface, speed), size);
}
ML_LAW(contact_force, contact_law_at)

/* Moves the line, or makes the circle wider, to where the point is in touch. */
static void contact_worst_case(const struct ml_touch *touch, int stride, double *numbers)
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
    .worst_case = contact_worst_case,
};

#endif
