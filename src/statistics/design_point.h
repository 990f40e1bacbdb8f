/* The point of failure with the highest density in standard normal space, and probabilities about
 * this point. */
#ifndef ML_STATISTICS_DESIGN_POINT_H
#define ML_STATISTICS_DESIGN_POINT_H

#include "statistics/limit_state.h"

struct ml_design_point {
    double *u, *alpha;  /* [n] scores of the point; unit vector towards failure. Of the caller */
    double index;       /* beta = alpha . u; NaN: u is nothing */
    double probability; /* Phi(-beta); NaN: u is the last point of a search without end */
    double curved;      /* with the curvatures of g = 0 at the point; NaN: none */
    enum ml_failure_doubt doubt;
};

/* Finds the point and both probabilities by FORM and SORM. ML_E_MEMORY, or the status of `find`. */
enum ml_status ml_design_point_find(const struct ml_limit_state *limit,
                                    struct ml_design_point *point, struct ml_error *err);

/* Finds the probability by draws about a point that was found.
 *   n_draw  draws */
enum ml_status ml_importance_find(const struct ml_limit_state *limit,
                                  const struct ml_design_point *point, int64_t n_draw,
                                  struct ml_chance *chance, struct ml_error *err);

#endif
