/* Pole placement of small systems with a single input. */
#ifndef ML_LINALG_PLACEMENT_H
#define ML_LINALG_PLACEMENT_H

#include <complex.h>
#include <stdbool.h>

/* Matrices row after row. */
struct ml_placement {
    int n;
    const double *a;                        /* [n][n] of x' = A x + b u, or x_i+1 = A x_i + b u_i */
    const double *b;                        /* [n] */
    const double complex *poles;            /* [n] of A - b K: real, or with their conjugates */
    double *gain;                           /* [n] out: K of u = -K x */
    double *basis, *hessenberg, *candidate; /* [n][n], [n][n], [n] scratch */
    double complex *row, *next;             /* [n], [n] scratch */
};

/* Finds the gain, with the same bits on every machine. False if the input does not control the
 * system, but for rounding. */
bool ml_placement_solve(const struct ml_placement *placement);

#endif
