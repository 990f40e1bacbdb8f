/* Motions that rest on the surface of an event, `then: rest`. Before anything is read they are
 * written as keys of the same meaning. Of the number G that the event looks at let G1 be the
 * derivative by time, and G2 that of G1. A motion that rests has G1 = 0, and G2 = 0 by a reaction
 * along the direction d in which `set` changes G1, for as long as G2 without the reaction leads
 * to the surface:
 *
 *   events: [{name: hit, when: y, direction: down, set: {v: -e*v}, then: rest}]
 *
 *   registers: {hit_rests: 0}
 *   system: {rates: {v: "where(hit_rests > 0.5, R - d G2/(d dG1/dx), R)"}}    R: the rate given
 *   events: [{.., then: {v: v - d G1/(d dG1/dx), hit_rests: "where(G2 <= 0, 1, 0)"}},
 *            {name: hit_leaves, when: G2, crosses: 1e-300, direction: up, if: hit_rests > 0.5,
 *             set: {hit_rests: 0}}]
 *
 * A number G that such rates hold but for rounding is counted off its level in the meantime:
 * `when: G + hit_rests`. */
#include <string.h>

#include "config/sections/sections.h"
#include "expr/derive.h"
#include "expr/parse.h"
#include "expr/print.h"

enum { MOST_NAMES = 1024, MOST_NESTED = 32, MOST_RESTS = 16 };

struct resting {
    struct ml_reader *r;
    const struct ml_node *system, *states, *rates;
    struct ml_graph graph;
    const char **state, **param, **curve; /* names of inputs, and of tables */
    int n_param, nested;
    int *rate; /* [states] nodes, ML_NO_NODE: not read yet */
    const struct ml_node
        *behind;              /* formulas of states, in whose place names are those; NULL: none */
    bool *is_moved, *is_seen; /* [states] by the reaction; on which it depends */
    bool is_of_event;         /* the formula that is read: quantities are names too */
    const char *why;          /* the motion cannot rest */
};

/* One event. */
struct rest {
    const struct ml_node *event, *set;
    const char *name;
    bool is_above;             /* the number rests above its level */
    int number, first, second; /* nodes of G, G1 and G2 */
    int along;                 /* d dG1/dx */
    int *direction;            /* [states] d; ML_NO_NODE: 0 */
    bool *is_moved, *is_seen;
};

static int state_of(const struct resting *s, const char *name)
{
    int i = 0;
    for (const struct ml_node *own = s->states->first; own; own = own->next, i++)
        if (strcmp(own->key, name) == 0)
            return i;
    return -1;
}

static int parse(struct resting *s, const struct ml_node *formula);

/* The formula of a name that is no input; NULL: it is one. */
static const struct ml_node *definition_of(const struct resting *s, const char *name)
{
    const struct ml_node *own = ml_node_find(ml_node_find(s->system, "define"), name);
    const struct ml_node *quantity = ml_node_find(ml_node_find(s->r->root, "quantities"), name);
    if (own || !s->is_of_event)
        return own;
    return quantity && quantity->kind == ML_NODE_MAP ? ml_node_find(quantity, "formula") : quantity;
}

/* Whether a name is a number that no formula of the system changes. */
static bool is_param(const struct resting *s, const char *name)
{
    return ml_node_find(ml_node_find(s->system, "parameters"), name) ||
           ml_node_find(ml_node_find(s->r->root, "define"), name) ||
           ml_node_find(ml_node_find(s->r->root, ML_REGISTERS), name);
}

/* The node of a formula of an event that sets states, of the state before. */
static int parse_before(struct resting *s, const struct ml_node *formula)
{
    const struct ml_node *behind = s->behind;
    s->behind = NULL;
    const int node = parse(s, formula);
    s->behind = behind;
    return node;
}

/* As ml_expr_names.find. */
static int find_name(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct resting *s = context;
    const int i = state_of(s, name);
    const struct ml_node *formula = definition_of(s, name);
    (void)fault;
    if (i >= 0 && ml_node_find(s->behind, name))
        return parse_before(s, ml_node_find(s->behind, name));
    if (i >= 0)
        return ml_graph_input(&s->graph, ML_OP_STATE, i);
    if (formula)
        return parse(s, formula);
    if (strcmp(name, "t") == 0)
        return ml_graph_input(&s->graph, ML_OP_TIME, 0);
    if (!is_param(s, name) || s->n_param == MOST_NAMES)
        return ML_NO_NODE;
    for (int k = 0; k < s->n_param; k++)
        if (strcmp(s->param[k], name) == 0)
            return ml_graph_input(&s->graph, ML_OP_PARAM, k);
    s->param[s->n_param] = ml_pool_text(s->r->pool, name, strlen(name));
    return ml_graph_input(&s->graph, ML_OP_PARAM, s->n_param++);
}

static int find_curve(const struct resting *s, const char *name)
{
    int i = 0;
    for (; s->curve[i]; i++)
        if (strcmp(s->curve[i], name) == 0)
            return i;
    return -1;
}

/* As ml_expr_names.arity and call, of tables. */
static int find_arity(void *context, const char *name)
{
    return find_curve(context, name) >= 0 ? 1 : -1;
}

static int call_curve(void *context, const char *name, const int *args, struct ml_expr_fault *fault)
{
    struct resting *s = context;
    (void)fault;
    return ml_graph_curve(&s->graph, find_curve(s, name), 0, args[0]);
}

/* The node of a formula; ML_NO_NODE with the reason. */
static int parse(struct resting *s, const struct ml_node *formula)
{
    const struct ml_expr_names names = {
        .find = find_name, .arity = find_arity, .call = call_curve, .context = s};
    struct ml_expr_fault fault = {.what = ""};
    int node = ML_NO_NODE;
    if (formula && formula->kind == ML_NODE_SCALAR && s->nested < MOST_NESTED) {
        s->nested++;
        node = ml_expr_parse(&s->graph, formula->text, &names, &fault);
        s->nested--;
    }
    if (node == ML_NO_NODE && !s->why)
        s->why = ml_pool_format(
            s->r->pool,
            "its number must have derivatives by time, of formulas of single states, parameters, "
            "tables and t, and %s is no such formula%s%s",
            !formula                          ? "the missing rate of a state"
            : formula->kind == ML_NODE_SCALAR ? ml_quote(s->r->pool, formula->text)
                                              : ml_node_kind_text(formula),
            fault.what[0] ? ": " : "", fault.what);
    return node;
}

/* [states] those that a node takes. */
static void find_seen(const struct resting *s, int node, bool *is_seen)
{
    const bool *is_needed = ml_graph_needed(&s->graph, 1, &node);
    for (int i = 0; is_needed && i < s->graph.n; i++)
        if (is_needed[i] && s->graph.nodes[i].op == ML_OP_STATE)
            is_seen[s->graph.nodes[i].arg[0]] = true;
}

/* The derivative of a node by time, along the rates of the study; 0 without memory. */
static int derive(struct resting *s, int node, bool *is_seen)
{
    const int n = s->states->n_child;
    int *inputs = ml_graph_zeros(&s->graph, n + 1), *rates = ml_graph_zeros(&s->graph, n + 1);
    int out = ML_NO_NODE, k = 0, i = 0;
    find_seen(s, node, is_seen);
    for (const struct ml_node *own = s->states->first; own && inputs && rates;
         own = own->next, i++) {
        if (!is_seen[i])
            continue;
        if (s->rate[i] == ML_NO_NODE)
            s->rate[i] = parse(s, ml_node_find(s->rates, own->key));
        inputs[k] = ml_graph_input(&s->graph, ML_OP_STATE, i);
        rates[k++] = s->rate[i];
    }
    if (!inputs || !rates)
        return ML_NO_NODE;
    inputs[k] = ml_graph_input(&s->graph, ML_OP_TIME, 0);
    rates[k++] = ml_graph_literal(&s->graph, 1.0);
    if (!s->why)
        (void)ml_graph_derive_along(&s->graph, k, inputs, rates, 1, &node, &out);
    return out == ML_NO_NODE ? ml_graph_literal(&s->graph, 0.0) : out;
}

static bool is_one(const struct resting *s, int node)
{
    const struct ml_graph_node *own = &s->graph.nodes[node];
    return own->op == ML_OP_LITERAL && own->value == 1.0;
}

static int times(struct resting *s, int a, int b)
{
    return is_one(s, b) ? a : ml_graph_2(&s->graph, ML_OP_mul, a, b);
}

/* The direction in which `set` changes G1 near G1 = 0, where it changes nothing: the derivative of
 * the change along the gradient of G1. A direction of one state is that state. */
static void find_direction(struct resting *s, struct rest *of)
{
    const int n = s->states->n_child;
    struct ml_graph *g = &s->graph;
    int *inputs = ml_graph_zeros(g, n), *gradient = ml_graph_zeros(g, n), n_input = 0, n_moved = 0;
    for (const struct ml_node *own = of->set->first; own && inputs && gradient; own = own->next) {
        const int i = state_of(s, own->key);
        int partial;
        if (i < 0 || n_input == n)
            continue;
        inputs[n_input] = ml_graph_input(g, ML_OP_STATE, i);
        (void)ml_graph_partial(g, inputs[n_input], 1, &of->first, &partial);
        gradient[n_input++] = partial;
    }
    for (const struct ml_node *own = of->set->first; own && !s->why && gradient; own = own->next) {
        const int i = state_of(s, own->key);
        const int value = i < 0 ? ML_NO_NODE : parse(s, own);
        int change =
            i < 0 ? ML_NO_NODE : ml_graph_2(g, ML_OP_sub, value, ml_graph_input(g, ML_OP_STATE, i));
        if (i >= 0)
            (void)ml_graph_derive_along(g, n_input, inputs, gradient, 1, &change,
                                        &of->direction[i]);
        n_moved += i >= 0 && of->direction[i] != ML_NO_NODE;
    }
    for (int i = 0; i < n; i++) {
        int partial = ML_NO_NODE;
        if (of->direction[i] == ML_NO_NODE)
            continue;
        (void)ml_graph_partial(g, ml_graph_input(g, ML_OP_STATE, i), 1, &of->first, &partial);
        of->is_moved[i] = true;
        if (n_moved == 1)
            of->direction[i] = ml_graph_literal(g, 1.0);
        if (partial != ML_NO_NODE)
            of->along = ml_graph_plus(g, of->along, times(s, partial, of->direction[i]));
    }
}

/* Whether formulas take a derivative of a table, which has no name. */
static bool has_slope(const struct resting *s)
{
    bool has = false;
    for (int i = 0; i < s->graph.n; i++)
        has |= s->graph.nodes[i].op == ML_OP_CURVE && s->graph.nodes[i].arg[2] > 0;
    return has;
}

/* Why an event is no surface, by its keys; NULL: by its formulas, if at all. */
static const char *find_fault(const struct resting *s, const struct rest *of)
{
    const struct ml_node *event = of->event;
    const struct ml_node *direction = ml_node_find_kind(event, "direction", ML_NODE_SCALAR);
    if (!ml_registers_are_states(s->system) || !s->states || !s->rates)
        return "only rates of a system of type `equations`, with `state` and `rates`, can be held; "
               "give the state behind the last event as a map of formulas";
    if (!ml_node_find_kind(event, "when", ML_NODE_SCALAR) || !of->set)
        return "only a crossing that sets the state is a surface; give `when` and `set`";
    if (!ml_expr_is_name(of->name))
        return "a register has the name of the event in its own; take letters, digits and _ for "
               "the name, a letter first, and no name of a function";
    if (ml_node_find(event, "every"))
        return "its surface is at one level; leave `every` out";
    if (!direction || strcmp(direction->text, "either") == 0)
        return "its surface has two sides; give `direction: down` where the number rests above its "
               "level, `direction: up` where the number rests below";
    return NULL;
}

/* Finds the surface of an event; false, with the reason in s->why. */
static bool find_surface(struct resting *s, struct rest *of)
{
    const size_t n = s->states ? (size_t)s->states->n_child + 1 : 1;
    of->set = ml_node_find_kind(of->event, "set", ML_NODE_MAP);
    of->number = of->first = of->second = of->along = ML_NO_NODE;
    of->direction = ml_graph_zeros(&s->graph, (int)n);
    of->is_moved = ml_pool_take(s->r->pool, n, sizeof *of->is_moved);
    of->is_seen = ml_pool_take(s->r->pool, n, sizeof *of->is_seen);
    s->why = find_fault(s, of);
    if (s->why || !of->direction || !of->is_moved || !of->is_seen)
        return false;
    of->is_above =
        strcmp(ml_node_find_kind(of->event, "direction", ML_NODE_SCALAR)->text, "down") == 0;
    s->is_of_event = true;
    of->number = parse(s, ml_node_find(of->event, "when"));
    s->is_of_event = false;
    if (of->number != ML_NO_NODE)
        of->first = derive(s, of->number, of->is_seen);
    if (!s->why)
        of->second = derive(s, of->first, of->is_seen);
    s->is_of_event = true;
    if (!s->why)
        find_direction(s, of);
    if (!s->why && of->along == ML_NO_NODE)
        s->why = "`set` does not change the rate of its number, so that nothing holds the number; "
                 "set a state on which that rate depends";
    if (!s->why && (has_slope(s) || s->graph.is_full))
        s->why = "its number has derivatives of a table, or formulas that are too long; write a "
                 "shorter formula of t";
    return !s->why;
}

static bool begin(struct resting *s, struct ml_reader *r, const struct ml_node *root)
{
    const struct ml_node *tables = ml_node_find_kind(root, "tables", ML_NODE_MAP);
    *s = (struct resting){.r = r, .graph = {.pool = r->pool}};
    s->system = ml_node_find_kind(root, "system", ML_NODE_MAP);
    s->states = ml_node_find_kind(s->system, "state", ML_NODE_MAP);
    s->rates = ml_node_find_kind(s->system, "rates", ML_NODE_MAP);
    const int n = s->states ? s->states->n_child : 0, n_curve = tables ? tables->n_child : 0;
    s->state = ml_pool_take(r->pool, (size_t)n + 1, sizeof *s->state);
    s->param = ml_pool_take(r->pool, MOST_NAMES, sizeof *s->param);
    s->curve = ml_pool_take(r->pool, (size_t)n_curve + 1, sizeof *s->curve);
    s->rate = ml_graph_zeros(&s->graph, n + 1);
    if (!s->state || !s->param || !s->curve || !s->rate)
        return false;
    int i = 0;
    for (const struct ml_node *own = n > 0 ? s->states->first : NULL; own; own = own->next)
        s->state[i++] = own->key;
    i = 0;
    for (const struct ml_node *own = n_curve > 0 ? tables->first : NULL; own; own = own->next)
        s->curve[i++] = own->key;
    return true;
}

/* A node as a formula; "" without memory. */
static const char *print(const struct resting *s, int node)
{
    const struct ml_expr_print out = {
        .graph = &s->graph, .states = s->state, .params = s->param, .curves = s->curve};
    const char *text = ml_expr_print_text(&out, s->r->pool, node);
    return text ? text : "";
}

/* from - d value/(d dG1/dx) of a state. */
static const char *print_held(struct resting *s, const struct rest *of, int i, int from, int value)
{
    struct ml_graph *g = &s->graph;
    if (from == value && is_one(s, of->direction[i]) && is_one(s, of->along))
        return "0";
    const int share = ml_graph_2(g, ML_OP_div, value, of->along);
    return print(s, ml_graph_2(g, ML_OP_sub, from, times(s, share, of->direction[i])));
}

/* "/(1 - other_rests)" of each surface before that acts on the same states: two such reactions
 * depend on each other, and the run ends where both hold. */
static const char *print_others(const struct resting *s, const struct rest *of,
                                const struct rest *all)
{
    const char *text = "";
    for (const struct rest *other = all; other != of && text; other++) {
        bool is_shared = false;
        for (int i = 0; i < s->states->n_child; i++)
            is_shared |= (of->is_moved[i] && (other->is_moved[i] || other->is_seen[i])) ||
                         (of->is_seen[i] && other->is_moved[i]);
        if (is_shared)
            text = ml_pool_format(s->r->pool, "%s/(1 - %s_rests)", text, other->name);
    }
    return text ? text : "";
}

/* By how much `set` of another event changes a node; of a state behind the event. */
static int change(struct resting *s, const struct ml_node *set, int node, int *behind)
{
    struct ml_node formula = {.kind = ML_NODE_SCALAR, .text = print(s, node)};
    s->behind = set;
    s->is_of_event = true;
    *behind = parse(s, &formula);
    s->is_of_event = false;
    s->behind = NULL;
    return ml_graph_2(&s->graph, ML_OP_sub, *behind, node);
}

static bool is_rest(const struct ml_node *then)
{
    return then && then->kind == ML_NODE_SCALAR && strcmp(then->text, "rest") == 0;
}

/* "where(CHANGED, ended, stays)" of a formula of another event's `set`. */
static void change_text(const struct resting *s, struct ml_node *formula, const char *changed,
                        const char *ended, const char *stays)
{
    formula->text = ml_pool_format(s->r->pool, "where(%s, %s, %s)", changed, ended, stays);
    formula->is_plain = false;
    formula->inset = 0;
}

/* Ends the rest where another event changes the number or its rate: the event sets NAME_rests to 0.
 * If that event is a surface too, both would hold the same states, which has no solution here: its
 * formulas are divided by 1 - NAME_rests, 0, and the run ends as diverged. */
static void add_release(struct resting *s, const struct rest *of, struct ml_node *set,
                        bool is_surface)
{
    const char *rests = ml_pool_format(s->r->pool, "%s_rests", of->name);
    bool is_seen = false;
    int number, rate;
    for (int i = 0; i < s->states->n_child; i++)
        is_seen |= of->is_seen[i] && ml_node_find(set, s->state[i]);
    if (!is_seen || !rests || ml_node_find(set, rests))
        return;
    const int moved = change(s, set, of->number, &number);
    const int sped = change(s, set, of->first, &rate);
    if (s->why || s->graph.is_full) {
        ml_problem(&s->r->problems, set->key_location,
                   "cannot end the rest of `%s` by this event: %s", of->name,
                   s->why ? s->why : "its formulas are too long");
        s->why = NULL;
        return;
    }
    const char *changed = ml_pool_format(s->r->pool, "abs(%s) + abs((%s)*(%s)) > 0",
                                         print(s, moved), print(s, rate), print(s, sped));
    if (changed && !is_surface) {
        (void)ml_tree_add(s->r, set, set, rests, "");
        change_text(s, ml_node_find(set, rests), changed, "0", rests);
    }
    for (int i = 0; changed && is_surface && i < s->states->n_child; i++) {
        struct ml_node *own = of->is_seen[i] ? ml_node_find(set, s->state[i]) : NULL;
        if (own)
            change_text(s, own, changed,
                        ml_pool_format(s->r->pool, "(%s)/(1 - %s)", own->text, rests), own->text);
    }
}

/* Takes the number of a motion that rests off its level, about which rounding would move it. */
static void lift_number(const struct resting *s, const struct rest *of)
{
    struct ml_node *when = ml_node_find(of->event, "when");
    when->text = ml_pool_format(s->r->pool, "%s %c %s_rests", when->text, of->is_above ? '+' : '-',
                                of->name);
    when->is_plain = false;
    when->inset = 0;
}

/* Writes the rates of a motion that rests, and its state behind the last event. */
static void add_motion(struct resting *s, const struct rest *of, const struct rest *all,
                       struct ml_node *then)
{
    struct ml_pool *pool = s->r->pool;
    const char *others = print_others(s, of, all);
    bool is_still = true;
    int i = 0;
    for (const struct ml_node *own = s->states->first; own; own = own->next, i++) {
        struct ml_node *rate = ml_node_find(s->rates, own->key);
        if (!of->is_moved[i] || !rate || rate->kind != ML_NODE_SCALAR)
            continue;
        if (s->rate[i] == ML_NO_NODE)
            s->rate[i] = parse(s, rate);
        const int state = ml_graph_input(&s->graph, ML_OP_STATE, i);
        const char *held = print_held(s, of, i, s->rate[i], of->second);
        is_still &= strcmp(held, "0") == 0;
        (void)ml_tree_add(s->r, then, then, own->key, print_held(s, of, i, state, of->first));
        rate->text = ml_pool_format(pool, "where(%s_rests > 0.5, (%s)%s, %s)", of->name, held,
                                    others, rate->text);
        rate->is_plain = false;
        rate->inset = 0;
    }
    (void)ml_tree_add(s->r, then, then, ml_pool_format(pool, "%s_rests", of->name),
                      ml_pool_format(pool, "where(%s %s 0, 1, 0)", print(s, of->second),
                                     of->is_above ? "<=" : ">="));
    if (!is_still)
        lift_number(s, of);
}

static void lay_out_rest(struct resting *s, const struct rest *of, const struct rest *all,
                         struct ml_node *root)
{
    struct ml_pool *pool = s->r->pool;
    struct ml_node *then = ml_node_find(of->event, "then");
    struct ml_node *leaves = ml_tree_make(s->r, then, ML_NODE_MAP, NULL, NULL);
    struct ml_node *set = ml_tree_make(s->r, then, ML_NODE_MAP, "set", NULL);
    const char *rests = ml_pool_format(pool, "%s_rests", of->name);
    if (!leaves || !set || !rests)
        return;
    then->kind = ML_NODE_MAP;
    then->text = NULL;
    add_motion(s, of, all, then);
    (void)ml_tree_add(s->r, ml_tree_find_or_make(s->r, root, then, ML_NODE_MAP, ML_REGISTERS), then,
                      rests, "0");
    (void)ml_tree_add(s->r, leaves, then, "name", ml_pool_format(pool, "%s_leaves", of->name));
    (void)ml_tree_add(s->r, leaves, then, "when", print(s, of->second));
    (void)ml_tree_add(s->r, leaves, then, "crosses",
                      of->is_above ? "1e-300" : "-1e-300"); /* from 0 too */
    (void)ml_tree_add(s->r, leaves, then, "direction", of->is_above ? "up" : "down");
    (void)ml_tree_add(s->r, leaves, then, "if", ml_pool_format(pool, "%s > 0.5", rests));
    (void)ml_tree_add(s->r, set, then, rests, "0");
    ml_tree_append(leaves, set);
    ml_tree_append(ml_node_find(root, "events"), leaves);
}

static void add_releases(struct resting *each, const struct rest *all, int n,
                         const struct ml_node *events)
{
    for (const struct ml_node *event = n > 0 ? events->first : NULL; event; event = event->next) {
        struct ml_node *set = ml_node_find(event, "set");
        bool is_surface = false;
        for (int i = 0; i < n; i++)
            is_surface |= all[i].event == event;
        for (int i = 0; set && set->kind == ML_NODE_MAP && i < n; i++)
            if (all[i].event != event)
                add_release(&each[i], &all[i], set, is_surface);
    }
}

void ml_lay_out_rests(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *list = ml_node_find_kind(root, "events", ML_NODE_LIST);
    struct rest all[MOST_RESTS];
    struct resting each[MOST_RESTS];
    int n = 0;
    for (const struct ml_node *event = list ? list->first : NULL; event; event = event->next) {
        const struct ml_node *name = ml_node_find_kind(event, "name", ML_NODE_SCALAR);
        if (!name || n == MOST_RESTS || !is_rest(ml_node_find(event, "then")))
            continue;
        all[n] = (struct rest){.event = event, .name = name->text};
        if (begin(&each[n], r, root) && find_surface(&each[n], &all[n])) {
            lay_out_rest(&each[n], &all[n], all, root);
            n++;
        }
    }
    add_releases(each, all, n, list);
}

void ml_read_rest(struct ml_reader *r, const struct ml_node *event, const struct ml_node *then)
{
    struct resting s;
    const struct ml_node *name = ml_node_find_kind(event, "name", ML_NODE_SCALAR);
    struct rest of = {.event = event, .name = name ? name->text : "a"};
    if (!is_rest(then))
        ml_problem(
            &r->problems, then->location, "then must be a map of formulas, or `rest`, not %s",
            then->kind == ML_NODE_SCALAR ? ml_quote(r->pool, then->text) : ml_node_kind_text(then));
    else if (begin(&s, r, r->root) && !find_surface(&s, &of) && s.why)
        ml_problem(&r->problems, then->location, "cannot let the motion rest at the event: %s",
                   s.why);
}
