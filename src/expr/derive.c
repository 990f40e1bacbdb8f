/* Forward differentiation of a graph: the derivative of a node from those of its arguments, by the
 * rule of its operation. Factors that do not depend on the direction are nodes of their own,
 * computed once for all directions. */
#include "expr/derive.h"

/* A node and the derivatives of its arguments; ML_NO_NODE: a derivative of 0. */
struct rule {
    struct ml_graph *graph;
    int node, arg[ML_OP_MOST], deriv[ML_OP_MOST];
};

static int derive_sub(struct rule *r, int a, int b)
{
    if (a == ML_NO_NODE || b == ML_NO_NODE)
        return a == ML_NO_NODE ? ml_graph_1(r->graph, ML_OP_neg, b) : a;
    return ml_graph_2(r->graph, ML_OP_sub, a, b);
}

/* c' + b a' + a b', each product fused into the sum; of a square c' + (a + a) a' */
static int derive_product(struct rule *r, int c)
{
    if (r->arg[0] == r->arg[1])
        return ml_graph_plus(r->graph,
                             ml_graph_2(r->graph, ML_OP_mul,
                                        ml_graph_2(r->graph, ML_OP_add, r->arg[0], r->arg[0]),
                                        r->deriv[0]),
                             c);
    const int sum =
        ml_graph_plus(r->graph, ml_graph_2(r->graph, ML_OP_mul, r->arg[1], r->deriv[0]), c);
    return ml_graph_plus(r->graph, ml_graph_2(r->graph, ML_OP_mul, r->arg[0], r->deriv[1]), sum);
}

/* c' - b a' - a b' */
static int derive_less_product(struct rule *r, int c)
{
    if (c == ML_NO_NODE || r->arg[0] == r->arg[1])
        return derive_sub(r, c, derive_product(r, ML_NO_NODE));
    const int rest = derive_sub(r, c, ml_graph_2(r->graph, ML_OP_mul, r->arg[1], r->deriv[0]));
    return derive_sub(r, rest, ml_graph_2(r->graph, ML_OP_mul, r->arg[0], r->deriv[1]));
}

/* a of it where the argument is, b elsewhere; numbers that are 0 have no node. */
static int derive_where(struct rule *r, int truth, int a, int b)
{
    if (a == ML_NO_NODE && b == ML_NO_NODE)
        return ML_NO_NODE;
    const int zero = ml_graph_literal(r->graph, 0.0);
    return ml_graph_op(r->graph, ML_OP_where, truth, a == ML_NO_NODE ? zero : a,
                       b == ML_NO_NODE ? zero : b);
}

/* (a/b)' = (a' - (a/b) b') / b */
static int derive_quotient(struct rule *r)
{
    const int inverse = ml_graph_2(r->graph, ML_OP_div, ml_graph_literal(r->graph, 1.0), r->arg[1]);
    return ml_graph_2(
        r->graph, ML_OP_mul, inverse,
        derive_sub(r, r->deriv[0], ml_graph_2(r->graph, ML_OP_mul, r->node, r->deriv[1])));
}

/* Factor of the derivative of a function of one argument. */
static int derive_slope(struct rule *r, enum ml_op op)
{
    struct ml_graph *g = r->graph;
    const int one = ml_graph_literal(g, 1.0),
              square = ml_graph_2(r->graph, ML_OP_mul, r->arg[0], r->arg[0]);
    switch (op) {
    case ML_OP_sqrt:
        return ml_graph_2(g, ML_OP_div, ml_graph_literal(g, 0.5), r->node);
    case ML_OP_exp:
        return r->node;
    case ML_OP_log:
        return ml_graph_2(g, ML_OP_div, one, r->arg[0]);
    case ML_OP_sin:
        return ml_graph_1(g, ML_OP_cos, r->arg[0]);
    case ML_OP_cos:
        return ml_graph_1(g, ML_OP_neg, ml_graph_1(g, ML_OP_sin, r->arg[0]));
    case ML_OP_tan:
        return ml_graph_2(g, ML_OP_add, one, ml_graph_2(r->graph, ML_OP_mul, r->node, r->node));
    case ML_OP_tanh: { /* 1 - tanh^2 has no digits left where tanh is nearly 1 */
        const int cosh = ml_graph_1(g, ML_OP_cosh, r->arg[0]);
        return ml_graph_2(g, ML_OP_div, one, ml_graph_2(r->graph, ML_OP_mul, cosh, cosh));
    }
    case ML_OP_sinh:
        return ml_graph_1(g, ML_OP_cosh, r->arg[0]);
    case ML_OP_cosh:
        return ml_graph_1(g, ML_OP_sinh, r->arg[0]);
    case ML_OP_atan:
        return ml_graph_2(g, ML_OP_div, one, ml_graph_2(g, ML_OP_add, one, square));
    case ML_OP_asin:
        return ml_graph_2(g, ML_OP_div, one,
                          ml_graph_1(g, ML_OP_sqrt, ml_graph_2(g, ML_OP_sub, one, square)));
    case ML_OP_acos:
        return ml_graph_2(g, ML_OP_div, ml_graph_literal(g, -1.0),
                          ml_graph_1(g, ML_OP_sqrt, ml_graph_2(g, ML_OP_sub, one, square)));
    case ML_OP_cbrt:
        return ml_graph_2(g, ML_OP_div, one,
                          ml_graph_2(r->graph, ML_OP_mul, ml_graph_literal(g, 3.0),
                                     ml_graph_2(r->graph, ML_OP_mul, r->node, r->node)));
    case ML_OP_erf:
        return ml_graph_2(
            r->graph, ML_OP_mul, ml_graph_literal(g, 0x1.20dd750429b6dp+0),
            ml_graph_1(g, ML_OP_exp, ml_graph_1(g, ML_OP_neg, square))); /* 2/sqrt(pi) */
    default:
        return ML_NO_NODE;
    }
}

/* x^y: y x^(y - 1) x' + x^y ln x y', the latter 0 where x^y is. */
static int derive_power(struct rule *r)
{
    struct ml_graph *g = r->graph;
    const int x = r->arg[0], y = r->arg[1], zero = ml_graph_literal(g, 0.0);
    const int less = ml_graph_2(g, ML_OP_sub, y, ml_graph_literal(g, 1.0));
    const int by_x = ml_graph_2(r->graph, ML_OP_mul, y, ml_graph_2(g, ML_OP_pow, x, less));
    const int is_zero = ml_graph_2(g, ML_OP_equal, r->node, zero);
    const int by_y = ml_graph_2(r->graph, ML_OP_mul, r->node, ml_graph_1(g, ML_OP_log, x));
    return ml_graph_plus(
        r->graph, ml_graph_2(r->graph, ML_OP_mul, by_x, r->deriv[0]),
        ml_graph_2(r->graph, ML_OP_mul, derive_where(r, is_zero, zero, by_y), r->deriv[1]));
}

/* (a a' + b b')/hypot(a, b), 0 where both are 0. */
static int derive_hypot(struct rule *r)
{
    struct ml_graph *g = r->graph;
    const int zero = ml_graph_literal(g, 0.0);
    const int inverse = ml_graph_2(g, ML_OP_div, ml_graph_literal(g, 1.0), r->node);
    const int factor = derive_where(r, ml_graph_2(g, ML_OP_equal, r->node, zero), zero, inverse);
    return ml_graph_plus(
        r->graph,
        ml_graph_2(r->graph, ML_OP_mul, ml_graph_2(r->graph, ML_OP_mul, factor, r->arg[0]),
                   r->deriv[0]),
        ml_graph_2(r->graph, ML_OP_mul, ml_graph_2(r->graph, ML_OP_mul, factor, r->arg[1]),
                   r->deriv[1]));
}

/* atan2(a, b)' = (b a' - a b')/(a^2 + b^2) */
static int derive_angle(struct rule *r)
{
    struct ml_graph *g = r->graph;
    const int a = r->arg[0], b = r->arg[1];
    const int square = ml_graph_plus(r->graph, ml_graph_2(r->graph, ML_OP_mul, a, a),
                                     ml_graph_2(r->graph, ML_OP_mul, b, b));
    const int inverse = ml_graph_2(g, ML_OP_div, ml_graph_literal(g, 1.0), square);
    return ml_graph_2(r->graph, ML_OP_mul, inverse,
                      derive_sub(r, ml_graph_2(r->graph, ML_OP_mul, b, r->deriv[0]),
                                 ml_graph_2(r->graph, ML_OP_mul, a, r->deriv[1])));
}

/* mod(a, b) = a - b floor(a/b) */
static int derive_mod(struct rule *r)
{
    struct ml_graph *g = r->graph;
    const int whole = ml_graph_1(g, ML_OP_floor, ml_graph_2(g, ML_OP_div, r->arg[0], r->arg[1]));
    return derive_sub(r, r->deriv[0], ml_graph_2(r->graph, ML_OP_mul, whole, r->deriv[1]));
}

/* Pieces of curves are cubic. */
static int derive_curve(struct rule *r)
{
    const struct ml_graph_node node = r->graph->nodes[r->node]; /* a copy: the graph grows */
    const int curve = node.arg[1], order = node.arg[2] + 1;
    return order > 3 ? ML_NO_NODE
                     : ml_graph_2(r->graph, ML_OP_mul,
                                  ml_graph_curve(r->graph, curve, order, r->arg[0]), r->deriv[0]);
}

static int derive_op(struct rule *r, enum ml_op op)
{
    const int *a = r->arg, *d = r->deriv;
    struct ml_graph *g = r->graph;
    switch (op) {
    case ML_OP_neg:
        return ml_graph_1(r->graph, ML_OP_neg, d[0]);
    case ML_OP_add:
        return ml_graph_plus(r->graph, d[0], d[1]);
    case ML_OP_sub:
        return derive_sub(r, d[0], d[1]);
    case ML_OP_mul:
        return derive_product(r, ML_NO_NODE);
    case ML_OP_fma:
        return derive_product(r, d[2]);
    case ML_OP_fnma:
        return derive_less_product(r, d[2]);
    case ML_OP_div:
        return derive_quotient(r);
    case ML_OP_abs:
        return ml_graph_2(r->graph, ML_OP_mul, ml_graph_1(g, ML_OP_sign, a[0]), d[0]);
    case ML_OP_min:
        return derive_where(r, ml_graph_2(g, ML_OP_less, a[0], a[1]), d[0], d[1]);
    case ML_OP_max:
        return derive_where(r, ml_graph_2(g, ML_OP_less, a[1], a[0]), d[0], d[1]);
    case ML_OP_where:
        return derive_where(r, a[0], d[1], d[2]);
    case ML_OP_pow:
        return derive_power(r);
    case ML_OP_hypot:
        return derive_hypot(r);
    case ML_OP_atan2:
        return derive_angle(r);
    case ML_OP_mod:
        return derive_mod(r);
    case ML_OP_CURVE:
        return derive_curve(r);
    case ML_OP_sign:
    case ML_OP_floor:
        return ML_NO_NODE;
    default:
        return ml_graph_2(r->graph, ML_OP_mul, derive_slope(r, op), d[0]);
    }
}

static int derive_node(struct ml_graph *graph, int i, const int *derivs)
{
    const struct ml_graph_node node = graph->nodes[i]; /* a copy: the graph grows */
    const int n = ml_ops[node.op].n_argument;
    struct rule rule = {.graph = graph, .node = i};
    bool depends = false;
    for (int k = 0; k < n; k++) {
        rule.arg[k] = node.arg[k];
        rule.deriv[k] = derivs[node.arg[k]];
        depends |= rule.deriv[k] != ML_NO_NODE;
    }
    return depends && !ml_op_is_truth(node.op) ? derive_op(&rule, node.op) : ML_NO_NODE;
}

/* Derivatives of [n_node] nodes, of which `all` has those of inputs. */
static bool derive_all(struct ml_graph *graph, int n_node, int *all, int n, const int *nodes,
                       int *derivs)
{
    const bool *is_needed = ml_graph_needed(graph, n, nodes);
    if (!is_needed)
        return false;
    for (int i = 0; i < n_node; i++)
        if (is_needed[i] && all[i] == ML_NO_NODE)
            all[i] = derive_node(graph, i, all);
    for (int i = 0; i < n; i++)
        derivs[i] = nodes[i] == ML_NO_NODE ? ML_NO_NODE : all[nodes[i]];
    return !graph->is_full;
}

bool ml_graph_derive(struct ml_graph *graph, enum ml_op by, int n, const int *nodes, int *derivs)
{
    const int n_node = graph->n;
    int *all = ml_graph_zeros(graph, graph->n);
    for (int i = 0; all && i < n_node; i++)
        if (graph->nodes[i].op == by)
            all[i] =
                ml_graph_input(graph, by == ML_OP_STATE ? ML_OP_STATE_DERIV : ML_OP_PARAM_DERIV,
                               graph->nodes[i].arg[0]);
    return all && derive_all(graph, n_node, all, n, nodes, derivs);
}

bool ml_graph_derive_along(struct ml_graph *graph, int n_input, const int *inputs, const int *rates,
                           int n, const int *nodes, int *derivs)
{
    int *all = ml_graph_zeros(graph, graph->n);
    for (int i = 0; all && i < n_input; i++)
        all[inputs[i]] = rates[i];
    return all && derive_all(graph, graph->n, all, n, nodes, derivs);
}

bool ml_graph_partial(struct ml_graph *graph, int input, int n, const int *nodes, int *partials)
{
    const int one = ml_graph_literal(graph, 1.0);
    return one != ML_NO_NODE && ml_graph_derive_along(graph, 1, &input, &one, n, nodes, partials);
}
