/* load: force of a plate, a handle or a device on a segment, over time. The force acts at a
 * point of the room (centre of pressure), wherever the segment is, or at a point of the segment:
 *
 *   F = scale (fx, fy),   about the segment's joint p_j:  (p - p_j) x F + scale moment */
#ifndef ML_MODEL_FORCES_LOAD_H
#define ML_MODEL_FORCES_LOAD_H

#include "model/forces/law_signal.kern.h"

enum {
    LOAD_FORCE,
    LOAD_FORCE_X,
    LOAD_FORCE_Y = LOAD_FORCE_X + ML_SIGNAL_ROWS,
    LOAD_MOMENT = LOAD_FORCE_Y + ML_SIGNAL_ROWS,
    LOAD_POINT = LOAD_MOMENT + ML_SIGNAL_ROWS,
    LOAD_POINT_X,
    LOAD_POINT_Y = LOAD_POINT_X + ML_SIGNAL_ROWS,
    LOAD_AT = LOAD_POINT_Y + ML_SIGNAL_ROWS,
    LOAD_SCALE,
    LOAD_N_PARAM
};

/* Its signals by number. */
enum { LOAD_SIGNAL_X, LOAD_SIGNAL_Y, LOAD_SIGNAL_MOMENT, LOAD_SIGNAL_POINT_X, LOAD_SIGNAL_POINT_Y };

static const struct ml_param load_params[LOAD_N_PARAM] = {
    [LOAD_FORCE] = {"force", "N", (double)NAN, -1e12, 1e12, ML_REQUIRED | ML_VECTOR | ML_DERIVED,
                    "force on the segment, [x, y]"},
    [LOAD_FORCE_X] = {"force.x", "N", (double)NAN, -1e12, 1e12, ML_DERIVED | ML_SIGNAL,
                      "force along x"},
    [LOAD_FORCE_Y] = {"force.y", "N", (double)NAN, -1e12, 1e12, ML_DERIVED | ML_SIGNAL,
                      "force along y"},
    [LOAD_MOMENT] = {"moment", "N m", 0.0, -1e12, 1e12, ML_SIGNAL,
                     "moment on the segment, besides that of the force"},
    [LOAD_POINT] = {"point", "m", (double)NAN, -1e6, 1e6, ML_VECTOR | ML_DERIVED,
                    "point of the room that the force acts at, [x, y]: the centre of pressure"},
    [LOAD_POINT_X] = {"point.x", "m", (double)NAN, -1e6, 1e6, ML_DERIVED | ML_SIGNAL,
                      "x of the point"},
    [LOAD_POINT_Y] = {"point.y", "m", (double)NAN, -1e6, 1e6, ML_DERIVED | ML_SIGNAL,
                      "y of the point"},
    [LOAD_AT] = {"at", "m", (double)NAN, -1e6, 1e6, ML_DERIVED,
                 "where it acts, in place of `point`: distance from the segment's proximal joint"},
    [LOAD_SCALE] = {"scale", "1", 1.0, -1e12, 1e12, 0,
                    "what force and moment are multiplied by, such as the body's weight in N"},
};

/* Moment about the segment's joint. */
ML_INLINE struct ml_dual load_moment_of(const struct ml_law_at *at, struct ml_dual_xy force)
{
    struct ml_dual_xy joint = ml_law_point(at, ml_dual_splat(0.0));
    struct ml_dual x =
        ml_dual_sub(ml_law_signal(at, LOAD_SIGNAL_POINT_X, LOAD_POINT_X).value, joint.x);
    struct ml_dual y =
        ml_dual_sub(ml_law_signal(at, LOAD_SIGNAL_POINT_Y, LOAD_POINT_Y).value, joint.y);
    struct ml_dual of_room = ml_dual_sub(ml_dual_mul(x, force.y), ml_dual_mul(y, force.x));
    if (ml_law_is_default(at, LOAD_AT))
        return of_room;
    struct ml_dual at_m = ml_law_param(at, LOAD_AT);
    struct ml_dual_xy across = ml_law_across(at, at->law->segment);
    return ml_dual_select((ml_mask)(at_m.v == at_m.v),
                          ml_dual_mul(at_m, ml_dual_dot(force, across)), of_room);
}

ML_INLINE void load_law_at(const struct ml_law_at *at)
{
    struct ml_dual scale = ml_law_param(at, LOAD_SCALE);
    struct ml_dual_xy force = {
        ml_dual_mul(scale, ml_law_signal(at, LOAD_SIGNAL_X, LOAD_FORCE_X).value),
        ml_dual_mul(scale, ml_law_signal(at, LOAD_SIGNAL_Y, LOAD_FORCE_Y).value)};
    struct ml_dual moment = ml_law_signal(at, LOAD_SIGNAL_MOMENT, LOAD_MOMENT).value;
    ml_law_add_wrench(at, force, ml_dual_fma(scale, moment, load_moment_of(at, force)));
}
ML_LAW(load_force, load_law_at)

static const struct ml_law_functions load_law = {.force = load_force, .tangent = load_force_deriv};

ML_DESCRIPTOR(ml_force, load) = {
    .name = "load",
    .doc =
        "force and moment over time on a segment, at a point of the room (force plate) or of the "
        "segment",
    .params = load_params,
    .n_param = LOAD_N_PARAM,
    .either = {"point", "at"},
    .places = ML_AT_SEGMENT | ML_OF_FILE,
    .is_external = true,
    .law = &load_law,
};

#endif
