/* Batched potrf and potrs on whole rows. */
#include "linalg/solve.kern.h"

/* Order of the first leading minor that is not positive, from the reciprocal pivots. */
static void first_bad_minor(int n, const double *a, int *info)
{
    for (int l = 0; l < ML_LANES; l++) {
        info[l] = 0;
        for (int i = n - 1; i >= 0; i--) {
            double reciprocal = a[ml_tri(i, i) * ML_LANES + l];
            if (!(reciprocal > 0.0 && reciprocal < (double)INFINITY))
                info[l] = i + 1;
        }
    }
}

static void interleaved_potrf(int n, double *a, int *info, double *work)
{
    ML_EACH_GROUP(g)
        (void)ml_factor(n, ML_ROW, (ml_vec *)(a + g), (ml_vec *)work);
    first_bad_minor(n, a, info);
}

static void interleaved_potrs(int n, int n_rhs, const double *a, double *b, double *work)
{
    (void)work;
    for (int r = 0; r < n_rhs; r++)
        ML_EACH_GROUP(g)
            ml_substitute(n, ML_ROW, (const ml_vec *)(a + g), (ml_vec *)(b + r * n * ML_LANES + g));
}

static void lapacke_potrf(int n, double *a, int *info, double *work)
{
    ml_lapacke_potrf(n, ML_LANES, a, info, work);
}

static void lapacke_potrs(int n, int n_rhs, const double *a, double *b, double *work)
{
    ml_lapacke_potrs(n, n_rhs, ML_LANES, a, b, work);
}

const struct ml_solver ML_K(ml_solvers)[ML_N_SOLVER] = {
#define ML_SOLVER(name, potrf, potrs, text) [ML_SOLVER_##name] = {#name, text, potrf, potrs},
#include "linalg/solvers.def"
#undef ML_SOLVER
};
