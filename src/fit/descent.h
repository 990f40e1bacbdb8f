/* Levenberg-Marquardt steps of one start within bounds: K. Levenberg, Quart. Appl. Math. 2, 164
 * (1944); D. W. Marquardt, J. SIAM 11, 431 (1963); damping by H. B. Nielsen, IMM-REP-1999-05,
 * Technical University of Denmark. Arithmetic alone: the caller computes residuals r and their
 * Jacobian J at the point that it is asked for.
 *
 *   minimise r(z)^T r(z) / 2,  0 <= z_i <= 1
 *
 * A step solves (J^T J + lambda D) dz = -J^T r, D the diagonal of J^T J, over the coordinates that
 * are not held: those at a bound whose gradient points outside are. A step that leaves the box ends
 * at the first bound; from there the other coordinates follow the same equations, so that the
 * step lowers the model (an active set: J. Nocedal, S. J. Wright, Numerical Optimization, 16.5). */
#ifndef ML_FIT_DESCENT_H
#define ML_FIT_DESCENT_H

#include <stdbool.h>

enum { ML_FIT_MOST = 64 }; /* coordinates */

enum ml_descent_end {
    ML_DESCENT_UNDERWAY,
    ML_DESCENT_CONVERGED, /* no step would lower the sum of squares by enough */
    ML_DESCENT_STALLED,   /* no step lowers it: rounding, or a kink */
    ML_DESCENT_CUT_OFF,   /* after the most iterations */
    ML_DESCENT_FAILED,    /* the start's run did not finish */
};

/* J^T J and J^T r at a point. */
struct ml_normal {
    double cost;     /* r^T r / 2; infinite: the run did not finish */
    double *hessian; /* [n][n] J^T J, both triangles */
    double *slope;   /* [n] J^T r */
};

struct ml_descent {
    int n;
    double *z;            /* [n] best point so far */
    double *trial;        /* [n] point that is evaluated next */
    struct ml_normal at;  /* z */
    double damping, grow; /* lambda; its next factor */
    int fixed;            /* coordinate that stays; -1: none */
    double floor;         /* cost that is rounding alone: no step is worth less */
    double enough;        /* part of the cost that no further step is worth */
    double expected;      /* by how much the linear model says the trial lowers the cost */
    int iterations;
    int n_accepted; /* trials that have become the best point */
    /* Of a model with other unknowns beside z: eliminates these, damped as z is, fills the slope
     * and the second derivatives of `at`, and returns by how much the others alone lower the cost;
     * below 0: not positive definite. NULL: there are no others. */
    double (*eliminate)(void *context, const struct ml_descent *descent);
    void *context;
    double *metric; /* [n] filled by the elimination: the diagonal D in place of that of J^T J */
    enum ml_descent_end end;
};

/* Sets a trial; the caller sets n, fixed, floor, the arrays and `trial`. */
void ml_descent_begin(struct ml_descent *descent);

/* Takes the numbers at the trial, and finds the next trial unless the descent ends.
 *   most  iterations */
void ml_descent_take(struct ml_descent *descent, const struct ml_normal *found, int most);

/* Goes on from the best point, undamped, until rounding ends the descent. */
void ml_descent_refine(struct ml_descent *descent);

#endif
