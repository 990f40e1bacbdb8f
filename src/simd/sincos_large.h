/* sin and cos of angles too large for the fast range reduction of simd/vmath.h. */
#ifndef ML_SIMD_SINCOS_LARGE_H
#define ML_SIMD_SINCOS_LARGE_H

/* Largest angle whose sine is computed, rad. Doubles are 0.125 rad apart there: beyond it an angle
 * carries no direction any more, and sine and cosine are NaN. */
#define ML_ANGLE_MAX 1e15

/* sine and cosine of x [rad] to 2 ulp for |x| <= ML_ANGLE_MAX; NaN beyond and for non-finite x.
 * Plain C compiled once, so that every instruction set calls the same code. */
void ml_sincos_large(double x, double *sine, double *cosine);

/* x = (pi/2) q + high + low, |high + low| <= pi/4, to 2^-100: returns q mod 4; *high and *low are
 * NaN where sine and cosine are. */
int ml_reduce_large(double x, double *high, double *low);

#endif
