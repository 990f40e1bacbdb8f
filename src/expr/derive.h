/* Exact derivatives of formulas. */
#ifndef ML_EXPR_DERIVE_H
#define ML_EXPR_DERIVE_H

#include "expr/graph.h"

/* Derivatives of nodes along a direction of the inputs of kind `by`, ML_OP_STATE or ML_OP_PARAM,
 * whose own derivatives are the inputs of the kind after next.
 *   nodes  [n]; out: the nodes of their derivatives, ML_NO_NODE where these are 0
 * False where the graph is full or there is no memory. */
bool ml_graph_derive(struct ml_graph *graph, enum ml_op by, int n, const int *nodes, int *derivs);

/* Derivatives along a direction that nodes give.
 *   inputs  [n_input] the inputs that change; the others stay
 *   rates   [n_input] nodes: how fast each changes, ML_NO_NODE for 0
 *   nodes   [n] ML_NO_NODE for 0 */
bool ml_graph_derive_along(struct ml_graph *graph, int n_input, const int *inputs, const int *rates,
                           int n, const int *nodes, int *derivs);

/* Partial derivatives of nodes by one input. */
bool ml_graph_partial(struct ml_graph *graph, int input, int n, const int *nodes, int *partials);

#endif
