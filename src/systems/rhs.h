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
 * the pointers, the number of columns and what belongs to one of them are compile-time constants.
 */
struct ml_flow {
    int n, n_x, n_group;
    int n_stage;   /* evaluations of a step */
    int work_rows; /* of scratch that the system takes for them */
    bool has_joint_terms;
    const int *choice;         /* of the shape */
    const struct ml_law *laws; /* likewise */
    int n_law;
    bool has_sole_law;              /* there is one, of a kind that the kernel has built in */
    const struct ml_plugin *plugin; /* likewise */

    bool has_columns; /* there are tangent vectors */
    int n_column;     /* how many */
    int n_parameter;  /* of them the last, forced by a change of the constants */
    int parameter;    /* which of these is being advanced; -1: one of the others */
    enum ml_care care;
    enum ml_solver_kind solver;
    int n_constant;          /* rows of constants; as many follow along each parameter */
    const double *constants; /* rows from `prepare`, at the first lane */
    ml_vec *smallest;        /* [n_group] smallest pivot of any mass matrix so far */
    ml_mask *handled;        /* [n_group] an evaluation with less than full care clears lanes it was
                                not made for; its results are then thrown away */
};

/* Evaluations of a step are numbered. The state of those after the first is a fraction of a step
 * away from the first one's, so that what that left in `work` may serve. */
enum { ML_STAGE_FIRST };

/* What a system defines and an integrator sees: dx/dt = f(t, x).
 *   x     [n_x][n_group]
 *   dx    [n_x][n_group] out
 *   work  [rhs_rows][n_group], kept from stage to stage of a step. With columns, each later stage
 *         has evaluation_rows of its own behind that, for what its tangents need
 * Lowers flow->smallest to the smallest pivot met; it ends <= 0 where a mass matrix was not
 * positive definite. What a lane gets depends on that lane alone, and not on the care. */
typedef void ml_rhs_fn(const struct ml_flow *flow, int stage, double t, const ml_vec *x, ml_vec *dx,
                       ml_vec *work);

/* What a system defines beside its right-hand side, if its tangents are in closed form: what all
 * tangent vectors of an evaluation have in common. Called right after the right-hand side.
 *   x, dx  the state and its derivative */
typedef void ml_linearise_fn(const struct ml_flow *flow, int stage, const ml_vec *x,
                             const ml_vec *dx, ml_vec *work);

/* And dy/dt = (df/dx) y of one tangent vector, + df/dp for flow->parameter >= 0, at the state of a
 * stage that was linearised before: when the state has taken its step, each vector takes its own,
 * by the same stages.
 *   x, dx  the state and its derivative at that stage
 *   y      [n_x][n_group], dy likewise out */
typedef void ml_tangent_fn(const struct ml_flow *flow, int stage, double t, const ml_vec *x,
                           const ml_vec *dx, const ml_vec *y, ml_vec *dy, ml_vec *work);

/* What an integrator defines: one step, in place, each row by the same operations.
 *   rhs   inlined
 *   x     [n_x][n_group]
 *   work  [(n_x state_rows + rows of rhs) n_group] */
typedef void ml_step_fn(ml_rhs_fn *rhs, const struct ml_flow *flow, double t, double step,
                        ml_vec *x, ml_vec *work);

#endif
