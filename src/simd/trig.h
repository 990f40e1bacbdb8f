/* Numbers shared by the fast and the far range reduction. Coefficients are those of the fdlibm
 * kernels k_sin.c and k_cos.c (Sun Microsystems, 1993): |error| < 2^-57 on [-pi/4, pi/4]. */
#ifndef ML_SIMD_TRIG_H
#define ML_SIMD_TRIG_H

#define ML_TWO_OVER_PI 0x1.45f306dc9c883p-1

/* pi/2 as a sum of doubles, each the rounding of the remainder. */
#define ML_HALF_PI_1 0x1.921fb54442d18p+0
#define ML_HALF_PI_2 0x1.1a62633145c07p-54
#define ML_HALF_PI_3 (-0x1.f1976b7ed8fbcp-110)
#define ML_HALF_PI_4 0x1.4cf98e804177dp-164

/* sin r = r + r^3 (S1 + S2 r^2 + ...) */
#define ML_SIN_1 -0x1.5555555555549p-3
#define ML_SIN_2 0x1.111111110f8a6p-7
#define ML_SIN_3 -0x1.a01a019c161d5p-13
#define ML_SIN_4 0x1.71de357b1fe7dp-19
#define ML_SIN_5 -0x1.ae5e68a2b9cebp-26
#define ML_SIN_6 0x1.5d93a5acfd57cp-33

/* cos r = 1 - r^2/2 + r^4 (C1 + C2 r^2 + ...) */
#define ML_COS_1 0x1.555555555554cp-5
#define ML_COS_2 -0x1.6c16c16c15177p-10
#define ML_COS_3 0x1.a01a019cb1590p-16
#define ML_COS_4 -0x1.27e4f809c52adp-22
#define ML_COS_5 0x1.1ee9ebdb4b1c4p-29
#define ML_COS_6 -0x1.8fae9be8838d4p-37

/* sin d = d + d^3 (S1 + S2 d^2 + S3 d^4), cos d - 1 = d^2 (-1/2 + C2 d^2 + C3 d^4 + C4 d^6) for
 * |d| <= ML_INCREMENT_MAX rad: minimax (Remez), each coefficient rounded and those after it fitted
 * again. The truncation error is below 3.6e-17 (sine) and 2.7e-19 (cosine). */
#define ML_INCREMENT_MAX 0x1.cp-4
#define ML_INCREMENT_SIN_1 -0x1.555555554af0fp-3
#define ML_INCREMENT_SIN_2 0x1.11110ff5e84d2p-7
#define ML_INCREMENT_SIN_3 -0x1.9ff5bab5d37c4p-13
#define ML_INCREMENT_COS_2 0x1.5555555550329p-5
#define ML_INCREMENT_COS_3 -0x1.6c16c06e1296dp-10
#define ML_INCREMENT_COS_4 0x1.9ffb8c857d9e2p-16

/* Largest angle whose sine is computed, rad. Doubles are 0.125 rad apart there: beyond it an angle
 * carries no direction any more, and sine and cosine are NaN. */
#define ML_ANGLE_MAX 1e15

/* sine and cosine of x [rad] to 2 ulp for |x| <= ML_ANGLE_MAX; NaN beyond and for non-finite x.
 * Plain C compiled once, so that every instruction set calls the same code. */
struct ml_sincos_large {
    double sine, cosine;
};
struct ml_sincos_large ml_sincos_large(double x);

/* x = (pi/2) q + high + low, |high + low| <= pi/4, to 2^-100: returns q mod 4; *high and *low are
 * NaN where sine and cosine are. */
int ml_reduce_large(double x, double *high, double *low);

#endif
