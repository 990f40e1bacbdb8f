/* Batched symmetric positive definite solves: one interface, two back ends for full matrices.
 *
 * LAPACK semantics: factorise once (potrf), solve for any number of right-hand sides (potrs),
 * `info` per lane: 0, or the order of the first leading minor that is not positive. The factor is
 * opaque: `interleaved` keeps the square-root-free form L D L^T (unit lower L, and 1/D on the
 * diagonal), `lapacke` what dpotrf leaves. */
#ifndef ML_LINALG_SOLVE_H
#define ML_LINALG_SOLVE_H

#include <stddef.h>

/* The order is that of linalg/solvers.def. */
enum ml_solver_kind {
#define ML_SOLVER(name, potrf, potrs, text) ML_SOLVER_##name,
#include "linalg/solvers.def"
#undef ML_SOLVER
    ML_N_SOLVER
};

/* Without potrf and potrs where a system solves its own equations. */
struct ml_solver {
    const char *name, *doc;

    /* Factorises in place.
     *   n     order, >= 1
     *   a     [n(n+1)/2][ML_LANES] packed lower triangle in (ml_tri), factor out
     *   info  [ML_LANES]; lanes with info > 0 are meaningless afterwards, the others untouched by
     *         them
     *   work  [n][n + n_rhs at most] doubles for `lapacke`, [n][ML_LANES] for `interleaved` */
    void (*potrf)(int n, double *a, int *info, double *work);

    /* Solves A x = b in place.
     *   a     from potrf
     *   b     [n_rhs][n][ML_LANES] right-hand sides in, solutions out */
    void (*potrs)(int n, int n_rhs, const double *a, double *b, double *work);
};

#endif
