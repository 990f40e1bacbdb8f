#include "linalg/lapacke.h"

#include <lapacke.h>

#include "simd/layout.h"

/* Present when the LAPACK in use is OpenBLAS. */
extern void openblas_set_num_threads(int n) __attribute__((weak));

void ml_lapacke_single_thread(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

static void gather(int n, int width, const double *a, int lane, double *matrix)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            matrix[j * n + i] = a[ml_tri(i, j) * width + lane];
}

/* What dpotrf says, and for a NaN pivot, which OpenBLAS lets pass, its order. */
static int factorise(int n, double *matrix)
{
    int info = (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, matrix, n);
    for (int i = 0; i < n && info == 0; i++)
        if (!(matrix[i * n + i] > 0.0))
            info = i + 1;
    return info;
}

void ml_lapacke_potrf(int n, int width, double *a, int *info, double *work)
{
    for (int lane = 0; lane < width; lane++) {
        gather(n, width, a, lane, work);
        info[lane] = factorise(n, work);
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++)
                a[ml_tri(i, j) * width + lane] = work[j * n + i];
    }
}

void ml_lapacke_potrs(int n, int n_rhs, int width, const double *a, double *b, double *work)
{
    double *rhs = work + (long)n * n;
    for (int lane = 0; lane < width; lane++) {
        gather(n, width, a, lane, work);
        for (int r = 0; r < n_rhs * n; r++)
            rhs[r] = b[r * width + lane];
        (void)LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, n_rhs, work, n, rhs, n);
        for (int r = 0; r < n_rhs * n; r++)
            b[r * width + lane] = rhs[r];
    }
}
