/* The lapacke back end: one dpotrf and dpotrs per lane. */
#ifndef ML_LINALG_LAPACKE_H
#define ML_LINALG_LAPACKE_H

#include <stdbool.h>

/* As potrf and potrs of linalg/solve.h, for rows of `width` doubles: width ML_LANES for a whole
 * batch, or a vector's width inside a kernel.
 *   work  [n][n + n_rhs] doubles */
void ml_lapacke_potrf(int n, int width, double *a, int *info, double *work);
void ml_lapacke_potrs(int n, int n_rhs, int width, const double *a, double *b, double *work);

/* Loads LAPACK, if that has not been done: call it before the parallel region of a study that has
 * this solver, so that no thread waits for it there. */
void ml_lapacke_load(void);

/* LAPACKE_dpotrf_work and LAPACKE_dpotrs_work, with integers of 32 bits. */
struct ml_lapack {
    int (*potrf)(int layout, char triangle, int n, double *a, int lda);
    int (*potrs)(int layout, char triangle, int n, int n_rhs, const double *a, int lda, double *b,
                 int ldb);
    bool is_confined; /* the address space of the process is limited */
};

/* NULL if it cannot be loaded. Thread-safe. How many threads OpenBLAS has is the program's
 * business; it uses one for matrices of fewer than some 200 rows. */
const struct ml_lapack *ml_lapack(void);

/* Whether LAPACK can factorise. OpenBLAS tries for ever to take a buffer where it finds no memory
 * for one, so where the address space is limited a child process tries first; it is killed after 1
 * s of processor time. */
bool ml_lapacke_has_room(void);

#endif
