/* Names of formulas as they were a delay ago: x(t - delay). */
#ifndef ML_CONFIG_DELAYS_H
#define ML_CONFIG_DELAYS_H

#include "expr/parse.h"
#include "model/equations.h"

/* A node of a graph that is a late state. */
struct ml_late_node {
    int node, late, value;
};

/* Initialise with graph, pool and first_row. */
struct ml_delays {
    struct ml_graph *graph;
    struct ml_pool *pool;       /* of the study */
    int first_row, n_row;       /* rows behind the parameters */
    struct ml_late *late;       /* [n] by delay */
    struct ml_late_node *nodes; /* [n_node] */
    int n, room, n_node, node_room;
};

/* The number of a delay among `late`; -1 after writing to `fault` that the node cannot be one. */
int ml_delays_find(struct ml_delays *delays, int delay, struct ml_location location,
                   struct ml_expr_fault *fault);

/* The node of a state, or of its rate of change, that many seconds ago.
 *   value  as of ml_late_state */
int ml_delays_node(struct ml_delays *delays, int late, int value, bool is_rate);

/* Whether a node depends on late states. */
bool ml_delays_are_in(const struct ml_delays *delays, int node);

#endif
