/* Sums over pairs of rates, whose factors are derivatives of entries of M. */
#include "expr/motion.h"

#include <string.h>

#include "expr/derive.h"

enum {
    MOST_COORDINATES = 8, /* beyond, n^3 factors are more than n derivatives along the motion */
    MIXED = -1
};

/* The degree in the rates of a sum or product whose arguments have those. */
static int degree_of(const struct ml_graph_node *node, const int *degree)
{
    const int n = ml_ops[node->op].n_argument; /* of a curve more than its argument follows */
    const int a = degree[node->arg[0]];
    const int b = n > 1 ? degree[node->arg[1]] : 0;
    const int c = n > 2 ? degree[node->arg[2]] : 0;
    if (a == MIXED || b == MIXED || c == MIXED)
        return MIXED;
    switch (node->op) {
    case ML_OP_neg:
        return a;
    case ML_OP_add:
    case ML_OP_sub:
        return a == b ? a : MIXED;
    case ML_OP_mul:
        return a + b;
    case ML_OP_fma:
    case ML_OP_fnma:
        return a + b == c ? c : MIXED;
    case ML_OP_div:
        return b == 0 ? a : MIXED;
    default:
        return a == 0 && b == 0 && c == 0 ? 0 : MIXED;
    }
}

/* Whether a kinetic energy is a quadratic form of the rates that time does not change. */
static bool is_quadratic(const struct ml_graph *graph, const struct ml_motion *motion)
{
    const int last = motion->kinetic;
    int *degree = ml_pool_take(graph->pool, (size_t)last + 2, sizeof *degree);
    const bool *is_needed = ml_graph_needed(graph, 1, &last);
    bool is_timed = false;
    for (int i = 0; degree && is_needed && i <= last; i++) {
        const struct ml_graph_node *node = &graph->nodes[i];
        if (!is_needed[i])
            continue;
        is_timed |= node->op == ML_OP_TIME;
        degree[i] = ml_ops[node->op].n_argument == 0 ? 0 : degree_of(node, degree);
        for (int k = 0; k < motion->n; k++)
            degree[i] = motion->rate[k] == i ? 1 : degree[i];
    }
    return degree && is_needed && !is_timed && degree[last] == 2;
}

/* a - b, 0 where these are the same. */
static int coriolis_less(struct ml_graph *graph, int a, int b)
{
    if (a == b)
        return ML_NO_NODE;
    return b == ML_NO_NODE   ? a
           : a == ML_NO_NODE ? ml_graph_1(graph, ML_OP_neg, b)
                             : ml_graph_2(graph, ML_OP_sub, a, b);
}

static int coriolis_half(struct ml_graph *graph, int a)
{
    return ml_graph_2(graph, ML_OP_mul, ml_graph_literal(graph, 0.5), a);
}

/* The factor of q_j' q_k' in -C_i, both orders of them together.
 *   slopes  [n][n][n] derivatives of M by each coordinate */
static int coriolis_factor(struct ml_graph *graph, int n, const int *slopes, int i, int j, int k)
{
    const int by_k = slopes[(k * n + i) * n + j], by_j = slopes[(j * n + i) * n + k],
              by_i = slopes[(i * n + j) * n + k];
    if (j == k)
        return i == j ? coriolis_half(graph, by_k)
                      : coriolis_less(graph, by_k, coriolis_half(graph, by_i));
    if (by_k == by_i)
        return by_j;
    return ml_graph_plus(graph, by_k, coriolis_less(graph, by_j, by_i));
}

static int *coriolis_slopes(struct ml_graph *graph, const struct ml_motion *motion)
{
    const int n = motion->n, size = n * n;
    int *slopes = ml_pool_take(graph->pool, (size_t)n * (size_t)size, sizeof *slopes);
    bool is_done = slopes != NULL;
    for (int k = 0; is_done && k < n; k++)
        is_done = ml_graph_partial(graph, motion->q[k], size, motion->mass, slopes + k * size);
    return is_done ? slopes : NULL;
}

/* Operations that nodes take; of a full graph too many. */
static int count_operations(const struct ml_graph *graph, int n, const int *nodes)
{
    const bool *is_needed = ml_graph_needed(graph, n, nodes);
    int count = 0;
    for (int i = 0; is_needed && i < graph->n; i++)
        count += is_needed[i] && ml_ops[graph->nodes[i].op].n_argument > 0;
    return count;
}

bool ml_motion_shorten_coriolis(struct ml_graph *graph, struct ml_motion *motion)
{
    const int n = motion->n;
    int *terms = motion->terms[ML_MOTION_C], own[MOST_COORDINATES];
    if (n > MOST_COORDINATES || !is_quadratic(graph, motion))
        return !graph->pool->is_short;
    const int *slopes = coriolis_slopes(graph, motion);
    for (int i = 0; slopes && i < n; i++) {
        own[i] = ML_NO_NODE;
        for (int j = 0; j < n; j++)
            for (int k = j; k < n; k++) {
                const int factor = coriolis_factor(graph, n, slopes, i, j, k);
                const int rates = ml_graph_2(graph, ML_OP_mul, motion->rate[j], motion->rate[k]);
                own[i] = ml_graph_minus_product(graph, own[i], factor, rates);
            }
    }
    if (!slopes || graph->is_full)
        return false;
    if (count_operations(graph, n, own) < count_operations(graph, n, terms))
        memcpy(terms, own, (size_t)n * sizeof *own);
    return true;
}
