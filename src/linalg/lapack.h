/* The LAPACK that is installed. It is loaded by the first that asks for it, not linked with:
 * OpenBLAS starts threads, and asks for 128 MB for each, when a process begins, whether or not it
 * is used. */
#ifndef ML_LINALG_LAPACK_H
#define ML_LINALG_LAPACK_H

/* LAPACKE_dpotrf_work and LAPACKE_dpotrs_work, with integers of 32 bits. */
struct ml_lapack {
    int (*potrf)(int layout, char triangle, int n, double *a, int lda);
    int (*potrs)(int layout, char triangle, int n, int n_rhs, const double *a, int lda, double *b,
                 int ldb);
};

/* NULL if it cannot be loaded. Thread-safe. How many threads OpenBLAS has is the program's
 * business; it uses one for matrices of fewer than some 200 rows. */
const struct ml_lapack *ml_lapack(void);

#endif
