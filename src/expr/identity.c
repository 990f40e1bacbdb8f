/* Compares two numbers of a graph as functions of other nodes, at random values of these nodes. */
#include <float.h>
#include <math.h>

#include "expr/graph.h"

struct identity {
    const struct ml_graph *graph;
    uint64_t trial;
    int left; /* nodes that may still be looked at */
};

/* A number, and the size of the parts that it is the sum of. */
struct sized {
    double value, size;
};

/* For a node that is no sum, product or quotient: of any size from 2^-64 to 2^64, so that numbers
 * that hide each other in one trial do not in another. */
static double identity_random(const struct identity *w, int node)
{
    uint64_t x = ((uint64_t)node << 8 ^ w->trial) + 0x9e3779b97f4a7c15U; /* SplitMix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    x ^= x >> 31;
    const double size = ldexp(1.0 + ldexp((double)(x >> 12), -52), (int)(x >> 1 & 127) - 64);
    return x & 1 ? size : -size;
}

static struct sized identity_value(struct identity *w, int node)
{
    const struct ml_graph_node *n = &w->graph->nodes[node];
    struct sized x[ML_OP_MOST] = {{0.0, 0.0}};
    const bool is_opened = n->op == ML_OP_neg || n->op == ML_OP_add || n->op == ML_OP_sub ||
                           n->op == ML_OP_mul || n->op == ML_OP_div || n->op == ML_OP_fma ||
                           n->op == ML_OP_fnma;
    if (!is_opened || w->left-- <= 0) {
        const double value = n->op == ML_OP_LITERAL ? n->value : identity_random(w, node);
        return (struct sized){w->left < 0 ? (double)NAN : value, fabs(value)};
    }
    for (int i = 0; i < ml_ops[n->op].n_argument; i++)
        x[i] = identity_value(w, n->arg[i]);
    const double product = x[0].value * x[1].value, size = x[0].size * x[1].size;
    switch (n->op) {
    case ML_OP_neg:
        return (struct sized){-x[0].value, x[0].size};
    case ML_OP_add:
        return (struct sized){x[0].value + x[1].value, x[0].size + x[1].size};
    case ML_OP_sub:
        return (struct sized){x[0].value - x[1].value, x[0].size + x[1].size};
    case ML_OP_div:
        return (struct sized){x[0].value / x[1].value, size / (x[1].value * x[1].value)};
    case ML_OP_fma:
        return (struct sized){product + x[2].value, size + x[2].size};
    case ML_OP_fnma:
        return (struct sized){x[2].value - product, size + x[2].size};
    default:
        return (struct sized){product, size};
    }
}

bool ml_graph_is_same(const struct ml_graph *graph, int a, int b)
{
    enum { TRIALS = 16, MOST = 256 };
    const double rounding = 16.0 * DBL_EPSILON;
    struct identity w = {.graph = graph};
    if (a == ML_NO_NODE || b == ML_NO_NODE)
        return false;
    for (; w.trial < TRIALS; w.trial++) {
        w.left = MOST;
        const struct sized x = identity_value(&w, a), y = identity_value(&w, b);
        if (!(fabs(x.value - y.value) <= rounding * (x.size + y.size)))
            return false;
    }
    return true;
}
