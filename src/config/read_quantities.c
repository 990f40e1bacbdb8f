/* Records by formula: those of section `quantities`, by name, and those that an event looks at or
 * keeps, by their text. The study's system becomes a copy that has them behind its own records. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/formulas.h"
#include "config/motion_formulas.h"
#include "config/reader.h"
#include "config/sections.h"
#include "expr/derive.h"
#include "expr/parse.h"
#include "expr/text.h"
#include "model/quantities.h"
#include "yaml/nearest.h"

enum {
    MOST_QUANTITIES = 64,
    MOST_INPUTS = 1024,     /* numbers of records, and of a run, that formulas take */
    MOST_OPERATIONS = 4096, /* of all formulas together */
    UNREAD = -2,            /* node of a formula that is not read yet */
    UNDERWAY = -3,          /* of one that is being read */
    SIZE = -2,              /* in place of an index: of a vector, which has other numbers */
    ABSENT = -3             /* of a signal, or of a signal of another type */
};

struct ml_quantity_table {
    struct ml_graph graph;
    struct ml_system *system; /* that of the study */
    struct ml_quantities *own;
    struct ml_quantity *records;          /* [MOST_QUANTITIES] behind those of the system */
    struct ml_quantity_formula *formulas; /* [MOST_QUANTITIES] */
    struct ml_quantity_input *inputs;     /* [MOST_INPUTS] */
    int *slots;                           /* [MOST_INPUTS] */
    struct ml_named_formula *named;       /* [n_named] */
    const struct ml_node **places;        /* [n_named] of the formulas */
    int *nodes;                           /* [n_named] */
    int roots[MOST_QUANTITIES];           /* nodes of the records */
    int n_named;
    const struct ml_node *place; /* of the formula that is being read */
};

/* Copies the study's system, with room for records; NULL without memory. */
static struct ml_quantity_table *make_table(struct ml_reader *r)
{
    struct ml_pool *pool = r->spec->pool;
    struct ml_quantity_table *t = ml_pool_take(r->pool, 1, sizeof *t);
    const struct ml_system *base = r->system, *layer = r->spec->registry->quantities;
    const size_t n = (size_t)base->n_record;
    struct ml_quantity *all = ml_pool_take(pool, n + MOST_QUANTITIES, sizeof *all);
    if (!t || !all)
        return NULL;
    *t = (struct ml_quantity_table){
        .graph = {.pool = pool},
        .system = ml_pool_take(pool, 1, sizeof *t->system),
        .records = all + n,
        .formulas = ml_pool_take(pool, MOST_QUANTITIES, sizeof *t->formulas),
        .inputs = ml_pool_take(pool, MOST_INPUTS, sizeof *t->inputs),
        .slots = ml_pool_take(pool, MOST_INPUTS, sizeof *t->slots),
    };
    struct ml_quantities *own = ml_pool_take(pool, 1, sizeof *own);
    if (!own || pool->is_short)
        return NULL;
    memcpy(all, base->records, n * sizeof *all);
    *own = (struct ml_quantities){.base = base,
                                  .formulas = t->formulas,
                                  .inputs = t->inputs,
                                  .slots = t->slots,
                                  .first_constant = base->constant_rows(&r->spec->model)};
    *t->system = *base;
    t->system->records = all;
    t->system->rhs_rows = layer->rhs_rows;
    t->system->record = layer->record;
    t->system->formula_deriv = layer->formula_deriv;
    t->system->prepare = layer->prepare;
    t->system->prepare_deriv = base->prepare_deriv ? layer->prepare_deriv : NULL;
    t->own = own;
    r->spec->model.quantities = own;
    r->spec->model.system = r->system = t->system;
    return t;
}

static struct ml_quantity_table *table_of(struct ml_reader *r)
{
    r->quantities = r->quantities ? r->quantities : make_table(r);
    return r->quantities;
}

/* Node of a row of a record of the system, or of the state. */
static int find_row(struct ml_reader *r, struct ml_quantity_input row, struct ml_expr_fault *fault)
{
    struct ml_quantity_table *t = r->quantities;
    struct ml_quantities *own = t->own;
    int i = 0;
    while (i < own->n_input && (t->inputs[i].record != row.record || t->inputs[i].row != row.row))
        i++;
    if (i == MOST_INPUTS) {
        (void)snprintf(fault->what, sizeof fault->what,
                       "formulas take more than %d recorded numbers", (int)MOST_INPUTS);
        return ML_NO_NODE;
    }
    t->inputs[i] = row;
    own->n_input = i < own->n_input ? own->n_input : i + 1;
    return ml_graph_input(&t->graph, ML_OP_STATE, i);
}

/* Node of row `first` of a state quantity that is row of the state, or angle or rate of a joint,
 * the difference of two; ML_NO_NODE: it is something else. */
static int find_state(struct ml_reader *r, const struct ml_event_keep *rows,
                      struct ml_expr_fault *fault)
{
    const struct ml_system *system = r->system;
    const struct ml_instance *model = &r->spec->model;
    const bool is_joint = ml_counts_joints(model), is_relative = is_joint && rows->first > 0;
    if (rows->record >= system->n_state ||
        !(is_joint || (system->is_plain && system->is_plain(model))))
        return ML_NO_NODE;
    const int row = ml_state_row(system, model->n, rows);
    const int own = find_row(r, (struct ml_quantity_input){ML_OF_STATE, row}, fault);
    const int base =
        is_relative ? find_row(r, (struct ml_quantity_input){ML_OF_STATE, row - 1}, fault) : own;
    if (own == ML_NO_NODE || base == ML_NO_NODE)
        return ML_NO_NODE;
    return is_relative ? ml_graph_2(&r->quantities->graph, ML_OP_sub, own, base) : own;
}

/* Node of a number of the system's records. */
static int find_input(struct ml_reader *r, const struct ml_event_keep *rows,
                      struct ml_expr_fault *fault)
{
    const int state = rows->n_row == 1 ? find_state(r, rows, fault) : ML_NO_NODE;
    if (state != ML_NO_NODE)
        return state;
    if (rows->n_row == 1)
        return find_row(r, (struct ml_quantity_input){rows->record, rows->first}, fault);
    (void)snprintf(fault->what, sizeof fault->what, "`%s` has several numbers: %s", rows->name,
                   ml_record_rows_text(r, &r->quantities->system->records[rows->record]));
    return ML_NO_NODE;
}

/* Calls for the own states of forces by formula, by the name FORCE.STATE with its row of the state,
 * until a call returns true. */
static bool each_own_state(struct ml_reader *r,
                           bool (*visit)(void *context, const char *name, int row), void *context)
{
    const struct ml_law *law = r->spec->model.laws;
    /* Without laws there is a force of which a problem has been told. */
    for (int f = 0; law && f < r->spec->n_force; f++) {
        const struct ml_force_use *use = &r->spec->forces[f];
        const int n = use->formula ? use->type->n_state : 0;
        const struct ml_param *own = n > 0 ? use->type->params + use->type->n_param - n : NULL;
        for (int k = 0; k < n; k++) {
            const char *name = ml_pool_format(r->pool, "%s.%s", use->name, own[k].name);
            if (name && visit(context, name, law->state + k))
                return true;
        }
        law += ml_force_use_has_law(use);
    }
    return false;
}

/* A name of an own state that is looked for. */
struct own_state {
    const char *name;
    int row;
};

static bool is_own_state(void *context, const char *name, int row)
{
    struct own_state *wanted = context;
    wanted->row = strcmp(name, wanted->name) == 0 ? row : -1;
    return wanted->row >= 0;
}

static bool offer_own_state(void *context, const char *name, int row)
{
    (void)row;
    ml_nearest_offer(context, name);
    return false;
}

/* Node of a number of a run: a constant of the system, or copied to the constants. */
static int find_constant(struct ml_reader *r, int slot, struct ml_expr_fault *fault)
{
    struct ml_quantity_table *t = r->quantities;
    struct ml_instance *model = &r->spec->model;
    int i = 0;
    if (!t->system->terms || model->own)
        return ml_graph_input(&t->graph, ML_OP_PARAM, slot);
    while (i < model->n_quantity_constant && t->slots[i] != slot)
        i++;
    if (i == MOST_INPUTS) {
        (void)snprintf(fault->what, sizeof fault->what, "formulas take more than %d numbers",
                       (int)MOST_INPUTS);
        return ML_NO_NODE;
    }
    t->slots[i] = slot;
    if (i == model->n_quantity_constant)
        model->n_quantity_constant++;
    return ml_graph_input(&t->graph, ML_OP_PARAM, t->own->first_constant + i);
}

/* Whether the size of a vector, which its components NAME.x and NAME.y may stand in for. */
static bool is_size(const struct ml_param *params, int n, int i)
{
    const size_t length = strlen(params[i].name);
    for (int k = 0; k < n; k++)
        if (params[k].name && strncmp(params[k].name, params[i].name, length) == 0 &&
            strcmp(params[k].name + length, ".x") == 0)
            return true;
    return false;
}

/* Index of a param by its name, or its group's and its own; -1: none has it; SIZE: it is the size
 * of a vector. */
static int find_param(const struct ml_param *params, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        const size_t length = params[i].group ? strlen(params[i].group) : 0;
        const char *own = length == 0 ? name : name + length + 1;
        if (!params[i].name ||
            (length > 0 && (strncmp(name, params[i].group, length) != 0 || name[length] != '.')))
            continue;
        if (strcmp(own, params[i].name) == 0)
            return ml_param_is_of_start(&params[i])                       ? -1
                   : params[i].flags & ML_VECTOR || is_size(params, n, i) ? SIZE
                                                                          : i;
    }
    return -1;
}

/* Number of a segment: segments.lower.mass; -1: no segment has it. */
static int find_segment_slot(const struct ml_reader *r, const char *name)
{
    const struct ml_system *system = r->system;
    const size_t length = strcspn(name, ".");
    for (int i = 0; system->segment_params && name[length] && i < r->spec->model.n; i++) {
        const char *own = r->spec->segment_names[i];
        if (strlen(own) != length || strncmp(own, name, length) != 0)
            continue;
        const int p =
            find_param(system->segment_params, system->n_segment_param, name + length + 1);
        return p < 0 ? p : ml_slot_segment(system, i, p);
    }
    return -1;
}

/* Number of a force: forces.spring.stiffness; -1: no force has it. */
static int find_force_slot(const struct ml_reader *r, const char *name)
{
    const size_t length = strcspn(name, ".");
    for (int f = 0; name[length] && f < r->spec->n_force; f++) {
        const struct ml_force_use *use = &r->spec->forces[f];
        if (!use->name || strlen(use->name) != length || strncmp(use->name, name, length) != 0)
            continue;
        const int p = find_param(use->numbers, use->n_number, name + length + 1);
        const int first = ml_slot_forces(&r->spec->model);
        if (p >= 0 && use->numbers[p].flags & (ML_SIGNAL | ML_OF_SIGNAL) &&
            isnan(r->force_values[use->slot - first + p]))
            return ABSENT;
        return p < 0 ? p : use->slot + p;
    }
    return -1;
}

/* The number of a run that a path names, without `system.` too, or that registers take by its name
 * alone; -1: none. */
static int find_slot(const struct ml_reader *r, const char *name)
{
    static const char system[] = "system.", segments[] = "segments.", forces[] = "forces.";
    const char *own =
        name + (strncmp(name, system, sizeof system - 1) == 0 ? sizeof system - 1 : 0);
    if (strncmp(name, forces, sizeof forces - 1) == 0)
        return find_force_slot(r, name + sizeof forces - 1);
    if (strncmp(own, segments, sizeof segments - 1) == 0)
        return find_segment_slot(r, own + sizeof segments - 1);
    const int p = find_param(r->system->params, r->system->n_param, own);
    const char *lent = p == -1 ? ml_pool_format(r->pool, ML_REGISTERS ".%s", name) : NULL;
    return lent ? find_force_slot(r, lent) : p;
}

static int read_node(struct ml_reader *r, const struct ml_node *place, const char *key,
                     const char *text, bool is_truth);

/* Node of a formula of the section. */
static int find_named(struct ml_reader *r, int i, struct ml_expr_fault *fault)
{
    struct ml_quantity_table *t = r->quantities;
    const bool is_underway = t->nodes[i] == UNDERWAY;
    if (t->nodes[i] == UNREAD) {
        t->nodes[i] = UNDERWAY;
        t->nodes[i] = read_node(r, t->places[i], t->named[i].name, t->named[i].formula, false);
    }
    if (t->nodes[i] < 0)
        (void)snprintf(fault->what, sizeof fault->what, "`%s` %s", t->named[i].name,
                       is_underway ? "depends on itself" : "is wrong itself");
    return t->nodes[i] < 0 ? ML_NO_NODE : t->nodes[i];
}

/* As ml_expr_names.find. */
static int find_name(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct ml_reader *r = context;
    struct ml_event_keep rows;
    for (int i = 0; i < r->quantities->n_named; i++)
        if (strcmp(r->quantities->named[i].name, name) == 0)
            return find_named(r, i, fault);
    if (strcmp(name, "t") == 0)
        return ml_graph_input(&r->quantities->graph, ML_OP_TIME, 0);
    if (!ml_record_path(r, name, &rows))
        return find_input(r, &rows, fault);
    struct own_state own = {.name = name};
    if (each_own_state(r, is_own_state, &own))
        return find_row(r, (struct ml_quantity_input){ML_OF_STATE, own.row}, fault);
    const int slot = find_slot(r, name);
    if (slot == SIZE)
        (void)snprintf(fault->what, sizeof fault->what, "`%s` is a vector; write %s.x or %s.y",
                       name, name, name);
    if (slot == ABSENT)
        (void)snprintf(fault->what, sizeof fault->what,
                       "`%s` is not a number here: the study gives a signal", name);
    return slot >= 0 ? find_constant(r, slot, fault) : ML_NO_NODE;
}

/* Offers the paths of params, behind those of their owner. */
static void offer_params(struct ml_reader *r, const char *owner, const struct ml_param *params,
                         int n, struct ml_nearest *nearest)
{
    for (int p = 0; p < n; p++) {
        const char *path = params[p].name && find_param(params, n, params[p].name) >= 0
                               ? ml_pool_format(r->pool, "%s%s", owner, params[p].name)
                               : NULL;
        ml_nearest_offer(nearest, path ? path : "");
    }
}

static void offer_numbers(struct ml_reader *r, struct ml_nearest *nearest)
{
    enum { MOST = 64 };
    const struct ml_study_spec *spec = r->spec;
    const struct ml_system *system = r->system;
    offer_params(r, "", system->params, system->n_param, nearest);
    for (int i = 0; system->segment_params && i < spec->model.n && i < MOST; i++)
        offer_params(r, ml_pool_format(r->pool, "system.segments.%s.", spec->segment_names[i]),
                     system->segment_params, system->n_segment_param, nearest);
    for (int f = 0; f < spec->n_force && f < MOST; f++)
        if (spec->forces[f].name)
            offer_params(r, ml_pool_format(r->pool, "forces.%s.", spec->forces[f].name),
                         spec->forces[f].numbers, spec->forces[f].n_number, nearest);
}

/* As ml_expr_names.arity and call: of tables. */
static int find_arity(void *context, const char *name)
{
    return ml_find_table(context, name) >= 0 ? 1 : -1;
}

static int call_table(void *context, const char *name, const int *args, struct ml_expr_fault *fault)
{
    struct ml_reader *r = context;
    return ml_call_table(r, &r->quantities->graph, name, args[0], fault);
}

/* As ml_expr_names.nearest. */
static const char *find_nearest(void *context, const char *name)
{
    struct ml_reader *r = context;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < r->quantities->n_named; i++)
        ml_nearest_offer(&nearest, r->quantities->named[i].name);
    ml_record_path_offer(r, &nearest);
    (void)each_own_state(r, offer_own_state, &nearest);
    offer_numbers(r, &nearest);
    for (int i = 0; i < r->spec->n_curve; i++)
        ml_nearest_offer(&nearest, r->spec->curve_keys[i].name);
    for (int op = 0; op < ML_N_OP; op++)
        ml_nearest_offer(&nearest, ml_ops[op].word);
    return nearest.best;
}

/* As ml_expr_names.unit: of records, and of time. */
static const char *find_unit(void *context, const char *name)
{
    struct ml_reader *r = context;
    struct ml_event_keep rows;
    for (int i = 0; i < r->quantities->n_named; i++)
        if (strcmp(r->quantities->named[i].name, name) == 0)
            return r->quantities->named[i].unit;
    if (strcmp(name, "t") == 0)
        return r->spec->source.kind == ML_MAP ? NULL : "s";
    return ml_record_path(r, name, &rows) ? NULL : rows.unit;
}

/* As ml_expr_names.doubt. */
static void tell_doubt(void *context, int at, const char *what)
{
    struct ml_reader *r = context;
    ml_notice_formula(r, r->quantities->place, at, what);
}

/* The node of a formula; ML_NO_NODE after telling. */
static int read_node(struct ml_reader *r, const struct ml_node *place, const char *key,
                     const char *text, bool is_truth)
{
    struct ml_graph *graph = &r->quantities->graph;
    const struct ml_expr_names names = {.find = find_name,
                                        .nearest = find_nearest,
                                        .context = r,
                                        .arity = find_arity,
                                        .call = call_table,
                                        .unit = find_unit,
                                        .doubt = tell_doubt};
    const struct ml_node *above = r->quantities->place;
    struct ml_expr_fault fault;
    r->quantities->place = place;
    int node = ml_expr_parse(graph, text, &names, &fault);
    r->quantities->place = above;
    if (node != ML_NO_NODE && ml_op_is_truth(graph->nodes[node].op) != is_truth) {
        fault = (struct ml_expr_fault){.at = 0};
        (void)snprintf(fault.what, sizeof fault.what, "%s",
                       is_truth ? "a condition must be a comparison such as a < b"
                                : "a comparison is not a number; write `where(a < b, 1, 0)`");
        node = ML_NO_NODE;
    }
    if (node != ML_NO_NODE && graph->n > MOST_OPERATIONS) {
        fault = (struct ml_expr_fault){.at = 0};
        (void)snprintf(fault.what, sizeof fault.what,
                       "the formulas of recorded quantities have more than %d operations together",
                       (int)MOST_OPERATIONS);
        node = ML_NO_NODE;
    }
    if (node == ML_NO_NODE)
        ml_tell_formula(r, place, key, &fault);
    return node;
}

/* The inputs that a node depends on; false without memory. */
static bool list_inputs(struct ml_quantity_table *t, int node, struct ml_quantity_formula *out)
{
    const bool *is_needed = ml_graph_needed(&t->graph, 1, &node);
    int *inputs = ml_pool_take(t->graph.pool, (size_t)t->own->n_input + 1, sizeof *inputs);
    for (int i = 0; is_needed && inputs && i < t->graph.n; i++)
        if (is_needed[i] && t->graph.nodes[i].op == ML_OP_STATE)
            inputs[out->n_input++] = t->graph.nodes[i].arg[0];
    out->inputs = inputs;
    return is_needed && inputs;
}

/* Adds the record of a node; its index, or -1 after telling. */
static int add_record(struct ml_reader *r, const struct ml_node *place, int node,
                      const struct ml_quantity *record)
{
    struct ml_quantity_table *t = r->quantities;
    if (t->own->n == MOST_QUANTITIES) {
        ml_problem(&r->problems, place->location,
                   "the study has more than %d quantities by formula", (int)MOST_QUANTITIES);
        return -1;
    }
    struct ml_quantity_formula *formula = &t->formulas[t->own->n];
    const int *const outputs[] = {&node};
    const int n_output[] = {1};
    t->roots[t->own->n] = node;
    if (!list_inputs(t, node, formula) ||
        !ml_program_make(&t->graph, false, 1, n_output, outputs,
                         &formula->formula.programs[ML_EQUATIONS_BARE]))
        return -1;
    formula->formula.n_state = t->own->n_input;
    formula->formula.curves = r->spec->curves;
    t->records[t->own->n++] = *record;
    return t->system->n_record++;
}

bool ml_derive_formula_record(struct ml_reader *r, int i_record)
{
    struct ml_quantity_table *t = r->quantities;
    const int i = t ? i_record - t->own->base->n_record : -1;
    if (i < 0 || t->formulas[i].has_derivs)
        return true;
    struct ml_quantity_formula *formula = &t->formulas[i];
    const int time = ml_graph_input(&t->graph, ML_OP_TIME, 0);
    int derivs[2] = {ML_NO_NODE, ML_NO_NODE}, forcing[2] = {ML_NO_NODE, ML_NO_NODE};
    const int *const outputs[] = {&t->roots[i], derivs, forcing}, n_output[] = {1, 2, 2};
    for (int k = 0; k < formula->n_input; k++)
        if (t->inputs[formula->inputs[k]].record != ML_OF_STATE)
            return true; /* by differences */
    formula->has_derivs = ml_graph_derive(&t->graph, ML_OP_STATE, 1, &t->roots[i], &derivs[0]) &&
                          ml_graph_partial(&t->graph, time, 1, &t->roots[i], &derivs[1]) &&
                          ml_graph_derive(&t->graph, ML_OP_PARAM, 1, &t->roots[i], &forcing[0]) &&
                          ml_program_make(&t->graph, false, 3, n_output, outputs,
                                          &formula->formula.programs[ML_EQUATIONS_BARE]);
    return formula->has_derivs;
}

bool ml_read_formula_record(struct ml_reader *r, const struct ml_node *node, const char *key,
                            bool is_truth, struct ml_event_keep *out)
{
    struct ml_quantity_table *t = table_of(r);
    if (!t)
        return false;
    int value = read_node(r, node, key, node->text, is_truth);
    const char *text = ml_expr_text(node->text, r->spec->pool);
    if (value == ML_NO_NODE || !text)
        return false;
    if (is_truth)
        value = ml_graph_op(&t->graph, ML_OP_where, value, ml_graph_literal(&t->graph, 1.0),
                            ml_graph_literal(&t->graph, -1.0));
    if (is_truth && t->graph.nodes[value].op == ML_OP_LITERAL && t->graph.nodes[value].value < 0.0)
        ml_problem(&r->problems, node->location,
                   "%s is `%s`, which never holds: nothing would count; compare a number that "
                   "changes",
                   key, text);
    const struct ml_quantity record = {.name = text, .unit = "1", .doc = text};
    *out = (struct ml_event_keep){.name = text, .unit = "1", .doc = text, .n_row = 1};
    out->record = add_record(r, node, value, &record);
    return out->record >= 0;
}

/* Whether a path that names no record is a number in formulas: an own state, a parameter, or t. */
static bool is_number(struct ml_reader *r, const char *path)
{
    struct own_state own = {.name = path};
    return strcmp(path, "t") == 0 || each_own_state(r, is_own_state, &own) ||
           find_slot(r, path) >= 0;
}

bool ml_read_chosen(struct ml_reader *r, const struct ml_node *node, const char *key,
                    struct ml_event_keep *out)
{
    const char *text = ml_read_text(r, node, key, "a quantity such as angle.lower");
    const char *why = text ? ml_record_path(r, text, out) : NULL;
    if (text && why && ml_is_record_path(text) && !is_number(r, text))
        ml_problem(&r->problems, node->location, "%s", why);
    else if (text && why)
        return ml_read_formula_record(r, node, key, false, out);
    return text && !why;
}

int ml_find_own_state(struct ml_reader *r, const char *name)
{
    struct own_state own = {.name = name};
    const char *path = ml_pool_format(r->pool, ML_REGISTERS ".%s", name);
    struct own_state of_register = {.name = path ? path : ""};
    return each_own_state(r, is_own_state, &own)           ? own.row
           : each_own_state(r, is_own_state, &of_register) ? of_register.row
                                                           : -1;
}

bool ml_record_is_formula(const struct ml_reader *r, int i_record)
{
    return r->quantities && i_record >= r->quantities->own->base->n_record;
}

/* Whether indicators and pictures look for a record of this name, with rows of their own meaning.
 */
static bool is_looked_for(const struct ml_reader *r, const char *name)
{
    const struct ml_indicator *const *indicators = r->spec->registry->indicators;
    bool is_it = strcmp(name, "end_position") == 0;
    for (int i = 0; indicators[i]; i++)
        for (int k = 0; k < ML_MAX_SEES; k++)
            is_it |= indicators[i]->sees[k] && strcmp(indicators[i]->sees[k], name) == 0;
    return is_it;
}

/* Whether a name can be that of a quantity; reports other names. */
static void check_name(struct ml_reader *r, const struct ml_node *node)
{
    const char *name = node->key;
    bool is_taken = strcmp(name, "sensitivity") == 0 || strcmp(name, "checksums") == 0 ||
                    strcmp(name, "time") == 0 || ml_record(r->system, name) >= 0 ||
                    find_param(r->system->params, r->system->n_param, name) >= 0;
    if (!ml_is_formula_name(name))
        ml_problem(&r->problems, node->key_location, "%s cannot be a name in formulas: %s",
                   ml_quote(r->pool, name), ml_formula_name_fault(name));
    else if (is_taken || ml_find_table(r, name) >= 0)
        ml_problem(&r->problems, node->key_location,
                   "`%s` already names a number or record of system `%s`, or a table; take another "
                   "name",
                   name, r->system->name);
    else if (is_looked_for(r, name))
        ml_problem(&r->problems, node->key_location,
                   "`%s` is the name of a record of chains that indicators look for; take another "
                   "name",
                   name);
}

/* The formula of a quantity, with unit and doc if it is a map. */
static void read_named(struct ml_reader *r, const struct ml_node *node,
                       struct ml_named_formula *out, const struct ml_node **place)
{
    struct ml_pool *pool = r->spec->pool;
    *place = node;
    if (node->kind == ML_NODE_MAP) {
        ml_read_scope(r, node, ML_SCOPE_QUANTITY, out);
        *place = ml_node_find(node, "formula") ? ml_node_find(node, "formula") : node;
    } else {
        out->formula = ml_read_text(r, node, node->key, "a formula, or a map {formula, unit, doc}");
    }
    out->name = ml_pool_text(pool, node->key, strlen(node->key));
    out->formula = out->formula ? ml_expr_text(out->formula, pool) : NULL;
    check_name(r, node);
}

/* The records of the section, once all names are known. */
static void add_named(struct ml_reader *r)
{
    struct ml_quantity_table *t = r->quantities;
    for (int i = 0; i < t->n_named; i++) {
        const struct ml_named_formula *named = &t->named[i];
        struct ml_expr_fault unused = {0};
        const int node = find_named(r, i, &unused);
        const struct ml_quantity record = {.name = named->name,
                                           .unit = named->unit ? named->unit : "1",
                                           .doc = named->doc ? named->doc : named->formula};
        const int known = node >= 0 ? node : ml_graph_literal(&t->graph, 0.0); /* was told */
        (void)add_record(r, t->places[i], known, &record);
    }
}

void ml_read_quantities(struct ml_reader *r, const struct ml_node *node)
{
    const int n = node ? node->n_child : 0, before = r->problems.count;
    struct ml_quantity_table *t = n > 0 && r->has_segments ? table_of(r) : NULL;
    if (!t)
        return;
    struct ml_named_formula *named = ml_pool_take(r->spec->pool, (size_t)n, sizeof *named);
    t->places = ml_pool_take(r->pool, (size_t)n, sizeof *t->places);
    t->nodes = ml_pool_take(r->pool, (size_t)n, sizeof *t->nodes);
    if (!named || !t->places || !t->nodes)
        return;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++) {
        read_named(r, child, &named[i], &t->places[i]);
        t->nodes[i] = UNREAD;
    }
    if (r->problems.count > before)
        return;
    t->named = named;
    t->n_named = n;
    add_named(r);
    r->spec->quantities = named;
    r->spec->n_quantity = n;
}
