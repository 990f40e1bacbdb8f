/* One batched solve inside a kernel, by either back end for full matrices. */
#ifndef ML_LINALG_SOLVE_KERN_H
#define ML_LINALG_SOLVE_KERN_H

#include "linalg/factor.h"
#include "linalg/lapacke.h"
#include "linalg/solve.h"

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

/* The same for another right-hand side, with what ml_solve of the same `kind` left in `a`. */
ML_INLINE void ml_solve_again(enum ml_solver_kind kind, int n, int stride, const ml_vec *a,
                              ml_vec *b, ml_vec *work)
{
    if (kind == ML_SOLVER_lapacke)
        ml_lapacke_potrs(n, 1, ML_WIDTH, (const double *)a, (double *)b, (double *)work);
    else
        ml_substitute(n, stride, a, b);
}

#endif
