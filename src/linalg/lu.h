/* Linear equations with a small complex matrix. */
#ifndef ML_LINALG_LU_H
#define ML_LINALG_LU_H

#include <stdint.h>

#include "linalg/complex_number.h"

/* Factorises in place by Gaussian elimination with partial pivoting, with the same bits on every
 * machine.
 *   a       [n][n] row after row; factors out
 *   pivots  [n] out: the row that was exchanged with row k
 * Returns the direction of the determinant, det / |det|; 0 if there is no pivot or an entry is not
 * finite: then the factors mean nothing. Thread-safe. */
double complex ml_lu_factor(int n, double complex *a, int *pivots);

/* Solves A x = b in place with these factors.
 *   b  [n] */
void ml_lu_solve(int n, const double complex *a, const int *pivots, double complex *b);

/* Solves A X = B by LU factorisation with partial pivoting, in place of LAPACK's dgbsv, whose
 * layout this is: the same bits on every machine.
 *   n             rows
 *   lower, upper  diagonals below and above the main one
 *   n_rhs         columns of B
 *   band          [n][2 lower + upper + 1] column after column of A: A(i, j) is element
 *                 lower + upper + i - j of column j, the first `lower` of each are room for
 *                 pivoting; the factors out
 *   pivots        [n] out: the row that was exchanged with row j
 *   b             [n_rhs][n]; X out
 * Returns 0, or 1 + the column without a pivot: then X is not computed. Thread-safe. */
int64_t ml_band_solve(int64_t n, int lower, int upper, int n_rhs, double *band, int64_t *pivots,
                      double *b);

#endif
