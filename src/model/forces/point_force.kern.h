/* point_force: a force, fixed in space, at a point of a segment. While it is constant it has a
 * potential. */
#ifndef ML_MODEL_FORCES_POINT_FORCE_H
#define ML_MODEL_FORCES_POINT_FORCE_H

#include "model/forces/law_signal.kern.h"

enum {
    POINT_FORCE_AT,
    POINT_FORCE_FORCE,
    POINT_FORCE_FORCE_X,
    POINT_FORCE_FORCE_Y = POINT_FORCE_FORCE_X + ML_SIGNAL_ROWS,
    POINT_FORCE_N_PARAM
};

static const struct ml_param point_force_params[POINT_FORCE_N_PARAM] = {
    [POINT_FORCE_AT] = {"at", "m", 0.0, -1e6, 1e6, ML_REQUIRED,
                        "where it acts: distance from the segment's proximal joint"},
    [POINT_FORCE_FORCE] = {"force", "N", (double)NAN, -1e12, 1e12,
                           ML_REQUIRED | ML_VECTOR | ML_DERIVED, "force, [x, y]"},
    [POINT_FORCE_FORCE_X] = {"force.x", "N", (double)NAN, -1e12, 1e12, ML_DERIVED | ML_SIGNAL,
                             "force along x"},
    [POINT_FORCE_FORCE_Y] = {"force.y", "N", (double)NAN, -1e12, 1e12, ML_DERIVED | ML_SIGNAL,
                             "force along y"},
};

ML_INLINE struct ml_dual_xy point_force_force_of(const struct ml_law_at *at)
{
    return (struct ml_dual_xy){ml_law_signal(at, 0, POINT_FORCE_FORCE_X).value,
                               ml_law_signal(at, 1, POINT_FORCE_FORCE_Y).value};
}

ML_INLINE void point_force_law_at(const struct ml_law_at *at)
{
    ml_law_add_force(at, ml_law_param(at, POINT_FORCE_AT), point_force_force_of(at));
}
ML_LAW(point_force_force, point_force_law_at)

ML_INLINE void point_force_potential_at(const struct ml_law_at *at)
{
    struct ml_dual_xy point = ml_law_point(at, ml_law_param(at, POINT_FORCE_AT));
    ml_law_add_potential(at, ml_dual_neg(ml_dual_dot(point_force_force_of(at), point)));
}
ML_LAW(point_force_potential, point_force_potential_at)

static const struct ml_law_functions point_force_law = {
    .force = point_force_force,
    .tangent = point_force_force_deriv,
    .potential = point_force_potential,
    .potential_deriv = point_force_potential_deriv,
};

ML_DESCRIPTOR(ml_force, point_force) = {
    .name = "point_force",
    .doc = "force, fixed in space, at a point of a segment",
    .params = point_force_params,
    .n_param = POINT_FORCE_N_PARAM,
    .places = ML_AT_SEGMENT,
    .is_external = true,
    .is_conservative = true,
    .law = &point_force_law,
};

#endif
