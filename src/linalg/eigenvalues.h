/* Eigenvalues of a small matrix without symmetry. */
#ifndef ML_LINALG_EIGENVALUES_H
#define ML_LINALG_EIGENVALUES_H

#include <complex.h>
#include <stdbool.h>

/* All eigenvalues, in no order, by the shifted QR algorithm (Golub, Van Loan, Matrix Computations,
 * sections 7.4 and 7.5), with errors of some rounding errors of the largest entry
 * and the same bits on every machine.
 *   a    [n][n] row after row; overwritten
 *   out  [n]
 * False if they do not converge or an entry is not finite. */
bool ml_eigenvalues(int n, double complex *a, double complex *out);

#endif
