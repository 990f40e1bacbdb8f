/* Riccati equations of small systems: linear quadratic regulators. */
#ifndef ML_LINALG_RICCATI_H
#define ML_LINALG_RICCATI_H

#include <complex.h>
#include <stdbool.h>

enum { ML_RICCATI_MATRICES = 8 };

/* Matrices [n][n] row after row; inputs beyond those there are have columns and rows of 0. */
struct ml_riccati {
    int n;
    bool is_discrete;
    const double *a, *b;              /* x' = A x + B u, or x_i+1 = A x_i + B u_i */
    double r;                         /* cost of u^2, > 0 */
    double *x;                        /* in: Q, the cost of the state; out: the solution X */
    double *gain;                     /* out: K of u = -K x */
    double *matrices;                 /* [ML_RICCATI_MATRICES][n][n] scratch */
    double complex *factors, *column; /* [n][n], [n] */
    int *pivots;                      /* [n] */
};

/* Finds the solution that stabilises of
 *
 *   A' X + X A - X B B' X / r + Q = 0           K = B' X / r
 *   X = A' X A - A' X B K + Q                   K = (r + B' X B)^-1 B' X A
 *
 * with the same bits on every machine. False without convergence: no input stabilises the system,
 * or a motion that does not decay by itself is not in the cost. */
bool ml_riccati_solve(const struct ml_riccati *equation);

#endif
