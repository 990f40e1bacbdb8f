/* Singular values of a tall matrix by one-sided Jacobi rotations (M. R. Hestenes, J. SIAM 6, 51,
 * 1958), small ones to their own relative precision. */
#ifndef ML_BASE_SINGULAR_H
#define ML_BASE_SINGULAR_H

#include <stdint.h>

/* A = U diag(s) V^T.
 *   columns  [n][m] of A; out U diag(s)
 *   values   [n] out: s, descending
 *   vectors  [n][n] out: rows are the columns of V, in that order */
void ml_singular_values(int64_t m, int n, double *columns, double *values, double *vectors);

#endif
