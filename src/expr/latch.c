/* Latches the conditions of formulas. */
#include "expr/latch.h"

#include <string.h>

#include "expr/derive.h"

enum { MOST_GUARDS = 1024 };

/* Formulas that are latched. */
struct latching {
    struct ml_latches *out;
    struct ml_graph *graph;
    bool with_kinks;
    int n;                                 /* nodes of the unlatched formulas */
    const bool *is_needed;                 /* [n] by them */
    bool *is_moving, *is_of_state;         /* [n] the node depends on time or state; on the state */
    bool *stays;                           /* [n] the node is not latched */
    bool *inside, *truth, *branches, *own; /* [n] scratch: the nodes that some nodes take */
    int *map;                              /* [n] nodes of the latched formulas */
};

static const struct ml_graph_node *node_at(const struct latching *l, int i)
{
    return &l->graph->nodes[i];
}

static bool is_zero(const struct ml_graph *graph, int node)
{
    return graph->nodes[node].op == ML_OP_LITERAL && graph->nodes[node].value == 0.0;
}

/* Whether NaN is the value at some arguments. */
static bool has_domain(enum ml_op op)
{
    return op == ML_OP_sqrt || op == ML_OP_log || op == ML_OP_asin || op == ML_OP_acos ||
           op == ML_OP_pow;
}

static bool is_kink(enum ml_op op) { return op == ML_OP_abs || op == ML_OP_min || op == ML_OP_max; }

static bool is_condition(const struct latching *l, int i)
{
    const enum ml_op op = node_at(l, i)->op;
    const bool jumps = op == ML_OP_less || op == ML_OP_at_most || op == ML_OP_sign ||
                       op == ML_OP_floor || op == ML_OP_mod;
    return (jumps || (l->with_kinks && is_kink(op)) || op == ML_OP_CURVE) && l->is_needed[i];
}

/* Whether a node is a curve that jumps at its samples. */
static bool has_stairs(const struct latching *l, const struct ml_graph_node *node)
{
    return node->op == ML_OP_CURVE && node->arg[2] == 0 && l->out->has_stairs &&
           l->out->has_stairs[node->arg[1]];
}

/* How many conditions change along a motion. */
static int find_moving(struct latching *l)
{
    int n_condition = 0;
    for (int i = 0; i < l->n; i++) {
        const struct ml_graph_node *node = node_at(l, i);
        l->is_of_state[i] = node->op == ML_OP_STATE;
        l->is_moving[i] = l->is_of_state[i] || node->op == ML_OP_TIME;
        for (int k = 0; k < ml_ops[node->op].n_argument; k++) {
            l->is_of_state[i] |= l->is_of_state[node->arg[k]];
            l->is_moving[i] |= l->is_moving[node->arg[k]];
            l->stays[i] |= l->stays[node->arg[k]];
        }
        n_condition += is_condition(l, i) && l->is_moving[i];
    }
    return n_condition;
}

/* Which nodes some nodes take, these among them. */
static void find_taken(const struct latching *l, int n_wanted, const int *wanted, bool *is_taken)
{
    memset(is_taken, 0, (size_t)l->n * sizeof *is_taken);
    for (int i = 0; i < n_wanted; i++)
        is_taken[wanted[i]] = true;
    for (int i = l->n - 1; i >= 0; i--)
        for (int k = 0; is_taken[i] && k < ml_ops[node_at(l, i)->op].n_argument; k++)
            is_taken[node_at(l, i)->arg[k]] = true;
}

/* Whether two formulas take the same state, or both the time. */
static bool share_inputs(const struct latching *l, const bool *a, const bool *b)
{
    for (int i = 0; i < l->n; i++)
        if (a[i] && b[i] && (node_at(l, i)->op == ML_OP_TIME || node_at(l, i)->op == ML_OP_STATE))
            return true;
    return false;
}

/* Conditions that keep a function within its domain, as in sqrt(max(h, 0)) and where(h > 0,
 * sqrt(h), 0), are not latched: a stage behind the level would have NaN. */
static void find_guards_of(struct latching *l, int domain)
{
    find_taken(l, 1, node_at(l, domain)->arg, l->inside);
    for (int w = 0; w < l->n; w++) {
        const struct ml_graph_node *where = node_at(l, w);
        l->stays[w] |= l->inside[w] && is_condition(l, w);
        if (where->op != ML_OP_where || !l->is_needed[w])
            continue;
        find_taken(l, 2, where->arg + 1, l->branches);
        find_taken(l, 1, where->arg, l->truth);
        for (int i = 0; i < w && l->branches[domain]; i++) {
            if (!l->truth[i] || !is_condition(l, i))
                continue;
            find_taken(l, 1, &i, l->own);
            l->stays[i] |= share_inputs(l, l->own, l->inside);
        }
    }
}

static bool is_domain(const struct latching *l, int i)
{
    return l->is_needed[i] && l->is_moving[i] && has_domain(node_at(l, i)->op);
}

/* Finds the guards; where there are very many roots and conditions, all are taken for guards. */
static void find_guards(struct latching *l)
{
    int n_domain = 0, n_where = 0;
    for (int i = 0; i < l->n; i++) {
        n_domain += is_domain(l, i);
        n_where += l->is_needed[i] && node_at(l, i)->op == ML_OP_where;
    }
    const bool are_many = (long)n_domain * n_where > MOST_GUARDS;
    for (int i = 0; i < l->n; i++)
        if (are_many)
            l->stays[i] |= is_condition(l, i);
        else if (is_domain(l, i))
            find_guards_of(l, i);
}

/* The latch of a number a - b, or of b - a, which is then reversed; ML_NO_NODE: there is no room.
 */
static int find_latch(struct latching *l, const struct ml_latch *wanted, bool *is_reversed)
{
    const bool is_mod = node_at(l, wanted->condition)->op == ML_OP_mod;
    struct ml_latches *out = l->out;
    for (int k = 0; k < out->n; k++) {
        struct ml_latch *latch = &out->latch[k];
        const bool is_same = latch->a == wanted->a && latch->b == wanted->b;
        *is_reversed = !is_same && latch->a == wanted->b && latch->b == wanted->a;
        if ((!is_same && !*is_reversed) || latch->is_whole != wanted->is_whole ||
            latch->curve != wanted->curve)
            continue;
        latch->is_kink &= wanted->is_kink;
        return k;
    }
    *is_reversed = false;
    if (out->n == ML_LATCH_MOST)
        return ML_NO_NODE;
    struct ml_latch *latch = &out->latch[out->n];
    *latch = *wanted;
    const int a = l->map[node_at(l, wanted->condition)->arg[0]];
    latch->number = a;
    if (is_mod)
        latch->number =
            ml_graph_2(l->graph, ML_OP_div, a, l->map[node_at(l, wanted->condition)->arg[1]]);
    else if (latch->b != ML_NO_NODE)
        latch->number = ml_graph_2(l->graph, ML_OP_sub, a, l->map[latch->b]);
    return out->n++;
}

/* The number of a condition. */
static struct ml_latch number_of(struct latching *l, int i)
{
    const struct ml_graph_node node = *node_at(l, i); /* a copy: the graph grows */
    struct ml_latch out = {.a = node.arg[0], .b = node.arg[1], .condition = i, .curve = -1};
    if (node.op == ML_OP_mod) {
        out.a = ml_graph_2(l->graph, ML_OP_div, node.arg[0], node.arg[1]);
        out.b = ML_NO_NODE;
    }
    if (node.op == ML_OP_CURVE) {
        out.b = ML_NO_NODE;
        out.curve = node.arg[1];
    }
    out.is_whole = node.op == ML_OP_floor || node.op == ML_OP_mod;
    out.is_kink = node.op == ML_OP_CURVE && !has_stairs(l, &node);
    if (out.b != ML_NO_NODE && is_zero(l->graph, out.b))
        out.b = ML_NO_NODE;
    return out;
}

/* The latched condition, where its mode is known: of the node, with latched arguments. */
static int known_value(struct ml_graph *g, const struct ml_graph_node *node, const int *arg,
                       int mode, bool is_reversed)
{
    const int half = ml_graph_literal(g, 0.5), level = ml_graph_literal(g, -0.5);
    const int low = is_reversed ? level : mode, high = is_reversed ? mode : level;
    const int twice =
        ml_graph_op(g, ML_OP_fma, ml_graph_literal(g, 2.0), mode, ml_graph_literal(g, 1.0));
    const int sign = is_reversed ? ml_graph_1(g, ML_OP_neg, twice) : twice;
    const int whole = ml_graph_1(g, ML_OP_floor, ml_graph_2(g, ML_OP_add, mode, half));
    switch (node->op) {
    case ML_OP_less:
    case ML_OP_at_most:
        return ml_graph_2(g, node->op, low, high);
    case ML_OP_sign:
        return sign;
    case ML_OP_floor:
        return whole;
    case ML_OP_mod:
        return ml_graph_2(g, ML_OP_sub, arg[0], ml_graph_2(g, ML_OP_mul, arg[1], whole));
    case ML_OP_abs:
        return ml_graph_2(g, ML_OP_mul, sign, arg[0]);
    default:
        return ml_graph_op(g, ML_OP_where, ml_graph_2(g, ML_OP_less, low, high),
                           arg[node->op == ML_OP_min ? 0 : 1], arg[node->op == ML_OP_min ? 1 : 0]);
    }
}

static void latch_leave(struct ml_latches *out, int i)
{
    out->n_left++;
    out->left = i;
}

/* The sample of a curve that holds in a mode; NaN as the curve has it beyond its ends. */
static int latch_stairs(struct ml_graph *g, const struct ml_graph_node *node, int mode, int plain)
{
    const int is_there = ml_graph_2(g, ML_OP_equal, plain, plain);
    const int stair = ml_graph_curve(g, node->arg[1], ML_CURVE_STAIR, mode);
    return ml_graph_op(g, ML_OP_where, is_there, stair, plain);
}

/* The latched node of a condition; as it stands where there is no room. */
static int latch_node(struct latching *l, int i)
{
    struct ml_graph *g = l->graph;
    const struct ml_graph_node node = *node_at(l, i); /* a copy: the graph grows */
    const int plain = ml_graph_again(g, &node, l->map);
    struct ml_latches *out = l->out;
    struct ml_latch wanted = number_of(l, i);
    bool is_reversed = false;
    const int k = out->n_fixed < ML_FIXED_MOST ? find_latch(l, &wanted, &is_reversed) : ML_NO_NODE;
    if (k == ML_NO_NODE || (node.op == ML_OP_CURVE && !has_stairs(l, &node))) {
        if (!wanted.is_kink)
            latch_leave(out, i);
        return plain;
    }
    int arg[ML_OP_MOST] = {0};
    for (int a = 0; a < ml_ops[node.op].n_argument; a++)
        arg[a] = l->map[node.arg[a]];
    const int mode = ml_graph_input(g, ML_OP_MODE, k);
    const int known = ml_graph_2(g, ML_OP_equal, mode, mode);
    const int value = node.op == ML_OP_CURVE ? latch_stairs(g, &node, mode, plain)
                                             : known_value(g, &node, arg, mode, is_reversed);
    const int latched =
        ml_op_is_truth(node.op)
            ? ml_graph_2(g, ML_OP_or, value,
                         ml_graph_2(g, ML_OP_and, ml_graph_1(g, ML_OP_not, known), plain))
            : ml_graph_op(g, ML_OP_where, known, value, plain);
    if (ml_op_is_truth(node.op) || node.op == ML_OP_sign || node.op == ML_OP_floor ||
        node.op == ML_OP_CURVE)
        out->fixed[out->n_fixed++] = latched;
    return latched;
}

static bool is_latched(struct latching *l, int i)
{
    const enum ml_op op = node_at(l, i)->op;
    if (!is_condition(l, i) || !l->is_moving[i])
        return false;
    if (op == ML_OP_CURVE)
        return node_at(l, i)->arg[2] == 0 && !l->stays[i] &&
               (!l->is_of_state[i] || has_stairs(l, node_at(l, i)));
    if (l->stays[i] && !is_kink(op))
        latch_leave(l->out, i);
    return !l->stays[i];
}

static bool make_room(struct latching *l, int n, const int *nodes)
{
    struct ml_pool *pool = l->graph->pool;
    l->n = l->graph->n;
    l->is_needed = ml_graph_needed(l->graph, n, nodes);
    bool **const rows[] = {&l->is_moving, &l->is_of_state, &l->stays, &l->inside,
                           &l->truth,     &l->branches,    &l->own};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = ml_pool_take(pool, (size_t)l->n + 1, sizeof **rows[i]);
    l->map = ml_graph_zeros(l->graph, l->n);
    return l->is_needed && l->map && !pool->is_short;
}

bool ml_latch(struct ml_latches *latches, bool with_kinks, int n, int *nodes)
{
    struct latching l = {.out = latches, .graph = latches->graph, .with_kinks = with_kinks};
    if (!make_room(&l, n, nodes))
        return false;
    for (int i = 0; i < latches->n_late; i++)
        if (latches->is_late[i] < l.n)
            l.stays[latches->is_late[i]] = true;
    const int n_condition = find_moving(&l);
    if (n_condition == 0)
        return true;
    for (int i = 0; i < l.n && n_condition > ML_FIXED_MOST; i++) /* as in arrays */
        l.stays[i] = true;
    find_guards(&l);
    for (int i = 0; i < l.n; i++) {
        if (!l.is_needed[i])
            continue;
        const struct ml_graph_node node = *node_at(&l, i); /* a copy: the graph grows */
        l.map[i] = is_latched(&l, i) ? latch_node(&l, i) : ml_graph_again(l.graph, &node, l.map);
    }
    for (int i = 0; i < n; i++)
        nodes[i] = nodes[i] == ML_NO_NODE ? ML_NO_NODE : l.map[nodes[i]];
    return !l.graph->is_full;
}

/* Whether a truth is that a mode is known. */
static bool is_known(const struct ml_graph *graph, int node)
{
    const struct ml_graph_node *n = &graph->nodes[node];
    return n->op == ML_OP_equal && n->arg[0] == n->arg[1] &&
           graph->nodes[n->arg[0]].op == ML_OP_MODE;
}

int ml_latch_unlatched(const struct ml_graph *graph, int node)
{
    const struct ml_graph_node *n = &graph->nodes[node];
    if (n->op == ML_OP_where && is_known(graph, n->arg[0]))
        return n->arg[2];
    const struct ml_graph_node *rest = n->op == ML_OP_or ? &graph->nodes[n->arg[1]] : NULL;
    const struct ml_graph_node *un =
        rest && rest->op == ML_OP_and ? &graph->nodes[rest->arg[0]] : NULL;
    return un && un->op == ML_OP_not && is_known(graph, un->arg[0]) ? rest->arg[1] : node;
}

/* Whether a node depends on an input of a kind as long as no mode changes.
 *   is_fixed  [graph->n] as of latches->fixed
 *   is_met    [graph->n] scratch */
static bool depends_on(const struct ml_graph *graph, const bool *is_fixed, int node, enum ml_op op,
                       bool *is_met)
{
    bool depends = false;
    if (node == ML_NO_NODE)
        return false;
    memset(is_met, 0, (size_t)graph->n * sizeof *is_met);
    is_met[node] = true;
    for (int i = node; i >= 0; i--) {
        if (!is_met[i] || is_fixed[i])
            continue;
        depends |= graph->nodes[i].op == op;
        for (int k = 0; k < ml_ops[graph->nodes[i].op].n_argument; k++)
            is_met[graph->nodes[i].arg[k]] = true;
    }
    return depends;
}

bool ml_latches_find_timed(struct ml_latches *latches)
{
    struct ml_graph *graph = latches->graph;
    int numbers[ML_LATCH_MOST], slopes[ML_LATCH_MOST], rates[ML_LATCH_MOST];
    for (int k = 0; k < latches->n; k++)
        numbers[k] = latches->latch[k].number;
    if (!ml_graph_partial(graph, ml_graph_input(graph, ML_OP_TIME, 0), latches->n, numbers,
                          slopes) ||
        !ml_graph_derive(graph, ML_OP_STATE, latches->n, numbers, rates))
        return false;
    bool *is_fixed = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *is_fixed);
    bool *is_met = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *is_met);
    if (!is_fixed || !is_met)
        return false;
    for (int i = 0; i < latches->n_fixed; i++)
        is_fixed[latches->fixed[i]] = true;
    for (int k = 0; k < latches->n; k++) {
        struct ml_latch *latch = &latches->latch[k];
        latch->is_of_time = depends_on(graph, is_fixed, latch->number, ML_OP_TIME, is_met) &&
                            !depends_on(graph, is_fixed, latch->number, ML_OP_STATE, is_met);
        latch->is_affine = !depends_on(graph, is_fixed, slopes[k], ML_OP_TIME, is_met) &&
                           !depends_on(graph, is_fixed, slopes[k], ML_OP_STATE, is_met) &&
                           !depends_on(graph, is_fixed, rates[k], ML_OP_TIME, is_met) &&
                           !depends_on(graph, is_fixed, rates[k], ML_OP_STATE, is_met);
    }
    return true;
}
