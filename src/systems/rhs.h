/* How kernels see a system: the right-hand side of dx/dt = f(t, x) for one vector of lanes. */
#ifndef ML_SYSTEMS_RHS_H
#define ML_SYSTEMS_RHS_H

#include "linalg/solve.kern.h"
#include "systems/system.h"

/* What an evaluation is made for. With less care it is faster, and tried first; what it cannot do
 * is done again with more. A lane's results do not depend on which did it. */
enum ml_care {
    ML_FULL,    /* everything */
    ML_CAREFUL, /* whatever stays in registers */
    ML_HASTY    /* what nearly always holds: a system's choice */
};

/* A system on the lanes that a kernel advances together: `n_group` vectors, so that the processor
 * works on one while results of another are on their way. Where a kernel is specialised, all but
 * the pointers are compile-time constants. */
struct ml_flow {
    int n, n_x, n_group;
    int n_column; /* tangent vectors behind the state; n_x counts the rows of both */
    bool has_joint_terms;
    enum ml_care care;
    enum ml_solver_kind solver;
    const double *constants; /* rows from `prepare`, at the first lane */
    ml_vec *smallest;        /* [n_group] smallest pivot of any mass matrix so far */
    ml_mask *handled;        /* [n_group] an evaluation with less than full care clears lanes it was
                                not made for; its results are then thrown away */
};

/* Which evaluation of a step it is: the first, or one whose state is a fraction of a step away from
 * the first one's, so that what that left in `work` may serve. */
enum ml_stage { ML_STAGE_FIRST, ML_STAGE_NEAR };

/* What a system defines and an integrator sees: dx/dt = f(t, x).
 *   x     [n_x][n_group]
 *   dx    [n_x][n_group] out
 *   work  [rhs_rows][n_group], kept from stage to stage of a step
 * Lowers flow->smallest to the smallest pivot met; it ends <= 0 where a mass matrix was not
 * positive definite. What a lane gets depends on that lane alone, and not on the care. */
typedef void ml_rhs_fn(const struct ml_flow *flow, enum ml_stage stage, double t, const ml_vec *x,
                       ml_vec *dx, ml_vec *work);

/* What a system defines beside its right-hand side: dy/dt = (df/dx) y for the flow's tangent
 * vectors. Called right after the right-hand side for the same x, which leaves its factorised mass
 * matrix in `work`. x     rows of the state, then [n_column] of as many rows dx    the same: the
 * state's are there, the tangents' are written */
typedef void ml_tangents_fn(const struct ml_flow *flow, const ml_vec *x, ml_vec *dx, ml_vec *work);

/* What an integrator defines: one step, in place.
 *   rhs   inlined
 *   x     [n_x][n_group]
 *   work  [(n_x state_rows + rhs_rows) n_group] */
typedef void ml_step_fn(ml_rhs_fn *rhs, const struct ml_flow *flow, double t, double step,
                        ml_vec *x, ml_vec *work);

#endif
