/* Sines and cosines of sums, from those of the terms. */
#ifndef ML_EXPR_SINES_H
#define ML_EXPR_SINES_H

#include "expr/graph.h"

/* Replaces sines and cosines of sums and differences of inputs by those of the inputs,
 *   sin(a +- b) = sin a cos b +- cos a sin b,  cos(a +- b) = cos a cos b -+ sin a sin b,
 * where that makes no more of them than there were. The products are rounded by themselves:
 * sin(a - b) is then 0 where a is b, and -sin(b - a).
 *   n      [n_row]
 *   nodes  [n_row][n[row]] in and out; ML_NO_NODE: 0
 * False where the graph is full or there is no memory. */
bool ml_graph_share_sines(struct ml_graph *graph, int n_row, const int *n, int *const *nodes);

#endif
