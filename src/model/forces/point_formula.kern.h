/* point_formula: a force in the plane at a point of a segment that a study gives as formulas. */
#ifndef ML_MODEL_FORCES_POINT_FORMULA_H
#define ML_MODEL_FORCES_POINT_FORMULA_H

#include "model/forces/formula.kern.h"

/* The first number, as formula_see_point_x has it; behind them as of `formula`. */
enum { POINT_FORMULA_AT, POINT_FORMULA_N_PARAM };

ML_INLINE void point_formula_law_at(const struct ml_law_at *at)
{
    struct ml_dual force[2];
    formula_compute(at, 2, force);
    ml_law_add_force(at, ml_law_param(at, POINT_FORMULA_AT),
                     (struct ml_dual_xy){force[0], force[1]});
}
ML_LAW(point_formula_force, point_formula_law_at)

static const struct ml_law_functions point_formula_law = {.force = point_formula_force,
                                                          .tangent = point_formula_force_deriv};

static const struct ml_param point_formula_params[POINT_FORMULA_N_PARAM] = {
    [POINT_FORMULA_AT] = {"at", "m", 0.0, -1e6, 1e6, ML_REQUIRED,
                          "where it acts: distance from the segment's proximal joint"},
};

ML_DESCRIPTOR(ml_force, point_formula) = {
    .name = "point_formula",
    .doc = "force at a point of a segment that the study gives as two formulas",
    .params = point_formula_params,
    .n_param = POINT_FORMULA_N_PARAM,
    .places = ML_AT_SEGMENT | ML_BY_FORMULA | ML_FORCE_FORMULA,
    .is_external = true,
    .law = &point_formula_law,
};

#endif
