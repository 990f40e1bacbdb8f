/* From the leaves up, each node as a literal factor times the rest. */
#include "expr/graph.h"

#include <math.h>

/* ML_NO_NODE: the rest is 1. */
struct part {
    double factor;
    int rest;
};

struct collecting {
    struct ml_graph *to;
    const struct ml_graph *from;
    struct part *parts; /* [from->n] */
    int *map;           /* [from->n] the same as nodes */
};

static int multiply(struct ml_graph *to, int a, int b)
{
    return a == ML_NO_NODE ? b : b == ML_NO_NODE ? a : ml_graph_2(to, ML_OP_mul, a, b);
}

static int node_of(struct ml_graph *to, struct part part)
{
    if (part.rest == ML_NO_NODE)
        return ml_graph_literal(to, part.factor);
    if (fabs(part.factor) != 1.0)
        return ml_graph_2(to, ML_OP_mul, ml_graph_literal(to, part.factor), part.rest);
    return part.factor < 0.0 ? ml_graph_1(to, ML_OP_neg, part.rest) : part.rest;
}

static bool is_exact(double a, double b)
{
    const double product = a * b;
    return isfinite(product) && fabs(product) >= 0x1p-900 && fma(a, b, -product) == 0.0;
}

static struct part product_of(const struct collecting *c, int a, int b)
{
    const struct part x = c->parts[a], y = c->parts[b];
    if (!is_exact(x.factor, y.factor))
        return (struct part){1.0, multiply(c->to, c->map[a], c->map[b])};
    return (struct part){x.factor * y.factor, multiply(c->to, x.rest, y.rest)};
}

/* Any other operation, on the nodes of its arguments. */
static struct part whole(const struct collecting *c, const struct ml_graph_node *node)
{
    return (struct part){1.0, ml_graph_again(c->to, node, c->map)};
}

/* a b + c, or c - a b, with the product as a node. */
static struct part fused(const struct collecting *c, const struct ml_graph_node *node)
{
    const int product = node_of(c->to, product_of(c, node->arg[0], node->arg[1]));
    const int last = c->map[node->arg[2]];
    return (struct part){1.0, node->op == ML_OP_fma ? ml_graph_2(c->to, ML_OP_add, product, last)
                                                    : ml_graph_2(c->to, ML_OP_sub, last, product)};
}

static struct part part_of(const struct collecting *c, int i)
{
    const struct ml_graph_node *node = &c->from->nodes[i];
    const int a = node->arg[0], b = node->arg[1];
    switch (node->op) {
    case ML_OP_LITERAL:
        return (struct part){node->value, ML_NO_NODE};
    case ML_OP_neg:
        return (struct part){-c->parts[a].factor, c->parts[a].rest};
    case ML_OP_add:
        return a == b && c->parts[a].rest != ML_NO_NODE
                   ? (struct part){2.0 * c->parts[a].factor, c->parts[a].rest}
                   : whole(c, node);
    case ML_OP_mul:
        return product_of(c, a, b);
    case ML_OP_div:
        return c->parts[a].rest != ML_NO_NODE
                   ? (struct part){c->parts[a].factor,
                                   ml_graph_2(c->to, ML_OP_div, c->parts[a].rest, c->map[b])}
                   : whole(c, node);
    case ML_OP_fma:
    case ML_OP_fnma:
        return fused(c, node);
    default:
        return whole(c, node);
    }
}

bool ml_graph_collect(const struct ml_graph *from, const bool *is_named, struct ml_graph *to,
                      int *map)
{
    struct collecting c = {to, from, ml_pool_take(to->pool, (size_t)from->n + 1, sizeof *c.parts),
                           map};
    to->is_unfused = true;
    for (int i = 0; c.parts && i < from->n; i++) {
        c.parts[i] = part_of(&c, i);
        map[i] = node_of(to, c.parts[i]);
        if (is_named[i])
            c.parts[i] = (struct part){1.0, map[i]};
    }
    return c.parts && !to->is_full;
}
