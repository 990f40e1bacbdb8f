/* Cholesky's factorisation A = L L^T of a small matrix, row by row (Golub, Van Loan, Matrix
 * Computations, section 4.2). */
#ifndef ML_BASE_CHOLESKY_H
#define ML_BASE_CHOLESKY_H

#include <stdbool.h>

/* Factorises in place.
 *   a      [n] rows of `stride` numbers: in, the lower triangle of A; out, that of L. The upper
 *          triangle is neither read nor written
 *   least  pivots, the squares of L's diagonal, must be above
 * False at the first pivot that is not: A is not positive definite. */
bool ml_cholesky_factorise(int n, int stride, double least, double *a);

/* Solves L L^T x = b in place.
 *   l  as ml_cholesky_factorise leaves it
 *   x  [n] in: b */
void ml_cholesky_solve(int n, int stride, const double *l, double *x);

#endif
