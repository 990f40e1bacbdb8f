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

/* Smoothing spline of degree 5 whose smoothing generalised cross-validation chooses (P. Craven, G.
 * Wahba, Numer. Math. 31, 1979; for measured motions H. J. Woltring, Adv. Eng. Software 8, 1986).
 *
 * Of all functions g it has the least sum_k (y_k - g(t_k))^2 + lambda int g'''^2 dt: a penalty on
 * the third derivative, as one on the second would bend the accelerations towards 0 at the ends. Of
 * equal intervals h it damps as a Butterworth filter of order 3 run both ways does, by 1 / (1 + (f
 * / f0)^6), f0 = (h / lambda)^(1/6) / (2 pi). lambda minimises n |y - g|^2 / tr(1 - A)^2, g = A y:
 * the noise of the samples is taken to be white, of any size.
 *
 * With B-splines M_j on four samples each, of integral 1, and g''' = sum_j gamma_j M_j, it is
 * (R + lambda Q'Q) gamma = Q' y, g = y - lambda Q gamma, R_jk = int M_j M_k and Q'y third
 * differences; tr(1 - A) = lambda tr((R + lambda Q'Q)^-1 Q'Q), of which the band of the inverse is
 * enough (M. F. Hutchinson, F. R. de Hoog, Numer. Math. 47, 1985). O(n) for every lambda that is
 * tried. */

enum { ML_SMOOTH_LEAST = 6 }; /* samples */

/* Curves over the same samples, each with a lambda of its own. Results that are not wanted are
 * NULL. */
struct ml_smoothed {
    int n_y;
    double *y;              /* [n_y][n] in and out: smoothed in place */
    double *first, *second; /* [n_y][n] out: their derivatives */
    double *cutoff;         /* [n_y] out, f0, Hz */
};

/* Smooths curves.
 *   n  samples, at least ML_SMOOTH_LEAST
 *   t  [n] s, increasing
 * ML_E_INPUT if the times are too uneven, ML_E_MEMORY. Thread-safe. */
enum ml_status ml_smooth(int64_t n, const double *t, const struct ml_smoothed *curves,
                         struct ml_error *err);

#endif
