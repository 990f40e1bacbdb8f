/* Complex numbers by real arithmetic that is rounded in the same way everywhere: a compiler's own
 * quotient and a C library's cabs and csqrt are not. */
#ifndef ML_LINALG_COMPLEX_NUMBER_H
#define ML_LINALG_COMPLEX_NUMBER_H

#include <complex.h>
#include <math.h>
#include <string.h>

/* re + i im, also where one is not finite: CMPLX, which clang's headers lack. */
static inline double complex ml_complex(double re, double im)
{
    const double parts[] = {re, im}; /* as C lays a complex number out */
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* |z|^2, and |z| where the square neither overflows nor underflows. */
static inline double ml_complex_square(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}
static inline double ml_complex_size(double complex z) { return sqrt(ml_complex_square(z)); }

/* a / b */
static inline double complex ml_complex_quotient(double complex a, double complex b)
{
    const double complex c = a * conj(b);
    const double square = ml_complex_square(b);
    return ml_complex(creal(c) / square, cimag(c) / square);
}

/* The square root of z whose real part is at least 0. */
static inline double complex ml_complex_root(double complex z)
{
    const double large = sqrt(0.5 * (ml_complex_size(z) + fabs(creal(z))));
    const double small = large > 0.0 ? 0.5 * cimag(z) / large : 0.0;
    return creal(z) >= 0.0 ? ml_complex(large, small)
                           : ml_complex(fabs(small), copysign(large, cimag(z)));
}

#endif
