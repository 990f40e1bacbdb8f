/* The kernels built for one instruction set, as one table. It and the registry it points to are the
 * only ways from plain code into code compiled with that set's flags. */
#ifndef ML_ENGINE_KERNELS_H
#define ML_ENGINE_KERNELS_H

#include "analysis/registry.h"
#include "engine/kernels/kernel.h"
#include "manylink/status.h"

enum { ML_SAG_HIDES = 32 }; /* a sag may hide a change so many times as large */

struct ml_kernels {
    const char *isa;
    int width;                               /* lanes per vector */
    const struct ml_registry *registry;      /* systems, forces, indicators */
    const struct ml_solver *solvers;         /* [ML_N_SOLVER] */
    const struct ml_kernel *const *general;  /* [system] */
    const struct ml_kernel *const *built_in; /* NULL-terminated: those of kernels.def */

    /* sine and cosine of n rows, [n][ML_LANES] */
    void (*sincos)(int n, const double *x, double *sine, double *cosine);
    /* updates n rows of sines and cosines in place, from x to x + d, |d| <= ML_INCREMENT_MAX rad */
    void (*sincos_update)(int n, const double *d, double *sine, double *cosine);
    /* natural logarithm of n rows */
    void (*log)(int n, const double *x, double *y);
    /* exponential function of n rows; `near`: of |x| <= 700 */
    void (*exp)(int n, const double *x, double *y);
    void (*exp_near)(int n, const double *x, double *y);

    /* Index of the first of n steps in which a number may leave the interval between `low` and
     * `high` [1], or n: one that does not is at both ends of the step at least half as far inside
     * as it moves in this step or the one before.
     *   value  [2 + n] rows, `stride` doubles apart: before the last two steps, and behind each */
    int (*leaves)(int n, long stride, const double *value, const double *low, const double *high);

    /* Index of the first of n steps in which a number may have an extreme, or n; the last always.
     *   value  as above */
    int (*turns)(int n, long stride, const double *value);

    /* Index of the first of n steps in which a number may turn unseen by its values and slopes at
     * the ends, and leave the interval between `low` and `high` [1], or n.
     *   value  as above
     *   sag    [n] rows: by how much the number bends in each step */
    int (*bends)(int n, long stride, const double *value, const double *sag, const double *low,
                 const double *high);

    /* Orthonormalises n_column vectors of n_row rows in place; the factor R, upper triangular with
     * a positive diagonal, to r [n_column(n_column+1)/2] rows, column after column.
     *   least  part of the length of a vector; with so little of it orthogonal to those before, the
     *          vector becomes 0 */
    void (*orthonormalise)(int n_row, int n_column, double least, double *a, double *r);

    /* Adds n samples, in their order, to the sums of weight torque^2, of weight power where the
     * power is positive, and where it is negative */
    void (*add_effort)(int n, const double *weight, const double *torque, const double *power,
                       double sums[3]);
    /* Solves linear equations with complex matrices, as ml_complex_solve.
     *   a  [n][n + n_rhs] pairs of rows: matrix and right-hand sides in, solutions out */
    void (*solve_complex)(int n, int n_rhs, double *a);
};

/* The i-th table this CPU can run, slowest first; NULL past the last. i = 0 always exists. */
const struct ml_kernels *ml_kernels_at(int i);

/* The fastest table this CPU can run; with isa not NULL, the one of that name. On failure names
 * the allowed ones. */
enum ml_status ml_kernels_pick(const char *isa, const struct ml_kernels **out,
                               struct ml_error *err);

#endif
