/* Exponentials of a small matrix, and what a linear system does with a held input. */
#ifndef ML_LINALG_EXPONENTIAL_H
#define ML_LINALG_EXPONENTIAL_H

#include <stdbool.h>

/* Solution of x' = A x + u for a constant u over the time t: x(t) = state x(0) + held u. Taylor's
 * series of exp of [A 1; 0 0] t, scaled by a power of 2 and squared again (Van Loan, Computing
 * integrals involving the matrix exponential, IEEE Trans. Autom. Control 23, 1978), with the same
 * bits on every machine.
 *   a        [n][n] row after row, 1/s
 *   state    [n][n] out: exp(A t)
 *   held     [n][n] out: its integral from 0 to t, s
 *   scratch  [3][n][n]
 * False if an entry of the result is not finite. Thread-safe. */
bool ml_exponential(int n, const double *a, double t, double *state, double *held, double *scratch);

#endif
