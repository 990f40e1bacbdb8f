/* Tests of the residuals of a fit: whether they follow each other, and which are far from the
 * others. */
#ifndef ML_FIT_RESIDUALS_H
#define ML_FIT_RESIDUALS_H

#include "fit/found.h"

/* Fills in the residuals, and of all columns together `chance`, `seen` and `is_coloured`. False
 * without memory.
 *   left  [n_free][n_column n_time] left singular vectors times singular values, of the Jacobian */
bool ml_fit_look_at_residuals(struct ml_fit_found *found, const double *left);

#endif
