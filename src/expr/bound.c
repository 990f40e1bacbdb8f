/* From the leaves up: sums of sizes in place of sums. */
#include "expr/graph.h"

static int bound_of(struct ml_graph *graph, int i, const int *bounds)
{
    const struct ml_graph_node node = graph->nodes[i]; /* a copy: the graph grows */
    int b[ML_OP_MOST] = {ML_NO_NODE, ML_NO_NODE, ML_NO_NODE};
    for (int k = 0; k < ml_ops[node.op].n_argument; k++)
        b[k] = bounds[node.arg[k]];
    switch (node.op) {
    case ML_OP_neg:
    case ML_OP_abs:
        return b[0];
    case ML_OP_add:
    case ML_OP_sub:
        return ml_graph_2(graph, ML_OP_add, b[0], b[1]);
    case ML_OP_mul:
        return ml_graph_2(graph, ML_OP_mul, b[0], b[1]);
    case ML_OP_fma:
    case ML_OP_fnma:
        return ml_graph_op(graph, ML_OP_fma, b[0], b[1], b[2]);
    case ML_OP_div:
        return ml_graph_2(graph, ML_OP_div, b[0], ml_graph_1(graph, ML_OP_abs, node.arg[1]));
    case ML_OP_sin:
    case ML_OP_cos:
        return ml_graph_literal(graph, 1.0);
    case ML_OP_where:
        return ml_graph_op(graph, ML_OP_where, node.arg[0], b[1], b[2]);
    default:
        return ml_op_is_truth(node.op) ? i : ml_graph_1(graph, ML_OP_abs, i);
    }
}

int ml_graph_bound(struct ml_graph *graph, int node)
{
    const int n = node + 1;
    int *bounds = ml_pool_take(graph->pool, (size_t)n + 1, sizeof *bounds);
    const bool *is_needed = ml_graph_needed(graph, 1, &node);
    for (int i = 0; bounds && is_needed && i < n; i++)
        bounds[i] = is_needed[i] ? bound_of(graph, i, bounds) : ML_NO_NODE;
    return bounds && is_needed && node != ML_NO_NODE ? bounds[node] : ML_NO_NODE;
}
