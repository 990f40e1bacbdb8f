/* Graphs for reading: literal factors of products gathered in front. */
#ifndef ML_EXPR_COLLECT_H
#define ML_EXPR_COLLECT_H

#include "expr/graph.h"

/* Makes the nodes of a graph again, so that of products each has one literal factor at most, the
 * first, and none has a sum of equals: (x + x)*0.5*m is x*m. Factors whose product is rounded stay
 * apart, and the names' nodes are left whole.
 *   is_named  [from->n]
 *   to        out: a graph with a pool, without nodes
 *   map       [from->n] out: the nodes there
 * False without memory. */
bool ml_graph_collect(const struct ml_graph *from, const bool *is_named, struct ml_graph *to,
                      int *map);

#endif
