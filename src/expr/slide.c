/* Rates of motions that slide on conditions. */
#include "expr/slide.h"

#include <string.h>

#include "expr/derive.h"

enum { MOST_NODES = 4096 }; /* that sliding adds */

/* Nodes that may depend on a mode: rates, then share and difference G0 - G1 of each condition
 * before, then dG/dt of a condition. */
struct sliding {
    struct ml_latches *latches;
    struct ml_graph *graph;
    int n_rate, n;
    int *nodes, *below, *above; /* [n] as they are, and with the mode below and above */
    int of[ML_LATCH_MOST];      /* the latches of the shares */
    int n_share, first;         /* nodes of the graph before */
};

static int slide_number(struct ml_graph *graph, int node)
{
    return node == ML_NO_NODE ? ml_graph_literal(graph, 0.0) : node;
}

/* dG/dt along the rates. */
static bool slide_slope(struct sliding *s, int number, int *out)
{
    const int n = s->n_rate + 1;
    int *inputs = ml_graph_zeros(s->graph, n), *rates = ml_graph_zeros(s->graph, n);
    for (int i = 0; inputs && rates && i < s->n_rate; i++) {
        inputs[i] = ml_graph_input(s->graph, ML_OP_STATE, i);
        rates[i] = s->nodes[i];
    }
    if (!inputs || !rates)
        return false;
    inputs[s->n_rate] = ml_graph_input(s->graph, ML_OP_TIME, 0);
    rates[s->n_rate] = ml_graph_literal(s->graph, 1.0);
    return !s->graph->is_full && ml_graph_derive_along(s->graph, n, inputs, rates, 1, &number, out);
}

/* [n] which of the nodes in use depend on a mode, among the first n of the graph. */
static bool *slide_dependent(const struct sliding *s, int mode, int *n_dependent)
{
    const bool *is_needed = ml_graph_needed(s->graph, s->n, s->nodes);
    bool *depends = ml_pool_take(s->graph->pool, (size_t)s->graph->n + 1, sizeof *depends);
    *n_dependent = 0;
    for (int i = mode; is_needed && depends && i < s->graph->n; i++) {
        const struct ml_graph_node *node = &s->graph->nodes[i];
        depends[i] = i == mode;
        for (int k = 0; k < ml_ops[node->op].n_argument; k++)
            depends[i] |= depends[node->arg[k]];
        depends[i] &= is_needed[i];
        *n_dependent += depends[i];
    }
    return is_needed ? depends : NULL;
}

/* All nodes with another node in the place of a mode.
 *   depends  [n] of the graph's nodes */
static bool slide_replace(const struct sliding *s, int mode, int by, int n, const bool *depends,
                          int *out)
{
    int *map = ml_graph_zeros(s->graph, n);
    for (int i = 0; map && i < n; i++) {
        const struct ml_graph_node node = s->graph->nodes[i]; /* a copy: the graph grows */
        map[i] = i == mode ? by : depends[i] ? ml_graph_again(s->graph, &node, map) : i;
    }
    for (int i = 0; map && i < s->n; i++)
        out[i] = s->nodes[i] == ML_NO_NODE ? ML_NO_NODE : map[s->nodes[i]];
    return map && !s->graph->is_full;
}

/* The nodes of a motion that slides on a condition: f0 + share (f1 - f0), and 0 of dG/dt. */
static void slide_blend(struct sliding *s, const bool *depends, int is_slid, int share)
{
    struct ml_graph *g = s->graph;
    const int slope = s->nodes[s->n - 1];
    for (int i = 0; i < s->n - 1; i++) {
        if (s->nodes[i] == ML_NO_NODE || !depends[s->nodes[i]])
            continue;
        const int step = ml_graph_2(g, ML_OP_sub, s->above[i], s->below[i]);
        const int blend = s->nodes[i] == slope
                              ? ml_graph_literal(g, 0.0)
                              : ml_graph_op(g, ML_OP_fma, share, step, s->below[i]);
        s->nodes[i] = ml_graph_op(g, ML_OP_where, is_slid, blend, s->nodes[i]);
    }
}

/* Whether a node is a number that is not above 0. */
static bool slide_never(const struct ml_graph *graph, int node)
{
    return graph->nodes[node].op == ML_OP_LITERAL && !(graph->nodes[node].value > 0.0);
}

/* Lets the rates slide on condition k, if they can. */
static bool slide_on(struct sliding *s, int k)
{
    struct ml_graph *g = s->graph;
    struct ml_latch *latch = &s->latches->latch[k];
    const int mode = ml_graph_input(g, ML_OP_MODE, k);
    int n_dependent, slope;
    s->n = s->n_rate + 2 * s->n_share + 1;
    if (!slide_slope(s, latch->number, &slope))
        return false;
    s->nodes[s->n - 1] = slope;
    const int n = g->n;
    const bool *depends = slide_dependent(s, mode, &n_dependent);
    if (!depends)
        return false;
    if (slope == ML_NO_NODE || !depends[slope] || n - s->first + 2 * n_dependent > MOST_NODES)
        return true;
    const int floor = ml_graph_1(g, ML_OP_floor, mode), one = ml_graph_literal(g, 1.0);
    const int lower = latch->is_whole ? floor : ml_graph_literal(g, -1.0);
    const int place = ml_graph_2(g, ML_OP_add, lower, ml_graph_literal(g, ML_SLIDE_PLACE));
    if (!slide_replace(s, mode, lower, n, depends, s->below) ||
        !slide_replace(s, mode, ml_graph_2(g, ML_OP_add, lower, one), n, depends, s->above))
        return false;
    const int from = slide_number(g, s->below[s->n - 1]), to = slide_number(g, s->above[s->n - 1]);
    const int pull = ml_graph_2(g, ML_OP_sub, from, to);
    if (slide_never(g, pull))
        return true;
    const int share = ml_graph_2(g, ML_OP_div, from, pull);
    slide_blend(s, depends, ml_graph_2(g, ML_OP_equal, mode, place), share);
    s->nodes[s->n - 1] = share;
    s->nodes[s->n] = pull;
    s->of[s->n_share++] = k;
    latch->slides = true;
    return !g->is_full;
}

bool ml_slide(struct ml_latches *latches, int n, int *rates)
{
    const size_t room = (size_t)n + 2 * ML_LATCH_MOST + 1;
    struct ml_graph *g = latches->graph;
    struct sliding s = {.latches = latches, .graph = g, .n_rate = n, .first = g->n};
    int **const rows[] = {&s.nodes, &s.below, &s.above};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = ml_graph_zeros(g, (int)room);
    if (!s.nodes || !s.below || !s.above)
        return false;
    memcpy(s.nodes, rates, (size_t)n * sizeof *rates);
    for (int k = 0; k < latches->n; k++)
        if (!latches->latch[k].is_kink && !latches->latch[k].is_of_time && !slide_on(&s, k))
            return false;
    memcpy(rates, s.nodes, (size_t)n * sizeof *rates);
    for (int i = 0; i < s.n_share; i++) { /* -1: a side does not lead to the level */
        const int *of = s.nodes + n + 2 * i;
        const int leads = ml_graph_2(g, ML_OP_less, ml_graph_literal(g, 0.0), of[1]);
        latches->latch[s.of[i]].share =
            ml_graph_op(g, ML_OP_where, leads, of[0], ml_graph_literal(g, -1.0));
    }
    return !g->is_full;
}

bool ml_slide_derive(struct ml_graph *graph, enum ml_op by, int n, const int *plain,
                     const int *derivs, const int *slid, int *out)
{
    const enum ml_op of = by == ML_OP_STATE ? ML_OP_STATE_DERIV : ML_OP_PARAM_DERIV;
    const int n_node = graph->n;
    int *inputs = ml_graph_zeros(graph, n_node + n), *along = ml_graph_zeros(graph, n_node + n);
    int n_input = 0;
    for (int i = 0; inputs && along && i < n_node; i++)
        if (graph->nodes[i].op == by) {
            inputs[n_input] = i;
            along[n_input++] = ml_graph_input(graph, of, graph->nodes[i].arg[0]);
        }
    for (int i = 0; inputs && along && i < n; i++)
        if (plain[i] != ML_NO_NODE) {
            inputs[n_input] = plain[i];
            along[n_input++] = derivs[i];
        }
    return inputs && along && ml_graph_derive_along(graph, n_input, inputs, along, n, slid, out);
}
