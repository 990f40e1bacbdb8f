/* The system that a study gives as formulas: its parameters, state and rates by name. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/define.h"
#include "config/delays.h"
#include "config/formulas.h"
#include "config/motion_formulas.h"
#include "config/reader.h"
#include "config/show_equations.h"
#include "expr/constrain.h"
#include "expr/derive.h"
#include "expr/graph.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "expr/slide.h"
#include "expr/text.h"
#include "model/equations.h"
#include "yaml/nearest.h"
#include "yaml/number.h"

enum {
    MOST_STATES = 4096,
    MOST_PARAMS = 16384,
    MOST_NAMES = 1024,  /* below `define` and `functions` */
    MOST_UNDERWAY = 32, /* names that are read for each other: each takes stack */
    UNREAD = -2,        /* node of a name that is not read yet */
    UNDERWAY = -3,      /* of one that is being read */
    FAILED = -4         /* of one that was told to be wrong */
};

/* A name of the formulas. */
struct symbol {
    const struct ml_node *place; /* that gives it its value */
    int node;                    /* in the graph, of an array that of its first entry; or one of
                                    the above */
    int first;                   /* parameter, or row of the state */
    struct ml_entries given;     /* {0} of names that are defined */
};

/* Names with nodes of their own: arguments of a function, or the index of a rate. */
struct frame {
    int n;
    const char *const *names;
    const int *nodes; /* [n] */
};

struct equations {
    struct ml_reader *r;
    const char *rates;                     /* key of the formulas that change the state */
    const struct ml_formula_names *others; /* NULL: there are no other names */
    struct ml_graph graph;
    struct symbol *symbols; /* [n] parameters, then state, then names that are defined; the state
                               begins with coordinates and their rates */
    int n_param_name, n_coordinate, n_state_name, n;
    int n_param, n_state;       /* numbers */
    int first_param;            /* number of the first parameter among the inputs of this kind */
    int n_entry;                /* of the arrays of the state; 0: no arrays */
    const struct ml_keys *keys; /* of the system */
    bool has_coordinates;
    bool has_momenta; /* in place of rates of the coordinates: there is a Hamiltonian */
    struct ml_motion motion;
    struct ml_delays delays;
    struct ml_latches *latches;        /* NULL: conditions stay as they stand */
    struct ml_own_function *functions; /* [n_function] */
    int n_function;
    struct frame frame;                  /* of the formula that is being read */
    const struct ml_node *place;         /* of the same */
    const char *underway[MOST_UNDERWAY]; /* [n_underway] names and functions that are being read,
                                            each for the one before it */
    int n_underway;
};

static const char *name_of(const struct equations *e, int i) { return e->symbols[i].place->key; }

static int find_symbol(const struct equations *e, const char *name)
{
    for (int i = 0; i < e->n; i++)
        if (strcmp(name_of(e, i), name) == 0)
            return i;
    return -1;
}

static int read_formula(struct equations *e, const struct ml_node *place);

__attribute__((format(printf, 2, 3))) static int refuse(struct ml_expr_fault *fault,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault->what, sizeof fault->what, format, args);
    va_end(args);
    return ML_NO_NODE;
}

/* "a -> b -> a" of names that depend on each other, of which the first is being read. */
static int refuse_cycle(const struct equations *e, const char *first, struct ml_expr_fault *fault)
{
    const char *text = "";
    int at = 0;
    while (strcmp(e->underway[at], first) != 0)
        at++;
    for (; text && at < e->n_underway; at++)
        text = ml_pool_format(e->r->pool, "%s%s -> ", text, e->underway[at]);
    return refuse(fault, "the formula depends on itself: %s%s", text ? text : "", first);
}

/* The node of the formula of a name or function, in which the names of `frame` are known;
 * ML_NO_NODE after telling. */
static int read_below(struct equations *e, const char *name, const struct ml_node *place,
                      struct frame frame)
{
    const struct frame above = e->frame;
    e->frame = frame;
    e->underway[e->n_underway++] = name;
    const int node = read_formula(e, place);
    e->n_underway--;
    e->frame = above;
    return node;
}

/* Index of a name of the frame; -1: the frame has no such name. */
static int find_in_frame(const struct equations *e, const char *name)
{
    for (int i = 0; i < e->frame.n; i++)
        if (strcmp(e->frame.names[i], name) == 0)
            return i;
    return -1;
}

/* Whether a node depends on states that are no coordinates, or late, which change by themselves. */
static bool depends_on_rates(const struct equations *e, int node)
{
    const bool *is_needed = ml_graph_needed(&e->graph, 1, &node);
    bool depends = !is_needed || ml_delays_are_in(&e->delays, node);
    const int last = e->n_param_name + e->n_state_name;
    for (int i = e->n_param_name + e->n_coordinate; is_needed && i < last; i++)
        for (int k = 0; k < ml_entries_size(&e->symbols[i].given); k++)
            depends |= is_needed[e->symbols[i].node + k];
    return depends;
}

static int find_name(void *context, const char *name, struct ml_expr_fault *fault);

/* The node of x', of a coordinate or of a name that is defined. */
static int find_rate(struct equations *e, const char *quoted, struct ml_expr_fault *fault)
{
    const char *name = ml_pool_text(e->r->pool, quoted, strlen(quoted) - 1);
    const int i = name ? find_symbol(e, name) : -1, at = i - e->n_param_name;
    int rate = ML_NO_NODE;
    if (i >= 0 && e->has_momenta) {
        (void)snprintf(fault->what, sizeof fault->what,
                       "a formula beside a Hamiltonian has no rates; the momentum of x is `p_x`");
        return ML_NO_NODE;
    }
    if (i >= 0 && at >= 0 && at < e->n_coordinate)
        return e->symbols[i + e->n_coordinate].node;
    const int node =
        at >= e->n_state_name && e->has_coordinates ? find_name(e, name, fault) : ML_NO_NODE;
    if (node == ML_NO_NODE || depends_on_rates(e, node)) {
        if (i >= 0 && fault->what[0] == '\0')
            (void)snprintf(fault->what, sizeof fault->what,
                           "`%s` has no rate here; coordinates have rates, and so have defined "
                           "names that depend on no rates",
                           name);
        return ML_NO_NODE;
    }
    (void)ml_motion_rates_of(&e->graph, &e->motion, 1, &node, &rate);
    return rate == ML_NO_NODE ? ml_graph_literal(&e->graph, 0.0) : rate;
}

/* As ml_expr_names.find. */
static int find_name(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const size_t length = name ? strlen(name) : 0;
    if (length == 0)
        return ML_NO_NODE;
    if (name[length - 1] == '\'')
        return find_rate(e, name, fault);
    const int local = find_in_frame(e, name), i = find_symbol(e, name);
    if (local >= 0)
        return e->frame.nodes[local];
    if (i < 0 && strcmp(name, "t") == 0)
        return ml_graph_input(&e->graph, ML_OP_TIME, 0);
    if (i < 0) {
        const int other = e->others ? e->others->find(e->others->context, name, fault) : -1;
        return other < 0 ? ML_NO_NODE : ml_graph_input(&e->graph, ML_OP_STATE, e->n_state + other);
    }
    struct symbol *symbol = &e->symbols[i];
    if (symbol->given.count > 0)
        return refuse(fault, "`%s` is an array of %d: %s[i] and %s[1] are entries", name,
                      symbol->given.count, name, name);
    if (symbol->node == UNREAD && e->n_underway == MOST_UNDERWAY)
        return refuse(fault, "definitions are nested more than %d deep", MOST_UNDERWAY);
    if (symbol->node == UNREAD) {
        symbol->node = UNDERWAY;
        const int node = read_below(e, name, symbol->place, (struct frame){0});
        symbol->node = node == ML_NO_NODE ? FAILED : node;
    }
    return symbol->node >= 0 ? symbol->node
           : symbol->node == UNDERWAY
               ? refuse_cycle(e, name_of(e, i), fault)
               : refuse(fault, "the formula of `%s` has a problem of its own", name);
}

/* As ml_expr_names.entry. */
static int find_entry(void *context, const char *name, double index, bool is_computed,
                      struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const int i = find_in_frame(e, name) < 0 ? find_symbol(e, name) : -1;
    const int n = i >= 0 ? e->symbols[i].given.count : 0;
    if (n == 0 && i < 0 && find_in_frame(e, name) < 0)
        return refuse(fault, "this system has no array `%s`", name);
    if (n == 0)
        return refuse(fault, "`%s` is a single number and takes no index", name);
    if (!is_computed && (index < 1.0 || index > n))
        return refuse(
            fault,
            "`%s` has entries 1 to %d, not %.0f; a computed index, as in %s[i + 1], wraps around",
            name, n, index, name);
    const double turns = floor((index - 1.0) / n);
    return e->symbols[i].node + (int)(index - 1.0 - turns * n);
}

static struct ml_own_function *find_function(const struct equations *e, const char *name)
{
    for (int i = 0; i < e->n_function; i++)
        if (strcmp(e->functions[i].name, name) == 0)
            return &e->functions[i];
    return NULL;
}

/* As ml_expr_names.arity. */
static int find_arity(void *context, const char *name)
{
    const struct equations *e = context;
    const struct ml_own_function *function = find_function(e, name);
    return function ? function->n_arg : ml_find_table(e->r, name) >= 0 ? 1 : -1;
}

/* As ml_expr_names.call: the formula is read again for each call. */
static int call_function(void *context, const char *name, const int *args,
                         struct ml_expr_fault *fault)
{
    struct equations *e = context;
    struct ml_own_function *function = find_function(e, name);
    if (!function)
        return ml_call_table(e->r, &e->graph, name, args[0], fault);
    function->is_called = true;
    if (function->is_underway)
        return refuse_cycle(e, function->name, fault);
    if (function->is_wrong)
        return refuse(fault, "the formula of `%s` has a problem of its own", name);
    if (e->n_underway == MOST_UNDERWAY)
        return refuse(fault, "definitions are nested more than %d deep", MOST_UNDERWAY);
    function->is_underway = true;
    const int node = read_below(e, function->name, function->place,
                                (struct frame){function->n_arg, function->args, args});
    function->is_underway = false;
    function->is_wrong = node == ML_NO_NODE;
    return function->is_wrong ? refuse(fault, "the formula of `%s` has a problem of its own", name)
                              : node;
}

/* The node of quantity `number` that others give, as it was. */
static int find_late_other(struct equations *e, int number, int late, struct ml_expr_fault *fault)
{
    struct ml_late_quantity of;
    if (!e->others || !e->others->late(e->others->context, number, &of, fault))
        return ML_NO_NODE;
    const int node = ml_delays_node(&e->delays, late, ML_LATE_ANGLE + of.segment, of.is_rate);
    if (of.base < 0)
        return node;
    return ml_graph_2(&e->graph, ML_OP_sub, node,
                      ml_delays_node(&e->delays, late, ML_LATE_ANGLE + of.base, of.is_rate));
}

/* As ml_expr_names.past. */
static int find_past(void *context, int node, int delay, struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const struct ml_graph_node *of = &e->graph.nodes[node];
    const int number = of->arg[0];
    if (strcmp(e->rates, "next") == 0)
        return refuse(
            fault,
            "a map has no time between iterations; keep a past value in a further name of `state`");
    if (of->op != ML_OP_STATE)
        return refuse(
            fault, "only a state can be delayed; in a definition, write the delay at each state");
    const int late = ml_delays_find(&e->delays, delay, e->place->location, fault);
    if (late < 0)
        return ML_NO_NODE;
    return number < e->n_state ? ml_delays_node(&e->delays, late, number, false)
                               : find_late_other(e, number - e->n_state, late, fault);
}

/* As ml_expr_names.nearest. */
static const char *find_nearest(void *context, const char *name)
{
    const struct equations *e = context;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < e->n; i++)
        ml_nearest_offer(&nearest, name_of(e, i));
    for (int i = 0; i < e->n_function; i++)
        ml_nearest_offer(&nearest, e->functions[i].name);
    for (int i = 0; i < e->r->spec->n_curve; i++)
        ml_nearest_offer(&nearest, e->r->spec->curve_keys[i].name);
    for (int op = 0; op < ML_N_OP; op++)
        ml_nearest_offer(&nearest, ml_ops[op].word);
    if (e->others)
        e->others->offer(e->others->context, &nearest);
    return nearest.best;
}

void ml_tell_formula(struct ml_reader *r, const struct ml_node *place, const char *key,
                     const struct ml_expr_fault *fault)
{
    struct ml_location location = place->location;
    if ((place->is_plain || place->inset) && location.option == 0)
        location.column += place->inset + fault->at;
    ml_problem(&r->problems, location, "%s is %s: %s", key, ml_quote(r->pool, place->text),
               fault->what);
}

/* As ml_expr_names.unit: of names that the study gives one. */
static const char *find_unit(void *context, const char *name)
{
    const struct equations *e = context;
    const bool is_local = find_in_frame(e, name) >= 0;
    const int i = is_local ? -1 : find_symbol(e, name);
    if (i < 0)
        return !is_local && strcmp(name, "t") == 0 && strcmp(e->rates, "next") != 0 ? "s" : NULL;
    const struct ml_node *given = ml_node_find_kind(e->symbols[i].place, "unit", ML_NODE_SCALAR);
    return given ? given->text : e->symbols[i].given.unit; /* of a force it is not read yet */
}

/* As ml_expr_names.doubt. */
static void tell_doubt(void *context, int at, const char *what)
{
    const struct equations *e = context;
    ml_notice_formula(e->r, e->place, at, what);
}

/* The node of a formula; ML_NO_NODE after telling. */
static int read_formula(struct equations *e, const struct ml_node *place)
{
    const struct ml_node *above = e->place;
    const struct ml_expr_names names = {.find = find_name,
                                        .nearest = find_nearest,
                                        .context = e,
                                        .entry = find_entry,
                                        .arity = find_arity,
                                        .call = call_function,
                                        .past = find_past,
                                        .unit = find_unit,
                                        .doubt = tell_doubt};
    struct ml_expr_fault fault;
    const char *text = ml_read_text(e->r, place, place->key, "a formula");
    if (!text)
        return ML_NO_NODE;
    e->graph.cost += (long)strlen(text);
    e->place = place;
    int node = ml_expr_parse(&e->graph, text, &names, &fault);
    e->place = above;
    if (node != ML_NO_NODE && ml_op_is_truth(e->graph.nodes[node].op)) {
        fault = (struct ml_expr_fault){
            .what = "a comparison is not a number; write `where(a < b, 1, 0)`"};
        node = ML_NO_NODE;
    }
    if (node == ML_NO_NODE)
        ml_tell_formula(e->r, place, place->key, &fault);
    return node;
}

bool ml_is_formula_name(const char *name)
{
    static const char *const taken[] = {"t",     "type",        "file",     "parameters",
                                        "state", "rates",       "define",   "kind",
                                        "next",  "coordinates", "functions"};
    bool is_taken = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        is_taken |= strcmp(name, taken[i]) == 0;
    return ml_expr_is_name(name) && !is_taken;
}

const char *ml_formula_name_fault(const char *name)
{
    return ml_expr_is_word(name)       ? "it is a function or a number of formulas"
           : strcmp(name, "t") == 0    ? "it is the time"
           : !ml_expr_is_name(name)    ? "names are letters, digits and _, and begin with a letter"
           : !ml_is_formula_name(name) ? "it is a key of a system"
                                       : NULL;
}

static void add_symbols(struct equations *e, const struct ml_node *map, int most)
{
    if (map && map->n_child > most) {
        ml_problem(&e->r->problems, map->location, "%s has %d names but may have %d at most",
                   map->key, map->n_child, most);
        return;
    }
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next) {
        const int same = find_symbol(e, child->key);
        const bool is_key = e->has_coordinates && ml_keys_find(e->keys, child->key);
        const char *fault =
            is_key ? "it is a key of a system with coordinates" : ml_formula_name_fault(child->key);
        if (fault)
            ml_problem(&e->r->problems, child->key_location, "%s cannot be a name in formulas: %s",
                       ml_quote(e->r->pool, child->key), fault);
        if (ml_find_table(e->r, child->key) >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` is a table already", child->key);
        if (same >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` already names %s", child->key,
                       ml_location_text(&e->r->problems, e->symbols[same].place->key_location));
        e->symbols[e->n++] = (struct symbol){.place = child, .node = UNREAD};
    }
}

/* The rates or momenta of the coordinates, as if the study had named them. */
static bool add_rates(struct equations *e, const struct ml_node *coordinates)
{
    struct ml_node *rates = ml_pool_take(e->r->pool, 1, sizeof *rates);
    if (!rates)
        return false;
    rates->key = "coordinates";
    for (const struct ml_node *child = coordinates->first; child; child = child->next) {
        struct ml_node *rate = ml_pool_take(e->r->pool, 1, sizeof *rate);
        if (!rate)
            return false;
        *rate = *child;
        rate->kind = ML_NODE_SCALAR;
        rate->is_plain = true;
        rate->text = "0";
        rate->key = e->has_momenta ? ml_pool_format(e->r->pool, "p_%s", child->key)
                                   : ml_pool_format(e->r->pool, "%s_rate", child->key);
        ml_node_append(rates, rate);
    }
    if (e->r->pool->is_short)
        return false;
    add_symbols(e, rates, ML_FACTOR_MOST);
    return true;
}

/* Reads the numbers of symbols from `first` on, which are inputs of formulas. Returns how many
 * there are. */
static int read_numbers(struct equations *e, int first, enum ml_op op, int most)
{
    const int before = op == ML_OP_PARAM ? e->first_param : 0;
    int n = 0;
    for (int i = first; i < e->n; i++) {
        struct symbol *symbol = &e->symbols[i];
        if (!e->others) /* of a force they are read with its type */
            ml_read_entries(e->r, symbol->place, &symbol->given);
        symbol->first = n;
        symbol->node = ml_graph_input(&e->graph, op, before + n++);
        for (int k = 1; k < symbol->given.count; k++) /* nodes of an array follow each other */
            (void)ml_graph_input(&e->graph, op, before + n++);
        if (n > most) {
            ml_problem(&e->r->problems, symbol->place->key_location,
                       "the system has more than %d numbers", most);
            return 0;
        }
    }
    return n;
}

/* The arrays of the state have the same size, which the system has but once. */
static void read_size(struct equations *e)
{
    for (int i = e->n_param_name; i < e->n; i++) {
        const struct symbol *symbol = &e->symbols[i];
        const int n = symbol->given.count;
        if (n > 0 && e->n_entry > 0 && n != e->n_entry)
            ml_problem(&e->r->problems, symbol->place->key_location,
                       "`%s` has %d entries but the array before it has %d: arrays of the state "
                       "have the same `count`",
                       name_of(e, i), n, e->n_entry);
        e->n_entry = n > 0 ? n : e->n_entry;
    }
}

static bool read_functions(struct equations *e, const struct ml_node *map)
{
    const int most = map ? map->n_child : 0;
    e->functions = ml_pool_take(e->r->pool, (size_t)most + 1, sizeof *e->functions);
    for (const struct ml_node *child = map ? map->first : NULL; child && e->functions;
         child = child->next) {
        struct ml_own_function function;
        if (!ml_own_function_read(e->r, child, ml_is_formula_name, &function))
            continue;
        if (find_symbol(e, function.name) >= 0 || find_function(e, function.name) ||
            ml_find_table(e->r, function.name) >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` is a name already",
                       function.name);
        e->functions[e->n_function++] = function;
    }
    return e->functions != NULL;
}

/* Coordinates and their rates for the equations of motion. */
static bool make_motion(struct equations *e)
{
    const int n = e->n_coordinate;
    int *inputs = ml_pool_take(e->r->pool, 2 * (size_t)n + 1, sizeof *inputs);
    for (int i = 0; inputs && i < 2 * n; i++)
        inputs[i] = e->symbols[e->n_param_name + i].node;
    for (int i = 0; i < n; i++)
        if (e->symbols[e->n_param_name + i].given.count > 0)
            ml_problem(&e->r->problems, e->symbols[e->n_param_name + i].place->location,
                       "`%s` is an array; a coordinate must be a single number",
                       name_of(e, e->n_param_name + i));
    return inputs && ml_motion_make(&e->graph, n, inputs, inputs + n, &e->motion);
}

/* Parameters, coordinates, their rates, state, defined names and functions, in this order; false
 * without memory. */
static bool read_symbols(struct equations *e, const struct ml_node *system)
{
    const struct ml_node *params = ml_node_find_kind(system, "parameters", ML_NODE_MAP);
    const struct ml_node *coordinates = ml_node_find_kind(system, "coordinates", ML_NODE_MAP);
    const struct ml_node *state = ml_node_find_kind(system, "state", ML_NODE_MAP);
    const struct ml_node *define = ml_node_find_kind(system, "define", ML_NODE_MAP);
    const int n = (params ? params->n_child : 0) + 2 * (coordinates ? coordinates->n_child : 0) +
                  (state ? state->n_child : 0) + (define ? define->n_child : 0);
    e->symbols = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *e->symbols);
    e->has_coordinates = coordinates != NULL;
    e->has_momenta = coordinates && ml_node_find(system, "hamiltonian");
    if (!e->symbols)
        return false;
    add_symbols(e, params, MOST_PARAMS);
    e->n_param_name = e->n;
    e->n_param = read_numbers(e, 0, ML_OP_PARAM, MOST_PARAMS);
    add_symbols(e, coordinates, ML_FACTOR_MOST);
    e->n_coordinate = e->n - e->n_param_name;
    if (e->n_coordinate > 0 && !add_rates(e, coordinates))
        return false;
    add_symbols(e, state, MOST_STATES);
    e->n_state_name = e->n - e->n_param_name;
    e->n_state = read_numbers(e, e->n_param_name, ML_OP_STATE, MOST_STATES);
    read_size(e);
    add_symbols(e, define, MOST_NAMES);
    e->delays = (struct ml_delays){.graph = &e->graph,
                                   .pool = e->r->spec->pool,
                                   .first_row = e->others ? e->first_param + e->n_param + e->n_state
                                                          : e->n_param};
    return make_motion(e) && read_functions(e, ml_node_find_kind(system, "functions", ML_NODE_MAP));
}

/* The rates that a key of `rates` gives: the rates of rows first .. first + n - 1. Keys are read in
 * the order of the kinds: an entry can have a rate of its own. */
struct rate {
    enum { OF_ONE, OF_ALL, IS_WRONG, N_KINDS } kind;
    const struct ml_node *place;
    const char *index; /* OF_ALL: its name */
    int first, n;
};

/* Whether a key NAME[index] is right of an array of n; `index` is NULL without brackets. Fills in
 * the rate. */
static bool read_rate_index(struct equations *e, const char *name, const char *index, int n,
                            struct rate *out)
{
    struct ml_number_fault unused;
    int64_t entry = 0;
    const char *key = out->place->key;
    if (n == 0 || !index) {
        if ((n == 0) == !index)
            return true;
        ml_problem(&e->r->problems, out->place->key_location,
                   n == 0 ? "`%s` is a single number and takes no index"
                          : "`%s` is an array: the formula of its entries is `%s[i]`",
                   name, name);
        return false;
    }
    out->index = index;
    out->kind = ml_is_formula_name(index) && find_symbol(e, index) < 0 ? OF_ALL : OF_ONE;
    if (out->kind == OF_ONE && ml_integer_read(index, &entry, &unused) && entry >= 1 &&
        entry <= n) {
        out->first += (int)entry - 1;
        out->n = 1;
    } else if (out->kind == OF_ONE || key[strlen(key) - 1] != ']') {
        ml_problem(&e->r->problems, out->place->key_location,
                   "`%s` has entries 1 to %d: its key is `%s[i]` with an unused name as index, or "
                   "a single entry such as `%s[1]`",
                   name, n, name, name);
        return false;
    }
    return true;
}

static struct rate read_rate_key(struct equations *e, const struct ml_node *child)
{
    const size_t length = strcspn(child->key, "[");
    const char *bracket = child->key + length, *index = NULL;
    const char *name = ml_pool_text(e->r->pool, child->key, length);
    if (*bracket)
        index = ml_pool_text(e->r->pool, bracket + 1, strcspn(bracket + 1, "]"));
    const int i = name ? find_symbol(e, name) : -1;
    if (i < e->n_param_name || i >= e->n_param_name + e->n_state_name) {
        ml_problem(&e->r->problems, child->key_location, "%s has `%s`, which is not in `state`",
                   e->rates, name ? name : "");
        return (struct rate){.kind = IS_WRONG};
    }
    const struct symbol *symbol = &e->symbols[i];
    struct rate out = {OF_ONE, child, NULL, symbol->first, ml_entries_size(&symbol->given)};
    if (!read_rate_index(e, name, index, symbol->given.count, &out))
        out.kind = IS_WRONG;
    return out;
}

/* Reads rates that have not been given before.
 *   nodes  [n_state]; UNREAD where no rate was given, FAILED after telling */
static void read_rate(struct equations *e, const struct rate *rate, int *nodes)
{
    bool is_told = rate->kind == IS_WRONG, is_of_use = is_told;
    for (int k = 0; k < rate->n; k++) {
        const int index = ml_graph_literal(&e->graph, k + 1);
        int *node = &nodes[rate->first + k];
        if (*node != UNREAD)
            continue;
        if (rate->kind == OF_ALL)
            e->frame = (struct frame){1, &rate->index, &index};
        *node = is_told ? FAILED : read_formula(e, rate->place);
        e->frame = (struct frame){0};
        is_told |= *node == ML_NO_NODE;
        is_of_use = true;
    }
    if (!is_of_use)
        ml_problem(
            &e->r->problems, rate->place->key_location,
            rate->n > 1
                ? "`%s` has no effect: other keys give all entries"
                : "other keys of the system already give the rate of `%s`; leave this key out",
            rate->place->key);
}

static void tell_missing(struct equations *e, const struct ml_node *rates, const int *nodes)
{
    for (int i = e->n_param_name; i < e->n_param_name + e->n_state_name; i++) {
        const struct symbol *symbol = &e->symbols[i];
        int k = 0;
        while (k < ml_entries_size(&symbol->given) && nodes[symbol->first + k] != UNREAD)
            k++;
        if (k == ml_entries_size(&symbol->given))
            continue;
        if (symbol->given.count > 0)
            ml_problem(&e->r->problems, rates->location,
                       "`%s[%d]` is missing in `%s`: each entry of an array has a formula there",
                       name_of(e, i), k + 1, e->rates);
        else
            ml_problem(&e->r->problems, rates->location,
                       "`%s` is missing in `%s`: each name in `state` has a formula there",
                       name_of(e, i), e->rates);
    }
}

/* The nodes of the rates of the state behind coordinates and their rates, in its order; false
 * after telling. Those of single entries
 * come before those of all. */
static bool read_rates(struct equations *e, const struct ml_node *system, int *nodes)
{
    const struct ml_node *map = ml_node_find_kind(system, e->rates, ML_NODE_MAP);
    const int before = e->r->problems.count;
    struct rate *rates =
        ml_pool_take(e->r->pool, (size_t)(map ? map->n_child : 0) + 1, sizeof *rates);
    int n = 0;
    for (int i = 2 * e->n_coordinate; i < e->n_state; i++)
        nodes[i] = UNREAD;
    for (const struct ml_node *child = map ? map->first : NULL; child && rates; child = child->next)
        rates[n++] = read_rate_key(e, child);
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int i = 0; i < n; i++)
            if ((int)rates[i].kind == kind)
                read_rate(e, &rates[i], nodes);
    tell_missing(e, map ? map : system, nodes);
    for (int i = e->n_param_name + e->n_state_name; i < e->n; i++) {
        struct ml_expr_fault unused = {0};
        (void)find_name(e, name_of(e, i), &unused);
    }
    return e->r->problems.count == before;
}

/* Whether formulas elsewhere in the study may take a parameter: they are read later. */
static bool is_mentioned(const struct ml_reader *r, const char *name)
{
    static const char *const sections[] = {"quantities", "events", "analyse"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (ml_node_mentions(ml_node_find(r->root, sections[i]), name))
            return true;
    return false;
}

/* [curves] tables whose samples hold; NULL without memory. */
static const bool *find_stairs(const struct ml_reader *r)
{
    const int n = r->spec->n_curve;
    bool *out = ml_pool_take(r->pool, (size_t)n + 1, sizeof *out);
    for (int i = 0; out && i < n; i++)
        out[i] = r->spec->curve_keys[i].has_stairs;
    return out;
}

/* Latches the conditions of formulas; without latches, and of a map, they stay. */
static bool latch_all(struct equations *e, bool with_kinks, int n, int *nodes)
{
    if (!e->latches || e->r->spec->source.kind == ML_MAP)
        return true;
    int *late = ml_pool_take(e->r->pool, (size_t)e->delays.n_node + 1, sizeof *late);
    for (int i = 0; late && i < e->delays.n_node; i++)
        late[i] = e->delays.nodes[i].node;
    e->latches->has_stairs = find_stairs(e->r);
    e->latches->is_late = late;
    e->latches->n_late = e->delays.n_node;
    return late && e->latches->has_stairs && ml_latch(e->latches, with_kinks, n, nodes);
}

/* Whether the key of a formula is one of [n] keys, or of an entry of theirs. */
static bool is_key_of(const char *key, size_t n, const char *const *keys)
{
    bool is = false;
    for (size_t i = 0; i < n; i++)
        is |= strncmp(key, keys[i], strlen(keys[i])) == 0;
    return is;
}

/* As ml_formula_reader.read. Terms derived from energies and from places of points have no
 * delays. */
static int read_any(void *context, const struct ml_node *place)
{
    static const char *const keys[] = {"kinetic",     "potential",    "dissipation",
                                       "hamiltonian", "lagrangian",   "mass[",
                                       "at[",         "constraints[", "stabilisation"};
    struct equations *e = context;
    const int node = read_formula(e, place);
    for (size_t i = 0; node != ML_NO_NODE && i < sizeof keys / sizeof *keys; i++)
        if (strncmp(place->key, keys[i], strlen(keys[i])) == 0 &&
            ml_delays_are_in(&e->delays, node)) {
            ml_problem(&e->r->problems, place->location,
                       "%s cannot have delays; forces and rates can", place->key);
            return ML_NO_NODE;
        }
    static const char *const smooth[] = {"kinetic", "mass[", "at[", "constraints[",
                                         "stabilisation"};
    static const char *const derived[] = {"potential", "dissipation", "hamiltonian", "lagrangian"};
    int latched = node;
    if (node != ML_NO_NODE && !is_key_of(place->key, sizeof smooth / sizeof *smooth, smooth) &&
        !latch_all(e, is_key_of(place->key, sizeof derived / sizeof *derived, derived), 1,
                   &latched))
        return ML_NO_NODE;
    return latched;
}

/* Whether a key has formulas of coordinates. */
static bool is_of_motion(const struct ml_key *key)
{
    return key->kind == ML_KEY_FORMULA || key->kind == ML_KEY_FORMULA_LIST ||
           key->kind == ML_KEY_FORMULA_ROWS || strcmp(key->param.name, "forces") == 0 ||
           strcmp(key->param.name, "points") == 0;
}

/* Reports such keys of a system without coordinates, where they are no parameters. */
static bool check_no_motion(const struct equations *e, const struct ml_node *system)
{
    bool is_right = true;
    for (int i = 0; i < e->keys->n; i++) {
        const char *key = e->keys->row[i].param.name;
        const struct ml_node *place = ml_node_find(system, key);
        if (!place || !is_of_motion(&e->keys->row[i]) || find_symbol(e, key) >= 0)
            continue;
        ml_problem(&e->r->problems, place->key_location,
                   "%s needs a system with `coordinates`; this system has none", key);
        is_right = false;
    }
    return is_right;
}

/* The nodes of the rates of coordinates, and of their rates or momenta. */
static bool read_coordinates(struct equations *e, const struct ml_node *system, int *nodes)
{
    const int n = e->n_coordinate;
    const char **names = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *names);
    if (!names || (!e->has_coordinates && !check_no_motion(e, system)))
        return false;
    for (int i = 0; i < n; i++)
        names[i] = name_of(e, e->n_param_name + i);
    const struct ml_formula_reader f = {e->r, &e->graph, system, read_any, e, names};
    if (n > 0 && !ml_read_motion_equations(&f, &e->motion))
        return false;
    if (e->has_momenta)
        return ml_motion_of_hamiltonian(&e->graph, &e->motion, nodes);
    for (int i = 0; i < n; i++) {
        nodes[i] = e->motion.rate[i];
        nodes[n + i] = e->motion.acceleration[i];
    }
    return true;
}

/* Notices parameters on which no formula depends, and functions that no formula calls.
 *   called  name of the formulas in notices, such as "rates"
 *   nodes   [n] the formulas */
static void notice_unused(struct equations *e, const char *called, int n, const int *nodes)
{
    const bool *is_needed = ml_graph_needed(&e->graph, n, nodes);
    for (int i = 0; is_needed && i < e->n_param_name; i++) {
        const struct symbol *symbol = &e->symbols[i];
        bool is_used = false;
        for (int k = 0; k < ml_entries_size(&symbol->given); k++)
            is_used |= is_needed[symbol->node + k];
        for (int k = 0; k < e->delays.n; k++) {
            const int param = e->delays.late[k].param - e->first_param - symbol->first;
            is_used |= param >= 0 && param < ml_entries_size(&symbol->given);
        }
        if (!is_used && !is_mentioned(e->r, name_of(e, i)))
            ml_notice(e->r, symbol->place->key_location, "no formula in %s depends on `%s`", called,
                      name_of(e, i));
    }
    for (int i = 0; i < e->n_function; i++)
        if (!e->functions[i].is_called)
            ml_notice(e->r, e->functions[i].place->key_location, "no formula calls `%s`",
                      e->functions[i].name);
}

/* Derivatives of formulas along state or parameters; accelerations have a way of their own.
 *   nodes, derivs  [n] */
static bool derive_formulas(struct equations *e, enum ml_op by, int n, const int *nodes,
                            int *derivs)
{
    const int first = e->has_momenta ? 0 : e->n_coordinate, last = 2 * first;
    int *plain = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *plain);
    for (int i = 0; plain && i < n; i++)
        plain[i] = i >= first && i < last ? ML_NO_NODE : nodes[i];
    return plain && ml_graph_derive(&e->graph, by, n, plain, derivs) &&
           (first == 0 || ml_motion_derive(&e->graph, &e->motion, by, derivs + first));
}

/* Makes the rates of a flow those of motions that may slide on conditions, and the derivatives
 * those of the rates.
 *   nodes           [n]
 *   rates           [n] in and out
 *   along, forcing  [n] in and out */
static bool slide_formulas(struct equations *e, int n, const int *nodes, int *rates, int *along,
                           int *forcing)
{
    if (!e->latches || e->latches->n == 0 || e->delays.n > 0)
        return true;
    return ml_latches_find_timed(e->latches) && ml_slide(e->latches, n, rates) &&
           ml_slide_derive(&e->graph, ML_OP_STATE, n, nodes, along, rates, along) &&
           ml_slide_derive(&e->graph, ML_OP_PARAM, n, nodes, forcing, rates, forcing);
}

/* Formulas, and their derivatives along state and parameters, as programs.
 *   nodes  [n] */
static bool make_programs(struct equations *e, int n, const int *nodes, struct ml_equations *out)
{
    const bool has_pivot = e->n_coordinate > 0 && !e->has_momenta;
    const bool has_stages = !e->others && e->r->spec->source.kind == ML_FLOW;
    int *first = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *first);
    int *along = ml_pool_take(e->r->pool, (size_t)n, sizeof *along);
    int *forcing = ml_pool_take(e->r->pool, (size_t)n, sizeof *forcing);
    if (!first || !along || !forcing || !derive_formulas(e, ML_OP_STATE, n, nodes, along) ||
        !derive_formulas(e, ML_OP_PARAM, n, nodes, forcing))
        return false;
    memcpy(first, nodes, (size_t)n * sizeof *first);
    if (!slide_formulas(e, n, nodes, first, along, forcing))
        return false;
    first[n] = e->motion.factor.smallest;
    int *const outputs[] = {first, along, forcing};
    const int n_output[] = {n + has_pivot, n, n};
    if (!ml_graph_share_sines(&e->graph, 3, n_output, outputs))
        return false;
    for (int p = 0; p < ML_N_EQUATIONS; p++) {
        if (!ml_program_make(&e->graph, has_stages, p + 1, n_output, (const int *const *)outputs,
                             &out->programs[p]))
            return false;
        out->programs[p].has_pivot = has_pivot;
    }
    out->n_state = e->n_state;
    out->n_param = e->n_param;
    out->curves = e->r->spec->curves;
    out->n_row = e->delays.n_row;
    out->late = e->delays.late;
    out->n_late = e->delays.n;
    return true;
}

/* Name of the record on how many conditions a motion slides, where no other name is the same. */
static const char sliding[] = "sliding";

/* The numbers of latched conditions, their derivatives and their shares as a program. */
static bool make_modes(struct equations *e, struct ml_equations *out)
{
    const int n = e->latches->n, n_output[] = {3 * n, n, n};
    const int time = ml_graph_input(&e->graph, ML_OP_TIME, 0);
    int *nodes = ml_pool_take(e->r->pool, 5 * (size_t)n + 1, sizeof *nodes);
    const int *const outputs[] = {nodes, nodes + 3 * (ptrdiff_t)n, nodes + 4 * (ptrdiff_t)n};
    for (int k = 0; nodes && k < n; k++) {
        const struct ml_latch *latch = &e->latches->latch[k];
        nodes[k] = latch->number;
        nodes[2 * n + k] = latch->slides ? latch->share : ML_NO_NODE;
    }
    out->first_mode = e->graph.first_mode;
    out->n_mode = n;
    for (int k = 0; k < n; k++)
        out->shows_sliding |= e->latches->latch[k].slides && find_symbol(e, sliding) < 0;
    return n == 0 || (nodes && ml_graph_partial(&e->graph, time, n, nodes, nodes + n) &&
                      ml_graph_derive(&e->graph, ML_OP_STATE, n, nodes, nodes + 3 * (ptrdiff_t)n) &&
                      ml_graph_derive(&e->graph, ML_OP_PARAM, n, nodes, nodes + 4 * (ptrdiff_t)n) &&
                      ml_program_make(&e->graph, false, 3, n_output, outputs,
                                      &out->seldom[ML_EQUATIONS_MODES]));
}

/* The same as C, unless compiling it would take too long; false without memory. */
static bool make_code(struct ml_equations *own, struct ml_pool *pool)
{
    const bool is_short = ml_equations_are_short(own);
    own->code = is_short ? ml_equations_code(own, pool) : NULL;
    return own->code || !is_short;
}

/* Row i of the records: a quantity of the state, with its value at the start. */
static void fill_record(struct equations *e, int i, struct ml_quantity *records)
{
    struct ml_quantity *out = &records[i];
    const struct ml_quantity *of = i < e->n_coordinate ? NULL : &records[i - e->n_coordinate];
    const struct ml_entries *given = &e->symbols[e->n_param_name + i].given;
    *out = (struct ml_quantity){.name = given->name, .unit = given->unit, .doc = given->doc};
    ml_define_copy(e->r->define, &out->default_value, given->values, 1);
    if (given->count > 0) {
        out->dim[0] = ML_DIM_ENTRY;
        out->defaults = given->values;
    }
    if (!of || i >= 2 * e->n_coordinate)
        return;
    const bool has_unit = strcmp(of->unit, "1") != 0;
    out->unit = !e->has_momenta ? ml_pool_format(e->r->spec->pool, "%s/s", of->unit)
                : has_unit      ? ml_pool_format(e->r->spec->pool, "J s/%s", of->unit)
                                : "1";
    out->doc = ml_pool_format(e->r->spec->pool, "%s of %s", e->has_momenta ? "momentum" : "rate",
                              of->name);
}

/* A condition as a formula; NULL without memory. */
static const char *condition_text(const struct equations *e, int node)
{
    const struct ml_shown_equations *shown = e->r->spec->source.shown;
    const char **names = ml_pool_take(e->r->pool, (size_t)shown->graph.n + 1, sizeof *names);
    char *text = NULL;
    size_t size = 0;
    FILE *to = names ? open_memstream(&text, &size) : NULL;
    const struct ml_expr_print print = {.to = to,
                                        .graph = &shown->graph,
                                        .states = shown->states,
                                        .params = shown->params,
                                        .curves = shown->curves,
                                        .names = names};
    if (!to)
        return NULL;
    ml_expr_print(&print, node);
    const bool is_whole = fclose(to) == 0;
    const char *kept = is_whole ? ml_pool_text(e->r->spec->pool, text, size) : NULL;
    free(text);
    return kept;
}

/* The conditions of formulas that change along a run. Beside delays they are computed as written:
 * the past (engine/feedback.h) does not know where rates jump. */
static bool make_switches(const struct equations *e, const struct ml_equations *own,
                          struct ml_system *system)
{
    const struct ml_latches *latches = e->latches;
    struct ml_switch *all = ml_pool_take(e->r->spec->pool, (size_t)latches->n + 1, sizeof *all);
    for (int k = 0; all && k < latches->n; k++) {
        const struct ml_latch *latch = &latches->latch[k];
        all[k] = (struct ml_switch){
            .text = condition_text(e, latch->condition),
            .constant = own->first_mode + k,
            .is_whole = latch->is_whole,
            .table = latch->curve < 0 ? NULL : own->curves[latch->curve].breakpoints,
            .is_kink = latch->is_kink,
            .is_of_time = latch->is_of_time,
            .is_affine = latch->is_affine,
            .is_linear = latch->is_of_time && latch->is_affine,
            .slides = latch->slides,
        };
    }
    system->switches = all;
    system->n_switch = e->delays.n > 0 ? 0 : latches->n;
    system->left_jump = latches->n_left > 0 ? condition_text(e, latches->left) : NULL;
    return all != NULL;
}

/* The tables of the study's own system. */
static const struct ml_system *make_system(struct equations *e, const struct ml_system *like,
                                           const struct ml_equations *own)
{
    struct ml_pool *pool = e->r->spec->pool;
    const int n_record = e->n_state_name + ml_motion_records(own);
    struct ml_system *system = ml_pool_take(pool, 1, sizeof *system);
    struct ml_param *params =
        ml_pool_take(pool, (size_t)(e->n_param + e->n_coordinate) + 1, sizeof *params);
    struct ml_quantity *records = ml_pool_take(pool, (size_t)n_record + 1, sizeof *records);
    if (!system || !params || !records)
        return NULL;
    for (int i = 0; i < e->n_param_name; i++)
        for (int k = 0; k < ml_entries_size(&e->symbols[i].given); k++)
            ml_entries_row(e->r, &e->symbols[i].given, k, &params[e->symbols[i].first + k]);
    for (int i = 0; i < e->n_state_name; i++)
        fill_record(e, i, records);
    *system = *like;
    system->params = params;
    system->n_param = e->n_param;
    system->records = system->state = records;
    system->n_record = n_record;
    system->n_state = e->n_state_name;
    ml_motion_tables(own, pool, system, params, records);
    if (own->shows_sliding)
        records[system->n_record++] = (struct ml_quantity){
            .name = sliding, .unit = "1", .doc = "on how many conditions the motion slides"};
    return make_switches(e, own, system) && !pool->is_short ? system : NULL;
}

bool ml_read_formula_texts(struct ml_reader *r, const struct ml_node *map, struct ml_formulas *out)
{
    struct ml_pool *pool = r->spec->pool;
    out->names = ml_pool_take(pool, (size_t)(map ? map->n_child : 0) + 1, sizeof *out->names);
    out->texts = ml_pool_take(pool, (size_t)(map ? map->n_child : 0) + 1, sizeof *out->texts);
    for (const struct ml_node *child = map ? map->first : NULL; child && out->names && out->texts;
         child = child->next) {
        out->names[out->n] = ml_expr_text(child->key, pool);
        out->texts[out->n++] = child->text ? ml_expr_text(child->text, pool) : NULL;
    }
    return !pool->is_short;
}

/* Formulas of a system, as the resolved text has them. */
static bool keep_all(const struct equations *e, const struct ml_node *system)
{
    struct ml_system_source *source = &e->r->spec->source;
    bool is_kept =
        ml_read_formula_texts(e->r, ml_node_find(system, "define"), &source->define) &&
        ml_read_formula_texts(e->r, ml_node_find(system, "functions"), &source->functions) &&
        ml_read_formula_texts(e->r, ml_node_find(system, e->rates), &source->rates);
    for (int i = 0; e->has_coordinates && i < e->keys->n; i++) {
        if (is_of_motion(&e->keys->row[i]))
            is_kept &= ml_keep_formulas(e->r, system, e->keys->row[i].param.name);
    }
    return is_kept;
}

/* Names of the numbers of symbols first to last - 1, which follow each other. */
static const char **keep_names(const struct equations *e, int first, int last, int n)
{
    struct ml_pool *pool = e->r->spec->pool;
    const char **names = ml_pool_take(pool, (size_t)n + 1, sizeof *names);
    int at = 0;
    for (int i = first; names && i < last; i++)
        for (int k = 0; k < ml_entries_size(&e->symbols[i].given); k++)
            names[at++] = e->symbols[i].given.count > 0
                              ? ml_pool_format(pool, "%s[%d]", name_of(e, i), k + 1)
                              : ml_pool_format(pool, "%s", name_of(e, i));
    return names;
}

static const char **keep_curves(const struct equations *e)
{
    const struct ml_study_spec *spec = e->r->spec;
    const char **names = ml_pool_take(spec->pool, (size_t)spec->n_curve + 1, sizeof *names);
    for (int i = 0; names && i < spec->n_curve; i++)
        names[i] = spec->curve_keys[i].name;
    return names;
}

/* Formulas that are defined, other than numbers and names. */
static bool keep_defined(const struct equations *e, struct ml_shown_equations *shown)
{
    const int first = e->n_param_name + e->n_state_name;
    const size_t n = (size_t)(e->n - first) + 1;
    const char **names = shown->names = ml_pool_take(e->graph.pool, n, sizeof *names);
    int *nodes = ml_pool_take(e->graph.pool, n, sizeof *nodes);
    shown->nodes = nodes;
    for (int i = first; names && nodes && i < e->n; i++) {
        const int node = e->symbols[i].node;
        if (node < 0 || ml_ops[e->graph.nodes[node].op].n_argument == 0)
            continue;
        nodes[shown->n_named] = node;
        names[shown->n_named++] = ml_pool_format(e->graph.pool, "%s", name_of(e, i));
    }
    return !e->graph.pool->is_short;
}

/* Late states are inputs behind the parameters, in a graph to be printed. */
static bool name_late(const struct equations *e, struct ml_shown_equations *shown)
{
    const struct ml_delays *d = &e->delays;
    struct ml_graph *graph = &shown->graph;
    const size_t n = (size_t)e->n_param + (size_t)d->n_node;
    struct ml_graph_node *nodes = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *nodes);
    const char **params = ml_pool_take(graph->pool, n + 1, sizeof *params);
    char delay[ML_NUMBER_TEXT];
    if (!nodes || !params || !shown->states)
        return false;
    memcpy(nodes, graph->nodes, (size_t)graph->n * sizeof *nodes);
    for (int i = 0; i < e->n_param; i++)
        params[i] = shown->params[i];
    graph->nodes = nodes;
    shown->params = params;
    for (int i = 0; i < d->n_node; i++) {
        const struct ml_late *late = &d->late[d->nodes[i].late];
        nodes[d->nodes[i].node] =
            (struct ml_graph_node){ML_OP_PARAM, {shown->n_param, ML_NO_NODE, ML_NO_NODE}, 0.0};
        params[shown->n_param++] = ml_pool_format(
            graph->pool, "%s" ML_EXPR_LATE "%s)", shown->states[d->nodes[i].value],
            late->param < 0 ? ml_number_text(late->delay, delay) : params[late->param]);
    }
    return !graph->pool->is_short;
}

/* Latched conditions are shown as the study has them. */
static bool show_conditions(struct ml_graph *graph)
{
    struct ml_graph_node *nodes = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *nodes);
    if (!nodes)
        return false;
    for (int i = 0; i < graph->n; i++) {
        const int of = ml_latch_unlatched(graph, i);
        nodes[i] = of == i ? graph->nodes[i] : nodes[of];
    }
    graph->nodes = nodes;
    return true;
}

/* The equations as the graph has them, for ml_show_equations. */
static bool keep_shown(const struct equations *e, const int *rates)
{
    const int n_name = e->n_param_name + e->n_state_name;
    const size_t n = (size_t)e->n_state;
    struct ml_shown_equations *shown = ml_pool_take(e->graph.pool, 1, sizeof *shown);
    int *kept = ml_pool_take(e->graph.pool, n, sizeof *kept);
    if (!shown || !kept)
        return false;
    memcpy(kept, rates, n * sizeof *kept);
    *shown = (struct ml_shown_equations){
        .graph = e->graph,
        .motion = e->motion,
        .has_terms = e->n_coordinate > 0 && !e->has_momenta,
        .key = e->rates,
        .n_state = e->n_state,
        .rates = kept,
        .states = keep_names(e, e->n_param_name, n_name, e->n_state),
        .n_param = e->n_param,
        .curves = keep_curves(e),
        .params = keep_names(e, 0, e->n_param_name, e->n_param),
    };
    shown->first = shown->has_terms ? 2 * e->n_coordinate : 0;
    e->r->spec->source.shown = shown;
    return show_conditions(&shown->graph) && keep_defined(e, shown) &&
           (e->delays.n_node == 0 || name_late(e, shown));
}

/* Reports a missing state, or a key of the state that is not a map. */
static void tell_state(const struct equations *e, const struct ml_node *system,
                       const struct ml_keys *keys)
{
    const int before = e->r->problems.count;
    for (int i = 0; i < keys->n && !ml_node_find(system, "coordinates"); i++)
        if (strcmp(keys->row[i].param.name, e->rates) == 0 ||
            strcmp(keys->row[i].param.name, "state") == 0)
            keys->row[i].param.flags |= ML_REQUIRED;
    ml_read_map(e->r, system, keys, e->r->spec, NULL);
    if (e->n_state == 0 && e->r->problems.count == before && !e->r->pool->is_short)
        ml_problem(&e->r->problems, system->location,
                   "a system has at least one number in `state` or `coordinates`");
}

/* The key of the formulas that change the state, by the kind of system; NULL after telling that the
 * key of the other kind is there. */
static const char *formulas_key(struct ml_reader *r, const struct ml_node *system)
{
    const struct ml_node *kind = ml_node_find_kind(system, "kind", ML_NODE_SCALAR);
    const bool is_map = kind && strcmp(kind->text, "map") == 0;
    const struct ml_node *rates = ml_node_find(system, "rates");
    const struct ml_node *of_flow = rates ? rates : ml_node_find(system, "coordinates");
    const struct ml_node *other = is_map ? of_flow : ml_node_find(system, "next");
    r->spec->source.kind = is_map ? ML_MAP : ML_FLOW;
    if (other)
        ml_problem(&r->problems, other->key_location,
                   is_map ? "%s belong to a flow; a map has `next`, the value of each name in "
                            "`state` after an iteration"
                          : "%s belongs to a map; give `kind: map` too",
                   other->key);
    return other ? NULL : is_map ? "next" : "rates";
}

const struct ml_system *ml_read_equations(struct ml_reader *r, const struct ml_node *system,
                                          const struct ml_system *like)
{
    struct ml_study_spec *spec = r->spec;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SYSTEM, like, NULL);
    struct equations e = {
        .r = r, .rates = formulas_key(r, system), .graph = {.pool = spec->pool}, .keys = &keys};
    const int before = r->problems.count;
    struct ml_equations *own = ml_pool_take(spec->pool, 1, sizeof *own);
    e.latches = ml_pool_take(spec->pool, 1, sizeof *e.latches);
    if (!own || !e.latches || !e.rates)
        return NULL;
    e.latches->graph = &e.graph;
    const bool is_there =
        ml_node_find_kind(system, e.rates, ML_NODE_MAP) ||
        (ml_node_find_kind(system, "coordinates", ML_NODE_MAP) && !ml_node_find(system, "state"));
    if (!is_there || !read_symbols(&e, system) || e.n_state == 0) {
        tell_state(&e, system, &keys);
        return NULL;
    }
    int *rates = ml_pool_take(r->pool, (size_t)e.n_state + ML_FACTOR_MOST, sizeof *rates);
    bool is_read = rates && read_coordinates(&e, system, rates);
    is_read &= rates && read_rates(&e, system, rates);
    if (!is_read || r->problems.count > before)
        return NULL;
    for (int k = 0; k < e.motion.constraints.n; k++)
        rates[e.n_state + k] = e.motion.constraints.value[k];
    notice_unused(&e, ml_pool_format(r->pool, "`%s`", e.rates), e.n_state + e.motion.constraints.n,
                  rates);
    if (!keep_shown(&e, rates))
        return NULL;
    const int first = 2 * e.n_coordinate;
    const bool is_latched = latch_all(&e, false, e.n_state - first, rates + first);
    e.graph.first_mode = e.n_param + e.delays.n_row + (e.has_momenta ? 0 : e.n_coordinate);
    const bool is_made =
        is_latched && make_programs(&e, e.n_state, rates, own) && make_modes(&e, own) &&
        (e.n_coordinate == 0 ||
         (e.has_momenta ? ml_equations_make_hamiltonian(&e.graph, &e.motion, rates, own)
                        : ml_equations_make_motion(&e.graph, &e.motion, own)));
    if (!is_made && e.graph.is_full)
        ml_problem(&r->problems, system->location, "the formulas have more than %d operations",
                   (int)ML_GRAPH_MOST);
    if (!is_made || !make_code(own, spec->pool) || !keep_all(&e, system))
        return NULL;
    spec->model.n = e.n_entry;
    spec->model.own = own;
    spec->source.code = own->code;
    return make_system(&e, like, own);
}

/* Whether formulas jump along a motion. */
static bool find_jumps(struct equations *e, int n, const int *nodes)
{
    struct ml_latches *latches = ml_pool_take(e->r->pool, 1, sizeof *latches);
    int *unused = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *unused);
    if (!latches || !unused)
        return false;
    latches->graph = &e->graph;
    latches->has_stairs = find_stairs(e->r);
    memcpy(unused, nodes, (size_t)n * sizeof *unused);
    bool jumps = !ml_latch(latches, false, n, unused) || latches->n_left > 0;
    for (int k = 0; k < latches->n; k++)
        jumps |= !latches->latch[k].is_kink;
    return jumps;
}

bool ml_read_formulas(struct ml_reader *r, const struct ml_node *node,
                      const struct ml_formula_names *others, const struct ml_formula_outputs *of,
                      struct ml_equations *out)
{
    struct equations e = {
        .r = r, .rates = "rates", .others = others, .graph = {.pool = r->spec->pool}};
    const int before = r->problems.count;
    e.first_param = of->first_param;
    if (!read_symbols(&e, node))
        return false;
    int *nodes = ml_pool_take(r->pool, (size_t)(of->n + e.n_state) + 1, sizeof *nodes);
    if (!nodes || r->problems.count > before)
        return false;
    for (int o = 0; o < of->n; o++)
        nodes[o] = read_formula(&e, of->nodes[o]);
    if (!read_rates(&e, node, nodes + of->n) || r->problems.count > before)
        return false;
    out->jumps = find_jumps(&e, of->n + e.n_state, nodes);
    notice_unused(&e, of->what, of->n + e.n_state, nodes);
    if (make_programs(&e, of->n + e.n_state, nodes, out))
        return true;
    ml_problem(&r->problems, node->location, "out of memory, or the formulas are too long");
    return false;
}
