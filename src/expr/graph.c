/* Makes nodes: looks for the same one, folds literals, fuses products into sums. */
#include "expr/graph.h"

#include <math.h>
#include <string.h>

const struct ml_op_info ml_ops[ML_N_OP] = {
    [ML_OP_LITERAL] = {"literal", "", 0},
    [ML_OP_TIME] = {"time", "", 0},
    [ML_OP_STATE] = {"state", "", 0},
    [ML_OP_PARAM] = {"param", "", 0},
    [ML_OP_MODE] = {"mode", "", 0},
    [ML_OP_STATE_DERIV] = {"state_deriv", "", 0},
    [ML_OP_PARAM_DERIV] = {"param_deriv", "", 0},
    [ML_OP_CURVE] = {"curve", "", 1},
#define ML_OP(name, n_argument, word) [ML_OP_##name] = {#name, word, n_argument},
#include "expr/ops.def"
};

/* Zeros of both signs are two numbers. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The low half of the bits of a small whole number is 0, so that its high half is folded in. */
static uint64_t hash_node(const struct ml_graph_node *node)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15), bits = bits_of(node->value);
    uint64_t hash = (uint64_t)node->op;
    for (int i = 0; i < ML_OP_MOST; i++)
        hash = (hash ^ (uint64_t)(uint32_t)node->arg[i]) * factor;
    hash = (hash ^ bits ^ bits >> 32) * factor;
    return hash ^ hash >> 32;
}

static bool is_same(const struct ml_graph_node *a, const struct ml_graph_node *b)
{
    return a->op == b->op && memcmp(a->arg, b->arg, sizeof a->arg) == 0 &&
           bits_of(a->value) == bits_of(b->value);
}

/* The slot of a node, or the free slot for that. */
static int *find_slot(const struct ml_graph *graph, const struct ml_graph_node *node)
{
    int at = (int)(hash_node(node) & (uint64_t)(graph->n_slot - 1));
    while (graph->slots[at] != ML_NO_NODE && !is_same(&graph->nodes[graph->slots[at]], node))
        at = (at + 1) & (graph->n_slot - 1);
    return &graph->slots[at];
}

/* Room for twice as many nodes, and four slots for each, a power of two. */
static bool graph_grow(struct ml_graph *graph)
{
    enum { FIRST = 64, SLOTS = 4 };
    const int room = graph->room ? 2 * graph->room : FIRST;
    if (room > ML_GRAPH_MOST)
        return false;
    struct ml_graph_node *nodes = ml_pool_take(graph->pool, (size_t)room, sizeof *nodes);
    int *slots = ml_pool_take(graph->pool, (size_t)room * SLOTS, sizeof *slots);
    if (!nodes || !slots)
        return false;
    if (graph->n > 0)
        memcpy(nodes, graph->nodes, (size_t)graph->n * sizeof *nodes);
    graph->nodes = nodes;
    graph->room = room;
    graph->slots = slots;
    graph->n_slot = room * SLOTS;
    for (int i = 0; i < graph->n_slot; i++)
        slots[i] = ML_NO_NODE;
    for (int i = 0; i < graph->n; i++)
        *find_slot(graph, &nodes[i]) = i;
    return true;
}

static int find_or_make(struct ml_graph *graph, const struct ml_graph_node *node)
{
    if (graph->n == graph->room && !graph_grow(graph)) {
        graph->is_full = true;
        return ML_NO_NODE;
    }
    int *slot = find_slot(graph, node);
    if (*slot == ML_NO_NODE) {
        graph->nodes[graph->n] = *node;
        *slot = graph->n++;
    }
    return *slot;
}

int ml_graph_literal(struct ml_graph *graph, double value)
{
    return find_or_make(
        graph, &(struct ml_graph_node){ML_OP_LITERAL, {ML_NO_NODE, ML_NO_NODE, ML_NO_NODE}, value});
}

int ml_graph_input(struct ml_graph *graph, enum ml_op op, int number)
{
    return find_or_make(graph, &(struct ml_graph_node){op, {number, ML_NO_NODE, ML_NO_NODE}, 0.0});
}

int ml_graph_curve(struct ml_graph *graph, int curve, int order, int node)
{
    const struct ml_graph_node made = {ML_OP_CURVE, {node, curve, order}, 0.0};
    return node == ML_NO_NODE ? ML_NO_NODE : find_or_make(graph, &made);
}

static bool is_op(const struct ml_graph *graph, int node, enum ml_op op)
{
    return node != ML_NO_NODE && graph->nodes[node].op == op;
}

/* Quotients of two such numbers are never rounded to a whole one, and the remainder is exact. */
static bool is_small_whole(double a) { return a == floor(a) && fabs(a) <= 0x1p24; }

/* False: it is not rounded correctly everywhere, or which zero it is depends on its order. */
static bool fold(enum ml_op op, double a, double b, double c, double *out)
{
    switch (op) {
    case ML_OP_neg:
        *out = -a;
        return true;
    case ML_OP_add:
        *out = a + b;
        return true;
    case ML_OP_sub:
        *out = a - b;
        return true;
    case ML_OP_mul:
        *out = a * b;
        return true;
    case ML_OP_div:
        *out = a / b;
        return true;
    case ML_OP_fma:
        *out = fma(a, b, c);
        return true;
    case ML_OP_fnma:
        *out = fma(-a, b, c);
        return true;
    case ML_OP_sqrt:
        *out = sqrt(a);
        return true;
    case ML_OP_abs:
        *out = fabs(a);
        return true;
    case ML_OP_floor:
        *out = floor(a);
        return isfinite(a);
    case ML_OP_mod:
        *out = a - b * floor(a / b);
        return is_small_whole(a) && is_small_whole(b) && b != 0.0;
    case ML_OP_min:
        *out = a < b ? a : b;
        return a < b || a > b;
    case ML_OP_max:
        *out = a < b ? b : a;
        return a < b || a > b;
    default:
        return false;
    }
}

static bool fold_node(const struct ml_graph *graph, const struct ml_graph_node *node, double *out)
{
    double value[ML_OP_MOST] = {0.0};
    for (int i = 0; i < ml_ops[node->op].n_argument; i++) {
        if (!is_op(graph, node->arg[i], ML_OP_LITERAL))
            return false;
        value[i] = graph->nodes[node->arg[i]].value;
    }
    return fold(node->op, value[0], value[1], value[2], out);
}

bool ml_graph_truth(const struct ml_graph *graph, int i, bool *out)
{
    const struct ml_graph_node *node = &graph->nodes[i];
    bool a = false, b = false;
    if (!ml_op_is_truth(node->op))
        return false;
    if (ml_op_takes_truth(node->op, 0)) {
        const bool is_or = node->op == ML_OP_or; /* one that is true is enough */
        const bool is_a = ml_graph_truth(graph, node->arg[0], &a);
        if (node->op == ML_OP_not) {
            *out = !a;
            return is_a;
        }
        const bool is_b = ml_graph_truth(graph, node->arg[1], &b);
        *out = (is_a && a == is_or) || (is_b && b == is_or) ? is_or : !is_or;
        return (is_a && (is_b || a == is_or)) || (is_b && b == is_or);
    }
    if (node->op == ML_OP_less && node->arg[0] == node->arg[1]) {
        *out = false;
        return true;
    }
    if (!is_op(graph, node->arg[0], ML_OP_LITERAL) || !is_op(graph, node->arg[1], ML_OP_LITERAL))
        return false;
    const double x = graph->nodes[node->arg[0]].value, y = graph->nodes[node->arg[1]].value;
    *out = node->op == ML_OP_less ? x < y : node->op == ML_OP_at_most ? x <= y : x == y;
    return true;
}

/* A sum or difference with a product as a term. */
static bool fuse(struct ml_graph *graph, struct ml_graph_node *node)
{
    const int a = node->arg[0], b = node->arg[1];
    const bool is_difference = node->op == ML_OP_sub;
    if (graph->is_unfused || (node->op != ML_OP_add && !is_difference))
        return false;
    if (is_op(graph, a, ML_OP_mul)) {
        const struct ml_graph_node *product = &graph->nodes[a];
        *node = (struct ml_graph_node){ML_OP_fma, {product->arg[0], product->arg[1], b}, 0.0};
        node->arg[2] = is_difference ? ml_graph_1(graph, ML_OP_neg, b) : b;
    } else if (is_op(graph, b, ML_OP_mul)) {
        const struct ml_graph_node *product = &graph->nodes[b];
        *node = (struct ml_graph_node){
            is_difference ? ML_OP_fnma : ML_OP_fma, {product->arg[0], product->arg[1], a}, 0.0};
    } else {
        return false;
    }
    return true;
}

/* The node of op(a, b, c) without a negation among its arguments, which is exact wherever it
 * stands; ML_NO_NODE if no argument is a negation, or op has no such form. */
static int without_negation(struct ml_graph *graph, enum ml_op op, int a, int b, int c)
{
    const bool is_a = is_op(graph, a, ML_OP_neg), is_b = is_op(graph, b, ML_OP_neg);
    const int plain_a = is_a ? graph->nodes[a].arg[0] : a,
              plain_b = is_b ? graph->nodes[b].arg[0] : b;
    if (!is_a && !is_b)
        return ML_NO_NODE;
    switch (op) {
    case ML_OP_neg:
        return plain_a;
    case ML_OP_add:
        return is_b ? ml_graph_2(graph, ML_OP_sub, a, plain_b)
                    : ml_graph_2(graph, ML_OP_sub, b, plain_a);
    case ML_OP_sub:
        return is_b ? ml_graph_2(graph, ML_OP_add, a, plain_b) : ML_NO_NODE;
    case ML_OP_mul:
    case ML_OP_div: {
        const int plain = ml_graph_2(graph, op, plain_a, plain_b);
        return is_a && is_b ? plain : ml_graph_1(graph, ML_OP_neg, plain);
    }
    case ML_OP_fma:
    case ML_OP_fnma:
        return ml_graph_op(graph, (op == ML_OP_fma) == (is_a == is_b) ? ML_OP_fma : ML_OP_fnma,
                           plain_a, plain_b, c);
    default:
        return ML_NO_NODE;
    }
}

/* The inverse of a literal by which a quotient is the same number as a product: of a power of 2;
 * else 0. */
static double exact_inverse(const struct ml_graph *graph, enum ml_op op, int b)
{
    int exponent;
    if (op != ML_OP_div || !is_op(graph, b, ML_OP_LITERAL))
        return 0.0;
    const double value = graph->nodes[b].value;
    const bool is_power =
        fabs(frexp(value, &exponent)) == 0.5 && exponent > -1000 && exponent < 1000;
    return is_power ? 1.0 / value : 0.0;
}

/* A product with a literal 1 or -1 without it, which is exact; else ML_NO_NODE. */
static int without_unit(struct ml_graph *graph, enum ml_op op, int a, int b)
{
    const int factors[] = {a, b};
    for (int i = 0; op == ML_OP_mul && i < 2; i++) {
        const struct ml_graph_node *node = &graph->nodes[factors[i]];
        if (node->op == ML_OP_LITERAL && fabs(node->value) == 1.0)
            return node->value == 1.0 ? factors[1 - i]
                                      : ml_graph_1(graph, ML_OP_neg, factors[1 - i]);
    }
    return ML_NO_NODE;
}

int ml_graph_op(struct ml_graph *graph, enum ml_op op, int a, int b, int c)
{
    struct ml_graph_node node = {op, {a, b, c}, 0.0};
    double value;
    bool is_first;
    for (int i = 0; i < ml_ops[op].n_argument; i++)
        if (node.arg[i] == ML_NO_NODE)
            return ML_NO_NODE;
    if (++graph->cost > ML_GRAPH_COST) {
        graph->is_full = true;
        return ML_NO_NODE;
    }
    if (op == ML_OP_where && ml_graph_truth(graph, a, &is_first))
        return is_first ? b : c;
    if (fold_node(graph, &node, &value))
        return ml_graph_literal(graph, value);
    const int other = without_unit(graph, op, a, b);
    const int plain = other != ML_NO_NODE ? other : without_negation(graph, op, a, b, c);
    if (plain != ML_NO_NODE)
        return plain;
    const double inverse = exact_inverse(graph, op, b);
    if (inverse != 0.0)
        return ml_graph_2(graph, ML_OP_mul, a, ml_graph_literal(graph, inverse));
    if (fuse(graph, &node))
        return ml_graph_op(graph, node.op, node.arg[0], node.arg[1], node.arg[2]);
    return find_or_make(graph, &node);
}

int ml_graph_again(struct ml_graph *graph, const struct ml_graph_node *node, const int *map)
{
    int arg[ML_OP_MOST] = {ML_NO_NODE, ML_NO_NODE, ML_NO_NODE};
    for (int k = 0; k < ml_ops[node->op].n_argument; k++)
        arg[k] = map[node->arg[k]];
    if (node->op == ML_OP_CURVE)
        return ml_graph_curve(graph, node->arg[1], node->arg[2], arg[0]);
    if (node->op == ML_OP_LITERAL)
        return ml_graph_literal(graph, node->value);
    return ml_ops[node->op].n_argument == 0 ? ml_graph_input(graph, node->op, node->arg[0])
                                            : ml_graph_op(graph, node->op, arg[0], arg[1], arg[2]);
}

int ml_graph_plus(struct ml_graph *graph, int a, int b)
{
    return a == ML_NO_NODE ? b : b == ML_NO_NODE ? a : ml_graph_2(graph, ML_OP_add, a, b);
}

int ml_graph_minus_product(struct ml_graph *graph, int a, int b, int c)
{
    const int product = ml_graph_2(graph, ML_OP_mul, b, c);
    if (product == ML_NO_NODE)
        return a;
    return a == ML_NO_NODE ? ml_graph_1(graph, ML_OP_neg, product)
                           : ml_graph_2(graph, ML_OP_sub, a, product);
}

int *ml_graph_zeros(struct ml_graph *graph, int n)
{
    int *nodes = ml_pool_take(graph->pool, (size_t)n + 1, sizeof *nodes);
    for (int i = 0; nodes && i < n; i++)
        nodes[i] = ML_NO_NODE;
    return nodes;
}

bool *ml_graph_needed(const struct ml_graph *graph, int n_wanted, const int *wanted)
{
    bool *is_needed = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *is_needed);
    if (!is_needed)
        return NULL;
    for (int i = 0; i < n_wanted; i++)
        if (wanted[i] != ML_NO_NODE)
            is_needed[wanted[i]] = true;
    for (int i = graph->n - 1; i >= 0; i--)
        for (int k = 0; is_needed[i] && k < ml_ops[graph->nodes[i].op].n_argument; k++)
            is_needed[graph->nodes[i].arg[k]] = true;
    return is_needed;
}

/* By squares: x^5 = x (x^2)^2. */
static int whole_power(struct ml_graph *graph, int base, int exponent)
{
    int power = ML_NO_NODE;
    for (int square = base; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            power = power == ML_NO_NODE ? square : ml_graph_2(graph, ML_OP_mul, power, square);
        square = exponent > 1 ? ml_graph_2(graph, ML_OP_mul, square, square) : square;
    }
    return power;
}

int ml_graph_power(struct ml_graph *graph, int base, double exponent)
{
    const double size = fabs(exponent);
    if (exponent == 0.5)
        return ml_graph_1(graph, ML_OP_sqrt, base);
    if (size > ML_POWER_MOST || size != floor(size))
        return ML_NO_NODE;
    const int power =
        size == 0.0 ? ml_graph_literal(graph, 1.0) : whole_power(graph, base, (int)size);
    return exponent < 0.0 ? ml_graph_2(graph, ML_OP_div, ml_graph_literal(graph, 1.0), power)
                          : power;
}
