/* How large the parts of a formula are. */
#ifndef ML_EXPR_BOUND_H
#define ML_EXPR_BOUND_H

#include "expr/graph.h"

/* The node of a number that is at least |node|: parts are added where the formula adds or
 * subtracts them, and a sine or cosine counts as 1. ML_NO_NODE of that. */
int ml_graph_bound(struct ml_graph *graph, int node);

#endif
