/* How kernels see a system: the right-hand side of dx/dt = f(t, x) for one vector of lanes. */
#ifndef ML_SYSTEMS_RHS_H
#define ML_SYSTEMS_RHS_H

#include "linalg/solve.kern.h"
#include "systems/system.h"

/* A system on the lanes that a kernel advances together: `n_group` vectors, so that the processor
 * works on one while results of another are on their way. Where a kernel is specialised, all but
 * the pointers are compile-time constants. */
struct ml_flow {
    int n, n_x, n_group;
    bool has_joint_terms;
    enum ml_solver_kind solver;
    const double *constants; /* rows from `prepare`, at the first lane */
    ml_vec *smallest;        /* [n_group] smallest pivot of any mass matrix so far */
};

/* What a system defines and an integrator sees: dx/dt = f(t, x).
 *   x     [n_group][n_x]
 *   dx    [n_group][n_x] out
 *   work  [rhs_rows n_group]
 * Lowers flow->smallest to the smallest pivot met; it ends <= 0 where a mass matrix was not
 * positive definite. */
typedef void ml_rhs_fn(const struct ml_flow *flow, double t, const ml_vec *x, ml_vec *dx,
                       ml_vec *work);

/* What an integrator defines: one step, in place.
 *   rhs   inlined
 *   x     [n_group][n_x]
 *   work  [(n_x state_rows + rhs_rows) n_group] */
typedef void ml_step_fn(ml_rhs_fn *rhs, const struct ml_flow *flow, double t, double step,
                        ml_vec *x, ml_vec *work);

#endif
