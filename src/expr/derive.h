/* Exact derivatives of formulas. */
#ifndef ML_EXPR_DERIVE_H
#define ML_EXPR_DERIVE_H

#include "expr/graph.h"

/* Derivatives of nodes along a direction of the inputs of kind `by`, ML_OP_STATE or ML_OP_PARAM,
 * whose own derivatives are the inputs of the kind after next.
 *   nodes  [n]; out: the nodes of their derivatives, ML_NO_NODE where these are 0
 * False where the graph is full or there is no memory. */
bool ml_graph_derive(struct ml_graph *graph, enum ml_op by, int n, const int *nodes, int *derivs);

#endif
