/* Latches the conditions of formulas. */
#include "expr/latch.h"

#include <string.h>

#include "expr/derive.h"

/* Formulas that are latched. */
struct latching {
    struct ml_latches *out;
    struct ml_graph *graph;
    bool with_kinks;
    int n;                   /* nodes of the unlatched formulas */
    const bool *is_needed;   /* [n] by them */
    bool *is_moving, *stays; /* [n] the node depends on time or state; is not latched */
    int *map;                /* [n] nodes of the latched formulas */
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

static bool find_moving(struct latching *l)
{
    bool is_any = false;
    for (int i = 0; i < l->n; i++) {
        const struct ml_graph_node *node = node_at(l, i);
        l->is_moving[i] = node->op == ML_OP_TIME || node->op == ML_OP_STATE;
        for (int k = 0; k < ml_ops[node->op].n_argument; k++) {
            l->is_moving[i] |= l->is_moving[node->arg[k]];
            l->stays[i] |= l->stays[node->arg[k]];
        }
        is_any |= is_condition(l, i) && l->is_moving[i];
    }
    return is_any;
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
static bool find_guards_of(struct latching *l, int domain)
{
    const bool *inside = ml_graph_needed(l->graph, 1, node_at(l, domain)->arg);
    for (int w = 0; inside && w < l->n; w++) {
        const struct ml_graph_node *where = node_at(l, w);
        if (is_condition(l, w) && inside[w])
            l->stays[w] = true;
        if (where->op != ML_OP_where || !l->is_needed[w])
            continue;
        const bool *branches = ml_graph_needed(l->graph, 2, where->arg + 1);
        const bool *truth = ml_graph_needed(l->graph, 1, where->arg);
        if (!branches || !truth)
            return false;
        for (int i = 0; i < w; i++) {
            if (!branches[domain] || !truth[i] || !is_condition(l, i))
                continue;
            const bool *own = ml_graph_needed(l->graph, 1, &i);
            if (!own)
                return false;
            l->stays[i] |= share_inputs(l, own, inside);
        }
    }
    return inside != NULL;
}

static bool find_guards(struct latching *l)
{
    bool is_sound = true;
    for (int i = 0; i < l->n; i++)
        if (l->is_needed[i] && l->is_moving[i] && has_domain(node_at(l, i)->op))
            is_sound &= find_guards_of(l, i);
    return is_sound;
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
    out.is_kink = node.op == ML_OP_CURVE;
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
    if (k == ML_NO_NODE || node.op == ML_OP_CURVE) {
        if (!wanted.is_kink)
            latch_leave(out, i);
        return plain;
    }
    int arg[ML_OP_MOST];
    for (int a = 0; a < ml_ops[node.op].n_argument; a++)
        arg[a] = l->map[node.arg[a]];
    const int mode = ml_graph_input(g, ML_OP_MODE, k);
    const int known = ml_graph_2(g, ML_OP_equal, mode, mode);
    const int value = known_value(g, &node, arg, mode, is_reversed);
    const int latched =
        ml_op_is_truth(node.op)
            ? ml_graph_2(g, ML_OP_or, value,
                         ml_graph_2(g, ML_OP_and, ml_graph_1(g, ML_OP_not, known), plain))
            : ml_graph_op(g, ML_OP_where, known, value, plain);
    if (ml_op_is_truth(node.op) || node.op == ML_OP_sign || node.op == ML_OP_floor)
        out->fixed[out->n_fixed++] = latched;
    return latched;
}

/* Whether a curve of time alone, whose samples are found like the levels of a condition. */
static bool is_of_time(const struct latching *l, int i)
{
    const bool *is_needed = ml_graph_needed(l->graph, 1, &i);
    bool is = is_needed != NULL;
    for (int k = 0; is && k <= i; k++)
        is &= !is_needed[k] || node_at(l, k)->op != ML_OP_STATE;
    return is;
}

static bool is_latched(struct latching *l, int i)
{
    const enum ml_op op = node_at(l, i)->op;
    if (!is_condition(l, i) || !l->is_moving[i])
        return false;
    if (op == ML_OP_CURVE)
        return node_at(l, i)->arg[2] == 0 && !l->stays[i] && is_of_time(l, i);
    if (l->stays[i] && !is_kink(op))
        latch_leave(l->out, i);
    return !l->stays[i];
}

static bool make_room(struct latching *l, int n, const int *nodes)
{
    struct ml_pool *pool = l->graph->pool;
    l->n = l->graph->n;
    l->is_needed = ml_graph_needed(l->graph, n, nodes);
    l->is_moving = ml_pool_take(pool, (size_t)l->n + 1, sizeof *l->is_moving);
    l->stays = ml_pool_take(pool, (size_t)l->n + 1, sizeof *l->stays);
    l->map = ml_graph_zeros(l->graph, l->n);
    return l->is_needed && l->is_moving && l->stays && l->map;
}

bool ml_latch(struct ml_latches *latches, bool with_kinks, int n, int *nodes)
{
    struct latching l = {.out = latches, .graph = latches->graph, .with_kinks = with_kinks};
    if (!make_room(&l, n, nodes))
        return false;
    for (int i = 0; i < latches->n_late; i++)
        if (latches->is_late[i] < l.n)
            l.stays[latches->is_late[i]] = true;
    if (!find_moving(&l))
        return true;
    if (!find_guards(&l))
        return false;
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

/* Whether a node depends on an input of a kind as long as no mode changes. */
static bool depends_on(const struct ml_latches *latches, int node, enum ml_op op, bool *out)
{
    const struct ml_graph *graph = latches->graph;
    bool *is_met = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *is_met);
    *out = false;
    if (!is_met)
        return false;
    is_met[node] = true;
    for (int i = node; i >= 0; i--) {
        bool is_fixed = !is_met[i];
        for (int k = 0; k < latches->n_fixed && !is_fixed; k++)
            is_fixed = latches->fixed[k] == i;
        *out |= !is_fixed && graph->nodes[i].op == op;
        for (int k = 0; k < ml_ops[graph->nodes[i].op].n_argument && !is_fixed; k++)
            is_met[graph->nodes[i].arg[k]] = true;
    }
    return true;
}

bool ml_latches_find_timed(struct ml_latches *latches)
{
    struct ml_graph *graph = latches->graph;
    const int time = ml_graph_input(graph, ML_OP_TIME, 0);
    for (int k = 0; k < latches->n; k++) {
        struct ml_latch *latch = &latches->latch[k];
        int slope = ML_NO_NODE;
        bool of_state, of_time, is_curved = false;
        if (!ml_graph_partial(graph, time, 1, &latch->number, &slope) ||
            !depends_on(latches, latch->number, ML_OP_STATE, &of_state) ||
            !depends_on(latches, latch->number, ML_OP_TIME, &of_time) ||
            (slope != ML_NO_NODE && !depends_on(latches, slope, ML_OP_TIME, &is_curved)))
            return false;
        latch->is_of_time = of_time && !of_state;
        latch->is_linear = latch->is_of_time && !is_curved;
    }
    return true;
}
