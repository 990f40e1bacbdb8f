/* Nodes of late states: Newton's form of the polynomial of the past, whose nodes and terms are rows
 * behind the parameters, by Horner's scheme, as laws of controllers compute it (ml_law_past). */
#include "config/sections/delays.h"

#include <math.h>
#include <string.h>

#include "config/formulas/names.h"
#include "model/law.h"

/* [n + 1 or more] the n entries of an array, of `size` bytes each; NULL without memory. */
static void *grown(struct ml_pool *pool, void *old, int n, int *room, size_t size)
{
    if (n < *room)
        return old;
    *room = 2 * *room + 4;
    void *out = ml_pool_take(pool, (size_t)*room, size);
    if (out && n > 0)
        memcpy(out, old, (size_t)n * size);
    return out;
}

int ml_delays_find(struct ml_delays *delays, int delay, struct ml_location location,
                   struct ml_expr_fault *fault)
{
    const struct ml_graph_node *of = &delays->graph->nodes[delay];
    const int param = of->op == ML_OP_PARAM ? of->arg[0] : -1;
    const char *what = NULL;
    if (of->op != ML_OP_LITERAL && (param < 0 || param >= delays->first_row))
        what =
            "a delay must be constant during a run: a number, a parameter, or a name in `define`";
    else if (of->op == ML_OP_LITERAL && !(of->value > 0.0 && isfinite(of->value)))
        what = "a delay must be greater than 0";
    if (what)
        return ml_names_refuse(fault, "%s", what);
    for (int i = 0; i < delays->n; i++)
        if (delays->late[i].param == param && (param >= 0 || delays->late[i].delay == of->value))
            return i;
    const int row = delays->first_row + delays->n_row;
    const struct ml_late late = {param, param < 0 ? of->value : 0.0, row, location, NULL, 0, 0};
    delays->late =
        grown(delays->pool, delays->late, delays->n, &delays->room, sizeof *delays->late);
    if (!delays->late)
        return -1;
    delays->n_row += ML_FEEDBACK_ANGLE;
    delays->late[delays->n] = late;
    return delays->n++;
}

/* First row of the terms of a state's polynomial; -1 without memory. */
static int find_state(struct ml_delays *delays, int number, int value)
{
    struct ml_late *late = &delays->late[number];
    for (int i = 0; i < late->n_state; i++)
        if (late->states[i].value == value)
            return late->states[i].row;
    late->states =
        grown(delays->pool, late->states, late->n_state, &late->room, sizeof *late->states);
    if (!late->states)
        return -1;
    const int row = delays->first_row + delays->n_row;
    delays->n_row += ML_FEEDBACK_BY_ANGLE;
    late->states[late->n_state++] = (struct ml_late_state){value, row};
    return row;
}

/* a b + c */
static int fused(struct ml_graph *graph, int a, int b, int c)
{
    return ml_graph_2(graph, ML_OP_add, ml_graph_2(graph, ML_OP_mul, a, b), c);
}

int ml_delays_node(struct ml_delays *delays, int late, int value, bool is_rate)
{
    struct ml_graph *graph = delays->graph;
    const int first = find_state(delays, late, value);
    const int now = ml_graph_input(graph, ML_OP_TIME, 0);
    if (first < 0)
        return ML_NO_NODE;
    int node = ml_graph_input(graph, ML_OP_PARAM, first + ML_FEEDBACK_TERMS - 1);
    int rate = ML_NO_NODE;
    for (int k = ML_FEEDBACK_TERMS - 2; k >= 0; k--) {
        const int at = delays->late[late].row + ML_FEEDBACK_NODE + k / 2;
        const int since = ml_graph_2(graph, ML_OP_sub, now, ml_graph_input(graph, ML_OP_PARAM, at));
        rate = rate == ML_NO_NODE ? node : fused(graph, since, rate, node);
        node = fused(graph, since, node, ml_graph_input(graph, ML_OP_PARAM, first + k));
    }
    if (is_rate)
        node = ml_graph_2(graph, ML_OP_add, rate,
                          ml_graph_input(graph, ML_OP_PARAM, first + ML_FEEDBACK_TERMS));
    delays->nodes = grown(delays->pool, delays->nodes, delays->n_node, &delays->node_room,
                          sizeof *delays->nodes);
    if (!delays->nodes)
        return ML_NO_NODE;
    delays->nodes[delays->n_node++] = (struct ml_late_node){node, late, value};
    return node;
}

bool ml_delays_are_in(const struct ml_delays *delays, int node)
{
    const bool *is_needed = delays->n_node > 0 ? ml_graph_needed(delays->graph, 1, &node) : NULL;
    bool are = false;
    for (int i = 0; is_needed && i < delays->n_node; i++)
        are |= is_needed[delays->nodes[i].node];
    return are;
}
