/* point_force: a constant force, fixed in space, at a point of a segment. */
#include "forces/law.kern.h"

enum { AT, FORCE, FORCE_X, FORCE_Y, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [AT] = {"at", "m", 0.0, -1e6, 1e6, ML_REQUIRED,
            "where it acts: distance from the segment's proximal joint"},
    [FORCE] = {"force", "N", (double)NAN, -1e12, 1e12, ML_REQUIRED | ML_VECTOR | ML_DERIVED,
               "force, [x, y]"},
    [FORCE_X] = {"force.x", "N", (double)NAN, -1e12, 1e12, ML_DERIVED, "force along x"},
    [FORCE_Y] = {"force.y", "N", (double)NAN, -1e12, 1e12, ML_DERIVED, "force along y"},
};

ML_INLINE struct ml_dual_xy force_of(const struct ml_law_at *at)
{
    return (struct ml_dual_xy){ml_law_param(at, FORCE_X), ml_law_param(at, FORCE_Y)};
}

ML_INLINE void law_at(const struct ml_law_at *at)
{
    ml_law_pull(at, ml_law_param(at, AT), force_of(at));
}
ML_LAW(force, law_at)

ML_INLINE void potential_at(const struct ml_law_at *at)
{
    struct ml_dual_xy point = ml_law_point(at, ml_law_param(at, AT));
    ml_law_add_potential(at, ml_dual_negative(ml_dual_dot(force_of(at), point)));
}
ML_LAW(potential, potential_at)

static const struct ml_law_functions law = {
    .force = force,
    .tangent = force_slope,
    .potential = potential,
    .potential_slope = potential_slope,
};

extern const struct ml_force ML_K(ml_force_point_force);
const struct ml_force ML_K(ml_force_point_force) = {
    .name = "point_force",
    .doc = "constant force, fixed in space, at a point of a segment",
    .params = params,
    .n_param = N_PARAM,
    .places = ML_AT_SEGMENT,
    .is_external = true,
    .is_conservative = true,
    .law = &law,
};
