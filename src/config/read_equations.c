/* The system that a study gives as formulas: its parameters, state and rates by name. */
#include <stdio.h>
#include <string.h>

#include "config/define.h"
#include "config/formulas.h"
#include "config/motion_formulas.h"
#include "config/notices.h"
#include "expr/derive.h"
#include "expr/parse.h"
#include "expr/text.h"
#include "model/equations.h"
#include "simd/sincos_large.h"
#include "yaml/nearest.h"

enum {
    MOST_STATES = 256,
    MOST_NAMES = 1024, /* parameters; names below `define` */
    UNREAD = -2,       /* node of a name that is not read yet */
    UNDERWAY = -3,     /* of one that is being read */
    FAILED = -4        /* of one that was told to be wrong */
};

/* A name of the formulas. */
struct symbol {
    const struct ml_node *place; /* that gives it its value */
    int node;                    /* in the graph, or one of the above */
};

struct equations {
    struct ml_reader *r;
    const char *rates;                     /* key of the formulas that change the state */
    const struct ml_formula_names *others; /* NULL: there are no other names */
    struct ml_graph graph;
    struct symbol *symbols; /* [n] parameters, then state, then names that are defined; the state
                               begins with coordinates and their rates */
    int n_param, n_coordinate, n_state, n;
    const struct ml_keys *keys; /* of the system */
    bool has_coordinates;
    struct ml_motion motion;
    int first_param; /* number of the first parameter among the inputs of this kind */
    int *underway;   /* [n_underway] names that are being read, each for the one before it */
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

/* "a -> b -> a" of names that depend on each other, of which the first is being read. */
static const char *cycle_text(const struct equations *e, int first)
{
    const char *text = "";
    int at = 0;
    while (e->underway[at] != first)
        at++;
    for (; text && at < e->n_underway; at++)
        text = ml_pool_format(e->r->pool, "%s%s -> ", text, name_of(e, e->underway[at]));
    return text ? text : "";
}

static int fail_symbol(const struct equations *e, int i, struct ml_expr_fault *fault)
{
    if (e->symbols[i].node == UNDERWAY)
        (void)snprintf(fault->what, sizeof fault->what, "the formula depends on itself: %s%s",
                       cycle_text(e, i), name_of(e, i));
    else
        (void)snprintf(fault->what, sizeof fault->what, "`%s` is wrong itself", name_of(e, i));
    return ML_NO_NODE;
}

/* Whether a node depends on what changes by itself: states that are no coordinates. */
static bool depends_on_rates(const struct equations *e, int node)
{
    const bool *is_needed = ml_graph_needed(&e->graph, 1, &node);
    bool depends = !is_needed;
    for (int i = e->n_param + e->n_coordinate; is_needed && i < e->n_param + e->n_state; i++)
        depends |= is_needed[e->symbols[i].node];
    return depends;
}

static int find_name(void *context, const char *name, struct ml_expr_fault *fault);

/* The node of x', of a coordinate or of a name that is defined. */
static int find_rate(struct equations *e, const char *quoted, struct ml_expr_fault *fault)
{
    const char *name = ml_pool_text(e->r->pool, quoted, strlen(quoted) - 1);
    const int i = name ? find_symbol(e, name) : -1, at = i - e->n_param;
    int rate = ML_NO_NODE;
    if (i >= 0 && at >= 0 && at < e->n_coordinate)
        return e->symbols[i + e->n_coordinate].node;
    const int node =
        at >= e->n_state && e->has_coordinates ? find_name(e, name, fault) : ML_NO_NODE;
    if (node == ML_NO_NODE || depends_on_rates(e, node)) {
        if (i >= 0 && fault->what[0] == '\0')
            (void)snprintf(fault->what, sizeof fault->what,
                           "`%s` has no rate here: coordinates have, and defined names that depend "
                           "on no rates",
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
    if (name[strlen(name) - 1] == '\'')
        return find_rate(e, name, fault);
    const int i = find_symbol(e, name);
    if (i < 0 && strcmp(name, "t") == 0)
        return ml_graph_input(&e->graph, ML_OP_TIME, 0);
    if (i < 0) {
        const int other = e->others ? e->others->find(e->others->context, name, fault) : -1;
        return other < 0 ? ML_NO_NODE : ml_graph_input(&e->graph, ML_OP_STATE, e->n_state + other);
    }
    struct symbol *symbol = &e->symbols[i];
    if (symbol->node == UNREAD) {
        symbol->node = UNDERWAY;
        e->underway[e->n_underway++] = i;
        const int node = read_formula(e, symbol->place);
        symbol->node = node == ML_NO_NODE ? FAILED : node;
        e->n_underway--;
    }
    return symbol->node >= 0 ? symbol->node : fail_symbol(e, i, fault);
}

/* As ml_expr_names.nearest. */
static const char *find_nearest(void *context, const char *name)
{
    const struct equations *e = context;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < e->n; i++)
        ml_nearest_offer(&nearest, name_of(e, i));
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

/* The node of a formula; ML_NO_NODE after telling. */
static int read_formula(struct equations *e, const struct ml_node *place)
{
    const struct ml_expr_names names = {find_name, find_nearest, e};
    struct ml_expr_fault fault;
    const char *text = ml_read_text(e->r, place, place->key, "a formula");
    if (!text)
        return ML_NO_NODE;
    int node = ml_expr_parse(&e->graph, text, &names, &fault);
    if (node != ML_NO_NODE && ml_op_is_truth(e->graph.nodes[node].op)) {
        fault =
            (struct ml_expr_fault){.what = "a comparison is no number; `where(a < b, 1, 0)` is"};
        node = ML_NO_NODE;
    }
    if (node == ML_NO_NODE)
        ml_tell_formula(e->r, place, place->key, &fault);
    return node;
}

bool ml_is_formula_name(const char *name)
{
    static const char *const taken[] = {"t",     "type",   "file", "parameters", "state",
                                        "rates", "define", "kind", "next",       "coordinates"};
    bool is_taken = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        is_taken |= strcmp(name, taken[i]) == 0;
    return ml_expr_is_name(name) && !is_taken;
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
        if (!ml_is_formula_name(child->key) || is_key)
            ml_problem(&e->r->problems, child->key_location,
                       "%s cannot be a name in formulas: names are letters, digits and _, begin "
                       "with a letter, and are no functions, keys of a system, t, pi or deg",
                       ml_quote(e->r->pool, child->key));
        if (same >= 0)
            ml_problem(&e->r->problems, child->key_location, "`%s` is a name already, of %s",
                       child->key,
                       ml_location_text(&e->r->problems, e->symbols[same].place->key_location));
        e->symbols[e->n++] = (struct symbol){.place = child, .node = UNREAD};
    }
}

/* The rates of the coordinates, as if the study had named them. */
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
        rate->key = ml_pool_format(e->r->pool, "%s_rate", child->key);
        ml_node_append(rates, rate);
    }
    if (e->r->pool->is_short)
        return false;
    add_symbols(e, rates, ML_FACTOR_MOST);
    return true;
}

/* Nodes of parameters and state. */
static bool make_inputs(struct equations *e)
{
    int *inputs = ml_pool_take(e->r->pool, (size_t)e->n_state + 1, sizeof *inputs);
    for (int i = 0; i < e->n_param; i++)
        e->symbols[i].node = ml_graph_input(&e->graph, ML_OP_PARAM, e->first_param + i);
    for (int i = 0; inputs && i < e->n_state; i++)
        inputs[i] = e->symbols[e->n_param + i].node = ml_graph_input(&e->graph, ML_OP_STATE, i);
    return inputs &&
           ml_motion_make(&e->graph, e->n_coordinate, inputs, inputs + e->n_coordinate, &e->motion);
}

/* Parameters, coordinates, their rates, state and defined names, in this order; false without
 * memory. */
static bool read_symbols(struct equations *e, const struct ml_node *system)
{
    const struct ml_node *params = ml_node_find_kind(system, "parameters", ML_NODE_MAP);
    const struct ml_node *coordinates = ml_node_find_kind(system, "coordinates", ML_NODE_MAP);
    const struct ml_node *state = ml_node_find_kind(system, "state", ML_NODE_MAP);
    const struct ml_node *define = ml_node_find_kind(system, "define", ML_NODE_MAP);
    const int n = (params ? params->n_child : 0) + 2 * (coordinates ? coordinates->n_child : 0) +
                  (state ? state->n_child : 0) + (define ? define->n_child : 0);
    e->symbols = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *e->symbols);
    e->underway = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *e->underway);
    e->has_coordinates = coordinates != NULL;
    if (!e->symbols || !e->underway)
        return false;
    add_symbols(e, params, MOST_NAMES);
    e->n_param = e->n;
    add_symbols(e, coordinates, ML_FACTOR_MOST);
    e->n_coordinate = e->n - e->n_param;
    if (e->n_coordinate > 0 && !add_rates(e, coordinates))
        return false;
    add_symbols(e, state, MOST_STATES);
    e->n_state = e->n - e->n_param;
    add_symbols(e, define, MOST_NAMES);
    return make_inputs(e);
}

void ml_read_given(struct ml_reader *r, const struct ml_node *node, struct ml_param *out)
{
    /* uses of formulas are known by where numbers are read to: never twice to the same place */
    struct ml_given_number *given = ml_pool_take(r->pool, 1, sizeof *given);
    *out = (struct ml_param){.name = ml_pool_text(r->spec->pool, node->key, strlen(node->key)),
                             .unit = "1",
                             .low = -ML_ANGLE_MAX,
                             .high = ML_ANGLE_MAX,
                             .doc = ""};
    if (!given)
        return;
    if (node->kind == ML_NODE_MAP) {
        ml_read_scope(r, node, ML_SCOPE_GIVEN, given);
        ml_define_copy(r->define, &out->default_value, &given->value, 1);
        out->unit = given->unit ? given->unit : "1";
        out->doc = given->doc ? given->doc : "";
    } else {
        (void)ml_read_number(r, node, out, &out->default_value);
    }
}

/* The nodes of the rates of the state behind coordinates and their rates, in its order; false after
 * telling. */
static bool read_rates(struct equations *e, const struct ml_node *system, int *nodes)
{
    const struct ml_node *rates = ml_node_find_kind(system, e->rates, ML_NODE_MAP);
    const int before = e->r->problems.count, first = 2 * e->n_coordinate;
    for (const struct ml_node *child = rates ? rates->first : NULL; child; child = child->next) {
        const int i = find_symbol(e, child->key) - e->n_param;
        if (i < first || i >= e->n_state)
            ml_problem(&e->r->problems, child->key_location, "%s has `%s`, which is not in `state`",
                       e->rates, child->key);
        else
            nodes[i] = read_formula(e, child);
    }
    for (int i = first; i < e->n_state; i++)
        if (!ml_node_find(rates, name_of(e, e->n_param + i)))
            ml_problem(&e->r->problems, rates ? rates->location : system->location,
                       "`%s` is missing in `%s`: each name in `state` has a formula there",
                       name_of(e, e->n_param + i), e->rates);
    for (int i = e->n_param + e->n_state; i < e->n; i++) {
        struct ml_expr_fault unused = {0};
        (void)find_name(e, name_of(e, i), &unused);
    }
    return e->r->problems.count == before;
}

/* Whether some text below a node has the name as a word. */
static bool mentions(const struct ml_node *node, const char *name)
{
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t length = strlen(name);
    const char *at = node && node->kind == ML_NODE_SCALAR ? node->text : NULL;
    for (; at && (at = strstr(at, name)); at += length)
        if ((at == node->text || !strchr(letters, at[-1])) &&
            (!at[length] || !strchr(letters, at[length])))
            return true;
    for (const struct ml_node *child = node ? node->first : NULL; child; child = child->next)
        if (mentions(child, name))
            return true;
    return false;
}

/* Whether formulas elsewhere in the study may take a parameter: they are read later. */
static bool is_mentioned(const struct ml_reader *r, const char *name)
{
    static const char *const sections[] = {"quantities", "events", "analyse"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (mentions(ml_node_find(r->root, sections[i]), name))
            return true;
    return false;
}

/* As ml_formula_reader.read. */
static int read_any(void *context, const struct ml_node *place)
{
    return read_formula(context, place);
}

/* The nodes of the rates of coordinates, and of their rates. */
static bool read_coordinates(struct equations *e, const struct ml_node *system, int *nodes)
{
    const int n = e->n_coordinate;
    const char **names = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *names);
    if (!names)
        return false;
    for (int i = 0; i < n; i++)
        names[i] = name_of(e, e->n_param + i);
    const struct ml_formula_reader f = {e->r, &e->graph, system, read_any, e, names};
    if (n > 0 && !ml_read_motion_equations(&f, &e->motion))
        return false;
    for (int i = 0; i < n; i++) {
        nodes[i] = e->motion.rate[i];
        nodes[n + i] = e->motion.acceleration[i];
    }
    return true;
}

/*   what  of the n formulas */
static void notice_unused(struct equations *e, const char *what, int n, const int *nodes)
{
    const bool *is_needed = ml_graph_needed(&e->graph, n, nodes);
    for (int i = 0; is_needed && i < e->n_param; i++)
        if (!is_needed[e->symbols[i].node] && !is_mentioned(e->r, name_of(e, i)))
            ml_notice(e->r, e->symbols[i].place->key_location, "no formula in %s depends on `%s`",
                      what, name_of(e, i));
}

/* Derivatives of formulas along state or parameters; accelerations have a way of their own.
 *   nodes, derivs  [n] */
static bool derive_formulas(struct equations *e, enum ml_op by, int n, const int *nodes,
                            int *derivs)
{
    const int first = e->n_coordinate, last = 2 * first;
    int *plain = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *plain);
    for (int i = 0; plain && i < n; i++)
        plain[i] = i >= first && i < last ? ML_NO_NODE : nodes[i];
    return plain && ml_graph_derive(&e->graph, by, n, plain, derivs) &&
           (first == 0 || ml_motion_derive(&e->graph, &e->motion, by, derivs + first));
}

/* Formulas, and their derivatives along state and parameters, as programs.
 *   nodes  [n] */
static bool make_programs(struct equations *e, int n, const int *nodes, struct ml_equations *out)
{
    const bool has_pivot = e->n_coordinate > 0;
    int *first = ml_pool_take(e->r->pool, (size_t)n + 1, sizeof *first);
    int *along = ml_pool_take(e->r->pool, (size_t)n, sizeof *along);
    int *forcing = ml_pool_take(e->r->pool, (size_t)n, sizeof *forcing);
    if (!first || !along || !forcing || !derive_formulas(e, ML_OP_STATE, n, nodes, along) ||
        !derive_formulas(e, ML_OP_PARAM, n, nodes, forcing))
        return false;
    memcpy(first, nodes, (size_t)n * sizeof *first);
    first[n] = e->motion.factor.smallest;
    const int *const outputs[] = {first, along, forcing};
    const int n_output[] = {n + has_pivot, n, n};
    for (int p = 0; p < ML_N_EQUATIONS; p++) {
        if (!ml_program_make(&e->graph, p + 1, n_output, outputs, &out->programs[p]))
            return false;
        out->programs[p].has_pivot = has_pivot;
    }
    out->n_state = e->n_state;
    out->n_param = e->n_param;
    return true;
}

/* Row i of the records: a number of the state, with its value at the start.
 *   given  out: kept until the numbers of the study are known */
static void read_state_record(struct equations *e, int i, struct ml_param *given,
                              struct ml_quantity *records)
{
    struct ml_quantity *out = &records[i];
    const struct ml_quantity *of = i < e->n_coordinate ? NULL : &records[i - e->n_coordinate];
    ml_read_given(e->r, e->symbols[e->n_param + i].place, given);
    *out = (struct ml_quantity){.name = given->name, .unit = given->unit, .doc = given->doc};
    ml_define_copy(e->r->define, &out->default_value, &given->default_value, 1);
    if (!of || i >= 2 * e->n_coordinate)
        return;
    out->unit = ml_pool_format(e->r->spec->pool, "%s/s", of->unit);
    out->doc = ml_pool_format(e->r->spec->pool, "rate of %s", of->name);
}

/* The tables of the study's own system. */
static const struct ml_system *make_system(struct equations *e, const struct ml_system *like,
                                           const struct ml_equations *own)
{
    struct ml_pool *pool = e->r->spec->pool;
    const int n_record = e->n_state + ml_motion_records(own);
    struct ml_system *system = ml_pool_take(pool, 1, sizeof *system);
    struct ml_param *params = ml_pool_take(pool, (size_t)e->n_param + 1, sizeof *params);
    struct ml_quantity *records = ml_pool_take(pool, (size_t)n_record, sizeof *records);
    struct ml_param *state = ml_pool_take(e->r->pool, (size_t)e->n_state, sizeof *state);
    if (!system || !params || !records || !state)
        return NULL;
    for (int i = 0; i < e->n_param; i++)
        ml_read_given(e->r, e->symbols[i].place, &params[i]);
    for (int i = 0; i < e->n_state; i++)
        read_state_record(e, i, &state[i], records);
    *system = *like;
    system->params = params;
    system->n_param = e->n_param;
    system->records = system->state = records;
    system->n_record = n_record;
    system->n_state = e->n_state;
    ml_motion_tables(own, pool, system, params, records);
    return pool->is_short ? NULL : system;
}

bool ml_read_formula_texts(struct ml_reader *r, const struct ml_node *map, struct ml_formulas *out)
{
    struct ml_pool *pool = r->spec->pool;
    out->names = ml_pool_take(pool, (size_t)(map ? map->n_child : 0) + 1, sizeof *out->names);
    out->texts = ml_pool_take(pool, (size_t)(map ? map->n_child : 0) + 1, sizeof *out->texts);
    for (const struct ml_node *child = map ? map->first : NULL; child && out->names && out->texts;
         child = child->next) {
        out->names[out->n] = ml_pool_text(pool, child->key, strlen(child->key));
        out->texts[out->n++] = child->text ? ml_expr_text(child->text, pool) : NULL;
    }
    return !pool->is_short;
}

/* Formulas of a system, as the resolved text has them. */
static bool keep_all(const struct equations *e, const struct ml_node *system)
{
    struct ml_system_source *source = &e->r->spec->source;
    bool is_kept = ml_read_formula_texts(e->r, ml_node_find(system, "define"), &source->define) &&
                   ml_read_formula_texts(e->r, ml_node_find(system, e->rates), &source->rates);
    for (int i = 0; e->has_coordinates && i < e->keys->n; i++) {
        const enum ml_key_kind kind = e->keys->row[i].kind;
        const char *key = e->keys->row[i].param.name;
        if (kind == ML_KEY_FORMULA || kind == ML_KEY_FORMULA_LIST || kind == ML_KEY_FORMULA_ROWS ||
            strcmp(key, "forces") == 0 || strcmp(key, "points") == 0)
            is_kept &= ml_keep_formulas(e->r, system, key);
    }
    return is_kept;
}

/* Tells that there is no state, or a key of it that is no map. */
static void tell_state(const struct equations *e, const struct ml_node *system,
                       const struct ml_keys *keys)
{
    for (int i = 0; i < keys->n && !ml_node_find(system, "coordinates"); i++)
        if (strcmp(keys->row[i].param.name, e->rates) == 0 ||
            strcmp(keys->row[i].param.name, "state") == 0)
            keys->row[i].param.flags |= ML_REQUIRED;
    ml_read_map(e->r, system, keys, e->r->spec, NULL);
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
                   is_map ? "%s are of a flow; a map has `next`, what becomes of each name in "
                            "`state` in an iteration"
                          : "%s is of a map; give `kind: map` too",
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
    if (!own || !e.rates)
        return NULL;
    const bool is_there =
        ml_node_find_kind(system, e.rates, ML_NODE_MAP) ||
        (ml_node_find_kind(system, "coordinates", ML_NODE_MAP) && !ml_node_find(system, "state"));
    if (!is_there || !read_symbols(&e, system) || e.n_state == 0) {
        tell_state(&e, system, &keys);
        return NULL;
    }
    int *rates = ml_pool_take(r->pool, (size_t)e.n_state, sizeof *rates);
    bool is_read = rates && read_coordinates(&e, system, rates);
    is_read &= rates && read_rates(&e, system, rates);
    if (!is_read || r->problems.count > before)
        return NULL;
    notice_unused(&e, ml_pool_format(r->pool, "`%s`", e.rates), e.n_state, rates);
    const bool is_made =
        make_programs(&e, e.n_state, rates, own) &&
        (e.n_coordinate == 0 || ml_equations_make_motion(&e.graph, &e.motion, own));
    if (!is_made && e.graph.is_full)
        ml_problem(&r->problems, system->location, "the formulas have more than %d operations",
                   (int)ML_GRAPH_MOST);
    if (!is_made || !(own->code = ml_equations_code(own, spec->pool)) || !keep_all(&e, system))
        return NULL;
    spec->model.own = own;
    spec->source.code = own->code;
    return make_system(&e, like, own);
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
    notice_unused(&e, of->what, of->n + e.n_state, nodes);
    if (make_programs(&e, of->n + e.n_state, nodes, out))
        return true;
    ml_problem(&r->problems, node->location, "the formulas are too long, or there is no memory");
    return false;
}
