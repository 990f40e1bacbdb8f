/* Constraints of a motion among nodes, by Lagrange's multipliers:
 *
 *   M q'' = f + J^T lambda,   J q'' = wanted
 *
 * of phi(q, t) = 0, and of psi(q, q', t) = 0 that is linear in the rates. */
#ifndef ML_EXPR_CONSTRAIN_H
#define ML_EXPR_CONSTRAIN_H

#include "expr/motion.h"

enum ml_constraint_fault {
    ML_CONSTRAINT_IS_RIGHT,
    ML_CONSTRAINT_IS_IDLE,    /* it depends on no coordinate and no rate */
    ML_CONSTRAINT_IS_CURVED,  /* it is not linear in the rates */
    ML_CONSTRAINT_HAS_STATES, /* it depends on states that are neither */
    ML_CONSTRAINT_IS_LONG     /* the graph is full */
};

/* Makes room for n constraints, [n], and their Jacobian and responses, [n][coordinates], in a
 * motion that has no constraints yet. False without memory. */
bool ml_constraints_make(struct ml_graph *graph, int n, struct ml_motion *motion);

/* Adds the constraint that a node is 0, with constraints.stabilisation. A constraint with a fault
 * is counted too: constraints.n - 1 is its number. */
enum ml_constraint_fault ml_constraint_add(struct ml_graph *graph, struct ml_motion *motion,
                                           int node);

/* J^T lambda of a coordinate; ML_NO_NODE: 0 */
int ml_constraints_force(struct ml_graph *graph, const struct ml_motion *motion, int coordinate);

/* The size that a constraint's value is compared with: the sizes of its terms, and the most that
 * J x can be of an x as large as the coordinates, or rates, are in the metric of M. */
int ml_constraints_size(struct ml_graph *graph, const struct ml_motion *motion, int constraint);

/* Whether constraints do no work: none depends on time, and all hold at rest. */
bool ml_constraints_are_at_rest(struct ml_graph *graph, const struct ml_motion *motion);

/* Accelerations and multipliers; as ml_graph_factorise, of M.
 *   dependent  out: the constraint whose pivot is 0 whatever the inputs are, or -1 */
int ml_motion_solve(struct ml_graph *graph, struct ml_motion *motion, int *dependent);

/* Their derivatives, M^-1 (df - dM q'' + dJ^T lambda + J^T dlambda), as ml_graph_derive.
 *   derivs  [n] out */
bool ml_motion_derive(struct ml_graph *graph, const struct ml_motion *motion, enum ml_op by,
                      int *derivs);

#endif
