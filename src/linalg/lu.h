/* Linear equations with a small complex matrix. */
#ifndef ML_LINALG_LU_H
#define ML_LINALG_LU_H

#include <complex.h>
#include <string.h>

/* re + i im, also where one is not finite: CMPLX, which clang's headers lack. */
static inline double complex ml_complex(double re, double im)
{
    const double parts[] = {re, im}; /* as C lays a complex number out */
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* Factorises in place by Gaussian elimination with partial pivoting, with the same bits on every
 * machine.
 *   a       [n][n] row after row; factors out
 *   pivots  [n] out: the row that was exchanged with row k
 * Returns the direction of the determinant, det / |det|; 0 if there is no pivot or an entry is not
 * finite: then the factors mean nothing. Thread-safe. */
double complex ml_lu_factor(int n, double complex *a, int *pivots);

/* a / b, with the same bits on every machine. */
double complex ml_lu_quotient(double complex a, double complex b);

/* Solves A x = b in place with these factors.
 *   b  [n] */
void ml_lu_solve(int n, const double complex *a, const int *pivots, double complex *b);

#endif
