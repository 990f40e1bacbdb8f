/* In the place of <math.h> in kernels for a GPU, where there is no C library: some of these
 * functions are instructions there, the others are called by functions for processors only. */
#ifndef ML_ENGINE_GPU_LIBC_MATH_H
#define ML_ENGINE_GPU_LIBC_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan __builtin_isnan

double fabs(double x), floor(double x), fma(double x, double y, double z);
double fmax(double x, double y), fmin(double x, double y), fmod(double x, double y);
double hypot(double x, double y), pow(double x, double y), rint(double x), sqrt(double x);

#endif
