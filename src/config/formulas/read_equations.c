/* The system that a study gives as formulas: its parameters, state and rates by name. */
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/formulas/motion_formulas.h"
#include "config/formulas/show_equations.h"
#include "config/schema/reader.h"
#include "config/sections/delays.h"
#include "expr/constrain.h"
#include "expr/derive.h"
#include "expr/graph.h"
#include "expr/parse.h"
#include "expr/print.h"
#include "expr/slide.h"
#include "expr/text.h"
#include "model/equations.h"
#include "yaml/number.h"

enum {
    MOST_STATES = 4096,
    MOST_PARAMS = 16384,
    MOST_NAMES = 1024, /* below `define` and `functions` */
    UNREAD = -2,       /* node of a rate that is not read yet */
    FAILED = -3        /* of one that was told to be wrong */
};

struct equations {
    struct ml_reader *r;
    const char *rates;                     /* key of the formulas that change the state */
    const struct ml_formula_names *others; /* NULL: there are no other names */
    struct ml_graph graph;
    struct ml_names *scope;
    struct ml_names seen;        /* of `others`, above */
    struct ml_formula_reading f; /* for the graph */
    struct ml_name
        *symbols; /* [n] of the scope, parameters, then state, then names that are defined,
                     then functions; the state begins with coordinates and their rates */
    int n_param_name, n_coordinate, n_state_name, n, n_function;
    int n_param, n_state;       /* numbers */
    int first_param;            /* number of the first parameter among the inputs of this kind */
    int n_entry;                /* of the arrays of the state; 0: no arrays */
    const struct ml_keys *keys; /* of the system */
    bool has_coordinates, has_mass;
    bool has_momenta; /* in place of rates of the coordinates: there is a Hamiltonian */
    struct ml_motion motion;
    struct ml_delays delays;
    struct ml_latches *latches; /* NULL: conditions stay as they stand */
    struct ml_equations *loop;  /* of a control loop that is cut: late states are its inputs */
};

static const char *name_of(const struct equations *e, int i) { return e->symbols[i].name; }

static int find_symbol(const struct equations *e, const char *name)
{
    for (int i = 0; i < e->n; i++)
        if (strcmp(name_of(e, i), name) == 0)
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

/* As ml_formula_reading.number: of a name of `define` that is no parameter here, none. */
static int find_number(void *context, const struct ml_name *name, int k,
                       struct ml_expr_fault *fault)
{
    (void)context, (void)fault;
    return name->node == ML_NO_NODE ? ML_NO_NODE : name->node + k;
}

/* As ml_formula_reading.rate: of a coordinate or of a name that is defined. */
static int find_rate(void *context, const char *quoted, struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const char *name = ml_pool_text(e->r->pool, quoted, strlen(quoted) - 1);
    const int i = name ? find_symbol(e, name) : -1, at = i - e->n_param_name;
    int rate = ML_NO_NODE;
    if (i >= 0 && e->has_momenta)
        return ml_names_refuse(
            fault, "a formula beside a Hamiltonian has no rates; the momentum of x is `p_x`");
    if (i >= 0 && at >= 0 && at < e->n_coordinate)
        return e->symbols[i + e->n_coordinate].node;
    const int node = at >= e->n_state_name && e->has_coordinates ? ml_names_node(&e->f, name, fault)
                                                                 : ML_NO_NODE;
    if ((node == ML_NO_NODE || depends_on_rates(e, node)) && i >= 0 && !fault->what[0])
        return ml_names_refuse(
            fault,
            "`%s` has no rate here; coordinates have rates, and so have defined names "
            "that depend on no rates",
            name);
    if (node == ML_NO_NODE || depends_on_rates(e, node))
        return ML_NO_NODE;
    (void)ml_motion_rates_of(&e->graph, &e->motion, 1, &node, &rate);
    return rate == ML_NO_NODE ? ml_graph_literal(&e->graph, 0.0) : rate;
}

/* As ml_names.find and offer: names of others. */
static int find_other(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const int other = e->others->find(e->others->context, name, fault);
    return other < 0 ? ML_NO_NODE : ml_graph_input(&e->graph, ML_OP_STATE, e->n_state + other);
}

static void offer_others(void *context, struct ml_nearest *nearest)
{
    const struct equations *e = context;
    e->others->offer(e->others->context, nearest);
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

/* The node of a late state that is an input, behind the state and the input of the cut. */
static int find_late_input(struct equations *e, int late, int number)
{
    struct ml_equations *loop = e->loop;
    const struct ml_late_input own = {late, number};
    int i = 0;
    while (i < loop->n_late_input &&
           (loop->late_inputs[i].late != late || loop->late_inputs[i].value != number))
        i++;
    if (i == loop->n_late_input) {
        struct ml_late_input *all = ml_pool_take(e->r->spec->pool, (size_t)i + 1, sizeof *all);
        if (!all)
            return ML_NO_NODE;
        if (i > 0)
            memcpy(all, loop->late_inputs, (size_t)i * sizeof *all);
        all[i] = own;
        loop->late_inputs = all;
        loop->n_late_input++;
    }
    return ml_graph_input(&e->graph, ML_OP_STATE, e->n_state + 1 + i);
}

/* As ml_formula_reading.past. */
static int find_past(void *context, int node, int delay, struct ml_expr_fault *fault)
{
    struct equations *e = context;
    const struct ml_graph_node *of = &e->graph.nodes[node];
    const int number = of->arg[0];
    if (strcmp(e->rates, "next") == 0)
        return ml_names_refuse(
            fault,
            "a map has no time between iterations; keep a past value in a further name of `state`");
    if (of->op != ML_OP_STATE)
        return ml_names_refuse(fault, "only a state can be delayed; in a definition, write the "
                                      "delay at each state, and give a signal a later `onset`");
    const int late = ml_delays_find(&e->delays, delay, e->f.place->location, fault);
    if (late < 0)
        return ML_NO_NODE;
    if (e->loop)
        return find_late_input(e, late, number);
    return number < e->n_state ? ml_delays_node(&e->delays, late, number, false)
                               : find_late_other(e, number - e->n_state, late, fault);
}

/* The node of a formula; ML_NO_NODE after telling. */
static int read_formula(struct equations *e, const struct ml_node *place)
{
    return ml_names_read(&e->f, place, place->key, false);
}

/* The reason why a name is a key of the system, and so no name in formulas; NULL. Terms are keys
 * beside a mass matrix only. */
static const char *key_reason(const struct equations *e, const char *name)
{
    const bool is_term = ml_is_motion_term(name);
    if (!e->has_coordinates || !ml_keys_find(e->keys, name) || (is_term && !e->has_mass))
        return NULL;
    return is_term ? "it is a term of the equations beside `mass`"
                   : "it is a key of a system with coordinates";
}

static void add_symbols(struct equations *e, const struct ml_node *map, bool is_formula, int most)
{
    if (map && map->n_child > most) {
        ml_problem(&e->r->problems, map->location, "%s has %d names but may have %d at most",
                   map->key, map->n_child, most);
        return;
    }
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next) {
        const int same = find_symbol(e, child->key);
        const struct ml_node *unit = ml_node_find_kind(child, "unit", ML_NODE_SCALAR);
        (void)ml_check_formula_name(e->r, child, key_reason(e, child->key));
        if (same >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` already names %s", child->key,
                       ml_location_text(&e->r->problems, e->symbols[same].place->key_location));
        e->symbols[e->n++] = (struct ml_name){.name = child->key,
                                              .place = child,
                                              .unit = unit ? unit->text : NULL,
                                              .is_formula = is_formula,
                                              .node = ML_NO_NODE};
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
    add_symbols(e, rates, false, ML_FACTOR_MOST);
    return true;
}

/* Reads the numbers of symbols from `first` on, which are inputs of formulas. Returns how many
 * there are. */
static int read_numbers(struct equations *e, int first, enum ml_op op, int most)
{
    const int before = op == ML_OP_PARAM ? e->first_param : 0;
    int n = 0;
    for (int i = first; i < e->n; i++) {
        struct ml_name *symbol = &e->symbols[i];
        if (!e->others) /* of a force they are read with its type */
            ml_read_entries(e->r, symbol->place, &symbol->given);
        symbol->unit = symbol->unit ? symbol->unit : symbol->given.unit;
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
        const struct ml_name *symbol = &e->symbols[i];
        const int n = symbol->given.count;
        if (n > 0 && e->n_entry > 0 && n != e->n_entry)
            ml_problem(&e->r->problems, symbol->place->key_location,
                       "`%s` has %d entries but the array before it has %d: arrays of the state "
                       "have the same `count`",
                       name_of(e, i), n, e->n_entry);
        e->n_entry = n > 0 ? n : e->n_entry;
    }
}

static void read_functions(struct equations *e, const struct ml_node *map)
{
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next) {
        struct ml_name *function = &e->symbols[e->n + e->n_function];
        if (!ml_read_function_head(e->r, child, function))
            continue;
        if (ml_names_find(e->scope, function->name) || ml_find_table(e->r, function->name) >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` is a name already",
                       function->name);
        e->scope->n = e->n + ++e->n_function;
    }
}

/* False after telling of coordinates that are arrays. */
static bool check_coordinates(struct equations *e)
{
    bool is_single = true;
    for (int i = e->n_param_name; i < e->n_param_name + e->n_coordinate; i++) {
        if (e->symbols[i].given.count == 0)
            continue;
        ml_problem(&e->r->problems, e->symbols[i].place->location,
                   "`%s` is an array; a coordinate must be a single number", name_of(e, i));
        is_single = false;
    }
    return is_single;
}

/* Coordinates and their rates for the equations of motion. */
static bool make_motion(struct equations *e)
{
    const int n = e->n_coordinate;
    int *inputs = ml_pool_take(e->r->pool, 2 * (size_t)n + 1, sizeof *inputs);
    for (int i = 0; inputs && i < 2 * n; i++)
        inputs[i] = e->symbols[e->n_param_name + i].node;
    return inputs && ml_motion_make(&e->graph, n, inputs, inputs + n, &e->motion);
}

/* The scope of the names that are there, above it that of others, and `define` of the study. */
static void set_scope(struct equations *e)
{
    const struct ml_names *above = e->r->names;
    e->seen =
        (struct ml_names){.above = above, .find = find_other, .offer = offer_others, .context = e};
    *e->scope =
        (struct ml_names){.above = e->others ? &e->seen : above, .names = e->symbols, .n = e->n};
    e->f = (struct ml_formula_reading){.r = e->r,
                                       .graph = &e->graph,
                                       .scope = e->scope,
                                       .number = find_number,
                                       .rate = find_rate,
                                       .past = find_past,
                                       .context = e};
}

/* Parameters, coordinates, their rates, state, defined names and functions, in this order; false
 * without memory, or after telling of coordinates. */
static bool read_symbols(struct equations *e, const struct ml_node *system,
                         const struct ml_node *params)
{
    const struct ml_node *coordinates = ml_node_find_kind(system, "coordinates", ML_NODE_MAP);
    const struct ml_node *state = ml_node_find_kind(system, "state", ML_NODE_MAP);
    const struct ml_node *define = ml_node_find_kind(system, "define", ML_NODE_MAP);
    const struct ml_node *functions = ml_node_find_kind(system, "functions", ML_NODE_MAP);
    const int n = (params ? params->n_child : 0) + 2 * (coordinates ? coordinates->n_child : 0) +
                  (state ? state->n_child : 0) + (define ? define->n_child : 0) +
                  (functions ? functions->n_child : 0);
    e->symbols = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *e->symbols);
    e->scope = ml_pool_take(e->r->pool, 1, sizeof *e->scope);
    e->has_coordinates = coordinates != NULL;
    e->has_mass = coordinates && ml_node_find(system, "mass");
    e->has_momenta = coordinates && ml_node_find(system, "hamiltonian");
    if (!e->symbols || !e->scope)
        return false;
    add_symbols(e, params, false, MOST_PARAMS);
    e->n_param_name = e->n;
    e->n_param = read_numbers(e, 0, ML_OP_PARAM, MOST_PARAMS);
    add_symbols(e, coordinates, false, ML_FACTOR_MOST);
    e->n_coordinate = e->n - e->n_param_name;
    if (e->n_coordinate > 0 && !add_rates(e, coordinates))
        return false;
    add_symbols(e, state, false, MOST_STATES);
    e->n_state_name = e->n - e->n_param_name;
    e->n_state = read_numbers(e, e->n_param_name, ML_OP_STATE, MOST_STATES);
    if (!check_coordinates(e))
        return false;
    read_size(e);
    add_symbols(e, define, true, MOST_NAMES);
    set_scope(e);
    read_functions(e, functions);
    e->delays = (struct ml_delays){.graph = &e->graph,
                                   .pool = e->r->spec->pool,
                                   .first_row = e->others ? e->first_param + e->n_param + e->n_state
                                                          : e->n_param};
    return make_motion(e);
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
        ml_problem(&e->r->problems, child->key_location, "%s has `%s`, which is not in `state`%s",
                   e->rates, name ? name : "",
                   name && strchr(name, '\'')
                       ? "; rates are of first order: make the rate a state, or give `coordinates` "
                         "with forces or energies"
                       : "");
        return (struct rate){.kind = IS_WRONG};
    }
    const struct ml_name *symbol = &e->symbols[i];
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
            e->f.frame = (struct ml_frame){1, &rate->index, &index};
        *node = is_told ? FAILED : read_formula(e, rate->place);
        e->f.frame = (struct ml_frame){0};
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

static void report_missing(struct equations *e, const struct ml_node *rates, const int *nodes)
{
    for (int i = e->n_param_name; i < e->n_param_name + e->n_state_name; i++) {
        const struct ml_name *symbol = &e->symbols[i];
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
    report_missing(e, map ? map : system, nodes);
    for (int i = e->n_param_name + e->n_state_name; i < e->n; i++)
        ml_names_define(&e->f, &e->symbols[i]);
    return e->r->problems.count == before;
}

/* Whether formulas elsewhere in the study may take a parameter: they are read later. */
static bool is_mentioned(const struct ml_reader *r, const char *name)
{
    static const char *const sections[] = {"quantities", "events", "analyse", "fit"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (ml_node_mentions(ml_node_find(r->root, sections[i]), name))
            return true;
    return false;
}

/* [curves] tables whose samples hold; NULL without memory. */
static const bool *find_stairs(const struct ml_reader *r)
{
    const int n = r->spec->formulas.n_curve;
    bool *out = ml_pool_take(r->pool, (size_t)n + 1, sizeof *out);
    for (int i = 0; out && i < n; i++)
        out[i] = r->spec->formulas.keys[i].has_stairs;
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
    static const char *const smooth[] = {"kinetic", "mass[", "at[", "constraints[",
                                         "stabilisation"};
    static const char *const derived[] = {"potential", "dissipation", "hamiltonian", "lagrangian"};
    struct equations *e = context;
    const bool is_smooth = is_key_of(place->key, sizeof smooth / sizeof *smooth, smooth);
    const bool is_derived = is_key_of(place->key, sizeof derived / sizeof *derived, derived);
    int node = read_formula(e, place);
    if (node != ML_NO_NODE && (is_smooth || is_derived) && ml_delays_are_in(&e->delays, node)) {
        ml_problem(&e->r->problems, place->location, "%s cannot have delays; forces and rates can",
                   place->key);
        return ML_NO_NODE;
    }
    return node == ML_NO_NODE || is_smooth || latch_all(e, is_derived, 1, &node) ? node
                                                                                 : ML_NO_NODE;
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
        const struct ml_name *symbol = &e->symbols[i];
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
    for (const struct ml_name *f = e->symbols + e->n; f < e->symbols + e->n + e->n_function; f++)
        if (!f->is_used && !is_mentioned(e->r, f->name))
            ml_notice(e->r, f->place->key_location, "no formula calls `%s`", f->name);
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
    out->curves = e->r->spec->formulas.curves;
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

/* Makes the formulas' C code, unless compiling that would take too long; false without memory. */
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
    const struct ml_expr_print print = {.graph = &shown->graph,
                                        .states = shown->states,
                                        .params = shown->params,
                                        .curves = shown->curves};
    return ml_expr_print_text(&print, e->r->spec->pool, node);
}

/* The conditions of formulas that change along a run. Beside delays they are computed as written:
 * the past (engine/steps/feedback.h) does not know where rates jump. */
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
    system->switches.conditions = all;
    system->switches.n = e->delays.n > 0 ? 0 : latches->n;
    system->switches.left_jump = latches->n_left > 0 ? condition_text(e, latches->left) : NULL;
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
    system->tables.params = params;
    system->tables.n_param = e->n_param;
    system->tables.records = system->tables.state = records;
    system->tables.n_record = n_record;
    system->tables.n_state = e->n_state_name;
    ml_motion_tables(own, pool, system, params, records);
    if (own->shows_sliding)
        records[system->tables.n_record++] = (struct ml_quantity){
            .name = sliding, .unit = "1", .doc = "on how many conditions the motion slides"};
    return make_switches(e, own, system) && !pool->is_short ? system : NULL;
}

bool ml_read_formula_texts(struct ml_reader *r, const struct ml_node *map, struct ml_formulas *out)
{
    struct ml_pool *pool = r->spec->pool;
    map = map && map->kind == ML_NODE_MAP ? map : NULL;
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
        if (is_of_motion(&e->keys->row[i]) && find_symbol(e, e->keys->row[i].param.name) < 0)
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
    const char **names =
        ml_pool_take(spec->pool, (size_t)spec->formulas.n_curve + 1, sizeof *names);
    for (int i = 0; names && i < spec->formulas.n_curve; i++)
        names[i] = spec->formulas.keys[i].name;
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
static void report_state(const struct equations *e, const struct ml_node *system,
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

/* The name of `define` where the study cuts its control loop; NULL: nowhere, or after telling. */
static const char *find_cut(const struct equations *e)
{
    const struct ml_node *analyse = ml_node_find_kind(e->r->root, "analyse", ML_NODE_MAP);
    const struct ml_node *cut = ml_node_find_kind(analyse, "cut", ML_NODE_SCALAR);
    const int i = cut ? find_symbol(e, cut->text) : -1;
    if (!cut || (i >= e->n_param_name + e->n_state_name && strcmp(e->rates, "rates") == 0))
        return cut ? cut->text : NULL;
    ml_problem(&e->r->problems, cut->location,
               strcmp(e->rates, "rates") == 0
                   ? "cut is %s, and must be a name below `define` of the system, whose formula is "
                     "that of the controller"
                   : "cut is %s, but a map has no control loops in time; leave `cut` out",
               ml_quote(e->r->pool, cut->text));
    return NULL;
}

/* The formulas read again, with the name `cut` an input; NULL after telling. */
static const struct ml_equations *read_loop(const struct equations *of,
                                            const struct ml_node *system, const char *cut)
{
    struct ml_reader *r = of->r;
    struct equations e = {
        .r = r, .rates = of->rates, .graph = {.pool = r->spec->pool}, .keys = of->keys};
    const int n = of->n_state, before = r->problems.count;
    struct ml_equations *loop = e.loop = ml_pool_take(r->spec->pool, 1, sizeof *loop);
    struct ml_define_use *uses = r->define->uses; /* the numbers of the system are read already */
    if (!loop || !read_symbols(&e, system, ml_formula_params(r, system, of->keys)))
        return NULL;
    r->define->uses = uses;
    struct ml_name *name = &e.symbols[find_symbol(&e, cut)];
    const int input = ml_graph_input(&e.graph, ML_OP_STATE, n);
    int *nodes = ml_pool_take(r->pool, (size_t)n + 1 + ML_FACTOR_MOST, sizeof *nodes);
    name->in = &e.graph;
    name->node = input;
    if (!nodes || !read_coordinates(&e, system, nodes) || !read_rates(&e, system, nodes))
        return NULL;
    const bool *is_needed = ml_graph_needed(&e.graph, n, nodes);
    const int formula = read_formula(&e, name->place);
    const int n_late = loop->n_late_input;
    if (is_needed && !is_needed[input] && n_late == 0 && r->problems.count == before)
        ml_problem(
            &r->problems, ml_node_find(ml_node_find(r->root, "analyse"), "cut")->location,
            "cannot cut the loop at `%s`: no rate depends on this name; name the input that the "
            "controller gives to the motion",
            cut);
    int *all = ml_pool_take(r->pool, (size_t)n + 1 + (size_t)n_late, sizeof *all);
    if (!all || r->problems.count > before)
        return NULL;
    memcpy(all, nodes, (size_t)n * sizeof *all);
    all[n] = ml_graph_2(&e.graph, ML_OP_sub, formula, input);
    for (int i = 0; i < n_late; i++)
        all[n + 1 + i] = ml_graph_literal(&e.graph, 0.0);
    e.n_state = n + 1 + n_late;
    return make_programs(&e, e.n_state, all, loop) ? loop : NULL;
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
    if (!is_there || !read_symbols(&e, system, ml_formula_params(r, system, &keys)) ||
        e.n_state == 0) {
        report_state(&e, system, &keys);
        return NULL;
    }
    int *rates = ml_pool_take(r->pool, (size_t)e.n_state + ML_FACTOR_MOST, sizeof *rates);
    bool is_read = rates && read_coordinates(&e, system, rates);
    is_read &= rates && read_rates(&e, system, rates);
    if (!is_read || r->problems.count > before)
        return NULL;
    for (int k = 0; k < e.motion.constraints.n; k++)
        rates[e.n_state + k] = e.motion.constraints.value[k];
    notice_unused(&e, e.n_coordinate > 0 ? "the system" : ml_pool_format(r->pool, "`%s`", e.rates),
                  e.n_state + e.motion.constraints.n, rates);
    if (!keep_shown(&e, rates))
        return NULL;
    const char *cut = find_cut(&e);
    own->loop = cut ? read_loop(&e, system, cut) : NULL;
    if (r->problems.count > before)
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
    r->names = e.scope;
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
    if (!read_symbols(&e, node, of->params))
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
