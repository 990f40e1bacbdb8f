/* Numbers that are missing between samples. */
#ifndef ML_INVERSE_FILL_GAPS_H
#define ML_INVERSE_FILL_GAPS_H

#include <stdint.h>

#include "manylink/status.h"

/* Puts values of a smoothing spline (see smooth.h) in the place of NaNs: what it is of all other
 * samples, which stay as they are. Between two samples it has degree 5, so that its value and two
 * derivatives at both are enough.
 *   y  [n] neither the first nor the last a NaN, ML_SMOOTH_LEAST numbers at least
 * ML_E_INPUT if the times are too uneven, ML_E_MEMORY. */
enum ml_status ml_fill_gaps(int64_t n, const double *t, double *y, struct ml_error *err);

#endif
