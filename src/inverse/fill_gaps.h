/* Numbers that are missing between samples. */
#ifndef ML_INVERSE_FILL_GAPS_H
#define ML_INVERSE_FILL_GAPS_H

#include <stdint.h>

#include "manylink/status.h"

/* Replaces NaNs by values of the smoothing spline (see smooth.h) of all other samples, which stay
 * as they are. Between two samples the spline has degree 5: its value and two derivatives at both
 * samples give it.
 *   t  [n] s, increasing
 *   y  [n] in and out: at least ML_SMOOTH_LEAST numbers, the first and the last among them
 *
 * ML_E_INPUT if the times are too uneven, ML_E_MEMORY. */
enum ml_status ml_fill_gaps(int64_t n, const double *t, double *y, struct ml_error *err);

#endif
