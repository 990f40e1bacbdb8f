/* The formula of a study's own system that has no value near a state: its operation without a
 * finite value of finite numbers. */
#include "run/formula_fault.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/formulas/show_equations.h"
#include "engine/kernels/kernels.h"
#include "expr/print.h"
#include "model/defined.h"

enum { FAULT_HALVINGS = 60, FAULT_TEXT = 60 };

/* The formulas at a state, in the place of names: parameters, then the state, then the time. */
struct fault_search {
    const struct ml_shown_equations *shown;
    struct ml_defined formulas;
    struct ml_pool pool;
    int n_param, n_state;
    double *names; /* [n_param + n_state + 1] */
    double *v, *d; /* [graph.n] */
};

/* The graph with states and the time as names; curves have no value. */
static bool fault_prepare(struct fault_search *s)
{
    const struct ml_graph *from = &s->shown->graph;
    struct ml_graph_node *nodes = ml_pool_take(&s->pool, (size_t)from->n + 1, sizeof *nodes);
    s->names = ml_pool_take(&s->pool, (size_t)(s->n_param + s->n_state) + 1, sizeof *s->names);
    s->v = ml_pool_take(&s->pool, (size_t)from->n + 1, sizeof *s->v);
    s->d = ml_pool_take(&s->pool, (size_t)from->n + 1, sizeof *s->d);
    for (int i = 0; nodes && i < from->n; i++) {
        nodes[i] = from->nodes[i];
        if (nodes[i].op == ML_OP_STATE)
            nodes[i].arg[0] += s->n_param;
        else if (nodes[i].op == ML_OP_TIME)
            nodes[i].arg[0] = s->n_param + s->n_state;
        if (nodes[i].op == ML_OP_STATE || nodes[i].op == ML_OP_TIME)
            nodes[i].op = ML_OP_PARAM;
        else if (nodes[i].op == ML_OP_CURVE)
            nodes[i] = (struct ml_graph_node){.op = ML_OP_LITERAL, .value = (double)NAN};
    }
    s->formulas.graph = (struct ml_graph){.nodes = nodes, .n = from->n};
    return !s->pool.is_short;
}

static double fault_rate(const struct fault_search *s, int q)
{
    const int node = s->shown->rates[q];
    return node == ML_NO_NODE ? 0.0 : s->v[node];
}

/* The state whose rate is not finite at `after` s behind the state; -1: all are. */
static int fault_at(struct fault_search *s, const double *state, double time, double after,
                    const double *rates)
{
    for (int q = 0; q < s->n_state; q++)
        s->names[s->n_param + q] = state[q] + after * rates[q];
    s->names[s->n_param + s->n_state] = time + after;
    ml_defined_compute(&s->formulas, s->names, NULL, s->v, s->d);
    for (int q = 0; q < s->n_state; q++)
        if (!isfinite(fault_rate(s, q)))
            return q;
    return -1;
}

/* The arguments of a node that its value depends on: `where` takes one of two. */
static bool fault_takes(const struct fault_search *s, const struct ml_graph_node *node, int k)
{
    if (k >= ml_ops[node->op].n_argument)
        return false;
    return node->op != ML_OP_where || k == (s->v[node->arg[0]] != 0.0 ? 1 : 2);
}

/* From a node without a finite value to the first of its arguments that is so; ML_NO_NODE: its
 * cause is no operation. */
static int fault_cause(const struct fault_search *s, int node)
{
    const struct ml_graph_node *nodes = s->formulas.graph.nodes;
    assert(nodes); /* the node is one of them */
    for (int before = ML_NO_NODE; before != node;) {
        before = node;
        for (int k = 0; k < ML_OP_MOST && node == before; k++)
            if (fault_takes(s, &nodes[before], k) && !isfinite(s->v[nodes[before].arg[k]]))
                node = nodes[before].arg[k];
    }
    return ml_ops[nodes[node].op].n_argument > 0 ? node : ML_NO_NODE;
}

/* Operations and names of a node written out, where parts that are shared are written again. */
static double fault_size(const struct fault_search *s, int node, double *size)
{
    const struct ml_graph_node *nodes = s->formulas.graph.nodes;
    for (int i = 0; i <= node; i++) {
        size[i] = 1.0;
        for (int k = 0; k < ml_ops[nodes[i].op].n_argument; k++)
            size[i] += size[nodes[i].arg[k]];
    }
    return size[node];
}

/* A node as a formula; "" where that is long. */
static void fault_print(struct fault_search *s, int node, char text[FAULT_TEXT])
{
    const double most = 20.0; /* operations and names */
    const struct ml_shown_equations *shown = s->shown;
    const struct ml_expr_print print = {.graph = &shown->graph,
                                        .states = shown->states,
                                        .params = shown->params,
                                        .curves = shown->curves};
    const bool is_short = fault_size(s, node, s->d) <= most;
    const char *whole = is_short ? ml_expr_print_text(&print, &s->pool, node) : NULL;
    (void)snprintf(text, FAULT_TEXT, "%s", whole && strlen(whole) < FAULT_TEXT ? whole : "");
}

static bool fault_is_of_domain(enum ml_op op, const double *x)
{
    switch (op) {
    case ML_OP_sqrt:
        return x[0] < 0.0;
    case ML_OP_log:
        return x[0] <= 0.0;
    case ML_OP_asin:
    case ML_OP_acos:
        return fabs(x[0]) > 1.0;
    case ML_OP_pow:
        return x[0] <= 0.0;
    case ML_OP_div:
    case ML_OP_mod:
        return x[1] == 0.0;
    default:
        return false;
    }
}

static void fault_describe(struct fault_search *s, int node, struct ml_formula_fault *out)
{
    const struct ml_graph_node *at = &s->formulas.graph.nodes[node];
    const char *join = " where";
    char text[FAULT_TEXT];
    double x[ML_OP_MOST] = {0.0};
    int used;
    fault_print(s, node, text);
    used = *text ? snprintf(out->text, sizeof out->text, "`%s`", text)
                 : snprintf(out->text, sizeof out->text, "an operation `%s`", ml_ops[at->op].name);
    for (int k = 0; k < ml_ops[at->op].n_argument; k++) {
        x[k] = s->v[at->arg[k]];
        if (s->formulas.graph.nodes[at->arg[k]].op == ML_OP_LITERAL || !fault_takes(s, at, k) ||
            (k > 0 && at->arg[k] == at->arg[0]))
            continue;
        fault_print(s, at->arg[k], text);
        if (*text && (size_t)used < sizeof out->text)
            used += snprintf(out->text + used, sizeof out->text - (size_t)used, "%s `%s` is %.3g",
                             join, text, x[k]);
        join = " and";
    }
    out->is_of_domain = fault_is_of_domain(at->op, x);
    out->is_root = at->op == ML_OP_sqrt;
}

/* The nearest place along the rates where something has no value. */
static int fault_look(struct fault_search *s, const double *state, double time, double reach,
                      double *rates)
{
    int q = fault_at(s, state, time, 0.0, rates);
    for (int i = 0; q < 0 && i < s->n_state; i++)
        rates[i] = fault_rate(s, i);
    for (int k = FAULT_HALVINGS; q < 0 && k >= 0; k--)
        q = fault_at(s, state, time, ldexp(reach, -k), rates);
    return q;
}

void ml_formula_fault_find(const struct ml_study *study, const double *values, const double *state,
                           double time, double reach, struct ml_formula_fault *out)
{
    struct fault_search s = {.shown = study->spec.source.shown,
                             .n_state = ml_rows_state(&study->ensemble)};
    *out = (struct ml_formula_fault){0};
    if (!s.shown || study->ensemble.feedback.n_break > 0 || s.shown->n_state != s.n_state)
        return;
    s.n_param = s.shown->n_param;
    s.formulas.functions = study->kernels->registry->functions;
    double *rates = ml_pool_take(&s.pool, (size_t)s.n_state + 1, sizeof *rates);
    if (fault_prepare(&s) && rates) {
        memcpy(s.names, values, (size_t)s.n_param * sizeof *values);
        const int q = fault_look(&s, state, time, reach, rates);
        const int node = q < 0 ? ML_NO_NODE : fault_cause(&s, s.shown->rates[q]);
        if (node != ML_NO_NODE) {
            out->is_there = true;
            out->state = s.shown->states[q];
            fault_describe(&s, node, out);
        }
    }
    ml_pool_free(&s.pool);
}
