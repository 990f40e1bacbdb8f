/* Derivatives of samples by an interpolating spline of degree 5.
 *
 * Its knots are the samples but for the second and third from either end: there even the fifth
 * derivative is continuous, which stands in for conditions at the ends ("not a knot"). So it is the
 * samples' polynomial if that has a degree of at most 5, and else, of samples h apart, its first
 * derivative is off by O(h^5) and its second by O(h^4). (De Boor, A Practical Guide to Splines,
 * 1978; derivatives of the basis as in Piegl, Tiller, The NURBS Book, A2.3.) */
#ifndef ML_INVERSE_SPLINE_H
#define ML_INVERSE_SPLINE_H

#include <stdint.h>

#include "manylink/status.h"

enum { ML_SPLINE_LEAST = 6 }; /* samples */

/* First and second derivative at the samples.
 *   n       samples, at least ML_SPLINE_LEAST
 *   t       [n] increasing
 *   n_y     curves
 *   y       [n_y][n]
 *   first   [n_y][n] out; may be NULL
 *   second  [n_y][n] out; may be NULL
 * ML_E_INPUT if the samples are too uneven to be told apart, ML_E_MEMORY. Thread-safe. */
enum ml_status ml_spline_derivatives(int64_t n, const double *t, int n_y, const double *y,
                                     double *first, double *second, struct ml_error *err);

#endif
