/* Rewrites the nodes that are needed, in their order. */
#include "expr/graph.h"

enum { MOST_DEPTH = 8 }; /* of sums, each of which the ones above it take apart again */

struct sharing {
    struct ml_graph *graph;
    int n_node;       /* at the beginning */
    bool *is_needed;  /* [n_node] */
    bool *is_alone;   /* [n_node] inputs whose own sine or cosine is needed */
    bool *is_term;    /* [n_node] inputs in sums whose sine or cosine is needed */
    bool *is_divisor; /* [n_node] nodes that others are divided by, or whose root or logarithm is
                         needed */
    int *to;          /* [n_node] in the new form */
};

struct pair {
    int sine, cosine;
};

static const struct ml_graph_node *node_at(const struct sharing *s, int i)
{
    return &s->graph->nodes[i];
}

static bool is_sine(const struct sharing *s, int i)
{
    return node_at(s, i)->op == ML_OP_sin || node_at(s, i)->op == ML_OP_cos;
}

static bool is_input(const struct sharing *s, int i)
{
    return node_at(s, i)->op == ML_OP_STATE || node_at(s, i)->op == ML_OP_PARAM;
}

/* Marks divisors: of sin(a - b)/(a - b) near 0 digits are lost if the sine is no more
 * than right to a rounding of 1. */
static void mark_divisors(struct sharing *s)
{
    for (int i = s->n_node - 1; i >= 0; i--) {
        const struct ml_graph_node *node = node_at(s, i);
        const enum ml_op op = node->op;
        const bool is_divided = op == ML_OP_div;
        const bool is_all = s->is_divisor[i] || op == ML_OP_sqrt || op == ML_OP_cbrt ||
                            op == ML_OP_log || op == ML_OP_pow || op == ML_OP_atan2;
        if (!s->is_needed[i] || is_sine(s, i))
            continue;
        for (int k = 0; k < ml_ops[op].n_argument; k++)
            s->is_divisor[node->arg[k]] |= is_all || (is_divided && k == 1);
    }
}

/* Whether a node is a sum of inputs. */
static bool is_sum(const struct sharing *s, int i, int depth)
{
    const struct ml_graph_node *node = node_at(s, i);
    if (depth == 0 || (node->op != ML_OP_add && node->op != ML_OP_sub && node->op != ML_OP_neg))
        return false;
    for (int k = 0; k < ml_ops[node->op].n_argument; k++)
        if (!is_input(s, node->arg[k]) && !is_sum(s, node->arg[k], depth - 1))
            return false;
    return true;
}

static void mark_terms(struct sharing *s, int i)
{
    const struct ml_graph_node *node = node_at(s, i);
    if (is_input(s, i))
        s->is_term[i] = true;
    for (int k = 0; !is_input(s, i) && k < ml_ops[node->op].n_argument; k++)
        mark_terms(s, node->arg[k]);
}

/* Whether the sine or cosine of a node is made of those of its terms. */
static bool is_shared(const struct sharing *s, int angle)
{
    return !s->is_divisor[angle] && is_sum(s, angle, MOST_DEPTH);
}

/* Whether there are sums, and no more of their terms come anew than there are sums. */
static bool is_worth_it(struct sharing *s, bool *is_counted)
{
    int n_sum = 0, n_new = 0;
    for (int i = 0; i < s->n_node; i++) {
        const int angle = node_at(s, i)->arg[0];
        if (!s->is_needed[i] || !is_sine(s, i))
            continue;
        if (is_input(s, angle))
            s->is_alone[angle] = true;
        if (is_counted[angle] || !is_shared(s, angle))
            continue;
        is_counted[angle] = true;
        n_sum++;
        mark_terms(s, angle);
    }
    for (int i = 0; i < s->n_node; i++)
        n_new += s->is_term[i] && !s->is_alone[i];
    return n_sum > 0 && n_new <= n_sum;
}

static int sum_of_products(struct ml_graph *graph, enum ml_op op, int a, int b, int c, int d)
{
    return ml_graph_2(graph, op, ml_graph_2(graph, ML_OP_mul, a, b),
                      ml_graph_2(graph, ML_OP_mul, c, d));
}

static struct pair sines_of(struct sharing *s, int angle)
{
    struct ml_graph *graph = s->graph;
    const struct ml_graph_node node = *node_at(s, angle); /* a copy: the graph grows */
    if (is_input(s, angle))
        return (struct pair){ml_graph_1(graph, ML_OP_sin, angle),
                             ml_graph_1(graph, ML_OP_cos, angle)};
    const struct pair a = sines_of(s, node.arg[0]);
    if (node.op == ML_OP_neg)
        return (struct pair){ml_graph_1(graph, ML_OP_neg, a.sine), a.cosine};
    const struct pair b = sines_of(s, node.arg[1]);
    const enum ml_op other = node.op == ML_OP_add ? ML_OP_sub : ML_OP_add;
    return (struct pair){sum_of_products(graph, node.op, a.sine, b.cosine, a.cosine, b.sine),
                         sum_of_products(graph, other, a.cosine, b.cosine, a.sine, b.sine)};
}

/* The node in the new form, after its arguments. */
static int rewrite(struct sharing *s, int i)
{
    const struct ml_graph_node node = *node_at(s, i);
    bool is_same = true;
    if (is_sine(s, i) && is_shared(s, node.arg[0])) {
        const bool was_unfused = s->graph->is_unfused;
        s->graph->is_unfused = true;
        const struct pair pair = sines_of(s, node.arg[0]);
        s->graph->is_unfused = was_unfused;
        return node.op == ML_OP_sin ? pair.sine : pair.cosine;
    }
    for (int k = 0; k < ml_ops[node.op].n_argument; k++)
        is_same &= s->to[node.arg[k]] == node.arg[k];
    return is_same ? i : ml_graph_again(s->graph, &node, s->to);
}

bool ml_graph_share_sines(struct ml_graph *graph, int n_row, const int *n, int *const *nodes)
{
    struct ml_pool *pool = graph->pool;
    const size_t size = (size_t)graph->n + 1;
    struct sharing s = {.graph = graph,
                        .n_node = graph->n,
                        .is_needed = ml_pool_take(pool, size, sizeof *s.is_needed),
                        .is_alone = ml_pool_take(pool, size, sizeof *s.is_alone),
                        .is_term = ml_pool_take(pool, size, sizeof *s.is_term),
                        .is_divisor = ml_pool_take(pool, size, sizeof *s.is_divisor),
                        .to = ml_pool_take(pool, size, sizeof *s.to)};
    bool *is_counted = ml_pool_take(pool, size, sizeof *is_counted);
    for (int row = 0; row < n_row && !pool->is_short; row++) {
        const bool *is_needed = ml_graph_needed(graph, n[row], nodes[row]);
        for (int i = 0; is_needed && i < s.n_node; i++)
            s.is_needed[i] |= is_needed[i];
    }
    if (!pool->is_short)
        mark_divisors(&s);
    if (pool->is_short || !is_worth_it(&s, is_counted))
        return !pool->is_short;
    for (int i = 0; i < s.n_node; i++)
        s.to[i] = s.is_needed[i] ? rewrite(&s, i) : ML_NO_NODE;
    for (int row = 0; row < n_row; row++)
        for (int o = 0; o < n[row]; o++)
            nodes[row][o] = nodes[row][o] == ML_NO_NODE ? ML_NO_NODE : s.to[nodes[row][o]];
    return !graph->is_full;
}
