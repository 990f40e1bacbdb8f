/* One batched solve inside a kernel, by either back end for full matrices. */
#ifndef ML_LINALG_SOLVE_KERN_H
#define ML_LINALG_SOLVE_KERN_H

#include "linalg/lapacke.h"
#include "linalg/solve.h"
#include "simd/lanes.h"

/* The interleaved back end as inline kernels: square-root-free Cholesky A = L D L^T with every lane
 * of a vector its own matrix. */

/* Vectors from one row of a batch to the next. */
enum { ML_ROW = ML_LANES / ML_WIDTH };

/* Factorises in place.
 *   n       order
 *   stride  vectors from one element of `a` to the next: 1, or ML_ROW for rows of a batch
 *   a       [n(n+1)/2] packed lower triangle in; unit lower L and, on the diagonal, 1/D out
 *   u       [n] scratch
 * Returns the smallest pivot: the matrix of a lane is positive definite if it is > 0. Lanes where
 * it is not, or NaN, hold numbers without meaning afterwards. */
ML_INLINE ml_vec ml_factor(int n, int stride, ml_vec *a, ml_vec *u)
{
    ml_vec smallest = a[0];
    a[0] = 1.0 / a[0];
    ML_UNROLL
    for (int i = 1; i < n; i++) {
        ml_vec pivot = a[ml_tri(i, i) * stride];
        ML_UNROLL
        for (int j = 0; j < i; j++) {
            ml_vec s = a[ml_tri(i, j) * stride];
            ML_UNROLL
            for (int k = 0; k < j; k++)
                s = ml_fnma(u[k], a[ml_tri(j, k) * stride], s);
            u[j] = s;
        }
        ML_UNROLL
        for (int j = 0; j < i; j++) {
            ml_vec l = u[j] * a[ml_tri(j, j) * stride];
            pivot = ml_fnma(u[j], l, pivot);
            a[ml_tri(i, j) * stride] = l;
        }
        smallest = ml_min(pivot, smallest);
        a[ml_tri(i, i) * stride] = 1.0 / pivot;
    }
    return smallest;
}

/* Solves L D L^T x = b in place, one right-hand side.
 *   a  from ml_factor
 *   b  [n] */
ML_INLINE void ml_substitute(int n, int stride, const ml_vec *a, ml_vec *b)
{
    ML_UNROLL
    for (int i = 1; i < n; i++) {
        ml_vec s = b[i * stride];
        ML_UNROLL
        for (int k = 0; k < i; k++)
            s = ml_fnma(a[ml_tri(i, k) * stride], b[k * stride], s);
        b[i * stride] = s;
    }
    ML_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        ml_vec s = b[i * stride] * a[ml_tri(i, i) * stride];
        ML_UNROLL
        for (int k = i + 1; k < n; k++)
            s = ml_fnma(a[ml_tri(k, i) * stride], b[k * stride], s);
        b[i * stride] = s;
    }
}

/* Solves on whole batches, by kind. */
extern const struct ml_solver ML_K(ml_solvers)[ML_N_SOLVER];

/* Scratch of ml_solve for order n, in vectors: enough for both back ends. */
static inline int ml_solve_rows(int n) { return n * n + n; }

/* Solves A x = b for each lane of a vector.
 *   stride  vectors from one element of `a` and `b` to the next; 1 for `lapacke`
 *   a       [n(n+1)/2] packed lower triangle in, destroyed
 *   b       [n] in and out
 *   work    [ml_solve_rows(n)]
 * Returns a number per lane that is > 0 unless A was not positive definite there; of lanes with NaN
 * it says nothing. `kind` and, for speed, `n` are constants where this is inlined. */
ML_INLINE ml_vec ml_solve(enum ml_solver_kind kind, int n, int stride, ml_vec *a, ml_vec *b,
                          ml_vec *work)
{
    if (kind == ML_SOLVER_lapacke) {
        int info[ML_WIDTH];
        ml_lapacke_potrf(n, ML_WIDTH, (double *)a, info, (double *)work);
        ml_lapacke_potrs(n, 1, ML_WIDTH, (const double *)a, (double *)b, (double *)work);
        ml_vec positive = ml_splat(0.0);
        for (int l = 0; l < ML_WIDTH; l++)
            positive[l] = info[l] == 0 || isnan(a[ml_tri(info[l] - 1, info[l] - 1)][l]) ? 1.0 : 0.0;
        return positive;
    }
    ml_vec smallest = ml_factor(n, stride, a, work);
    ml_substitute(n, stride, a, b);
    return smallest;
}

/* Solves for another right-hand side, with the factor that ml_solve of the same `kind` left in
 * `a`. */
ML_INLINE void ml_solve_again(enum ml_solver_kind kind, int n, int stride, const ml_vec *a,
                              ml_vec *b, ml_vec *work)
{
    if (kind == ML_SOLVER_lapacke)
        ml_lapacke_potrs(n, 1, ML_WIDTH, (const double *)a, (double *)b, (double *)work);
    else
        ml_substitute(n, stride, a, b);
}

#endif
