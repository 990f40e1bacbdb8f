/* Records by formula: those of section `quantities`, by name, and those that an event looks at or
 * keeps, by their text. The study's system becomes a copy that has them behind its own records. */
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "config/sections/sections.h"
#include "expr/derive.h"
#include "expr/text.h"
#include "model/quantities.h"

enum {
    MOST_QUANTITIES = 64,
    MOST_INPUTS = 1024,     /* numbers of records, and of a run, that formulas take */
    MOST_OPERATIONS = 4096, /* of all formulas together */
    DEFINED = -4 /* of number 0 of `define`, whose slot is not known yet, -5 of number 1 */
};

struct ml_quantity_table {
    struct ml_graph graph;
    struct ml_system *system; /* that of the study */
    struct ml_quantities *own;
    struct ml_quantity *records;          /* [MOST_QUANTITIES] behind those of the system */
    struct ml_quantity_formula *formulas; /* [MOST_QUANTITIES] */
    struct ml_quantity_input *inputs;     /* [MOST_INPUTS] */
    int *slots;                           /* [MOST_INPUTS] */
    int roots[MOST_QUANTITIES];           /* nodes of the records */
    const struct ml_slot *numbers;        /* [n_number] of the system, its segments and forces */
    int n_number;
    struct ml_names scope;       /* of the section */
    struct ml_names recorded;    /* above: records and numbers of a run */
    struct ml_formula_reading f; /* for the graph */
};

/* Node of a row of a record of the system, or of the state. */
static int find_row(struct ml_reader *r, struct ml_quantity_input row, struct ml_expr_fault *fault)
{
    struct ml_quantity_table *t = r->quantities;
    struct ml_quantities *own = t->own;
    int i = 0;
    while (i < own->n_input && (t->inputs[i].record != row.record || t->inputs[i].row != row.row))
        i++;
    if (i == MOST_INPUTS)
        return ml_names_refuse(fault, "formulas take more than %d recorded numbers",
                               (int)MOST_INPUTS);
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
    if (rows->record >= system->tables.n_state ||
        !(is_joint || (system->dynamics.is_plain && system->dynamics.is_plain(model))))
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
    return ml_names_refuse(
        fault, "`%s` has several numbers: %s", rows->name,
        ml_record_rows_text(r, &r->quantities->system->tables.records[rows->record]));
}

/* Node of a number of a run: a constant of the system, or copied to the constants. */
static int find_constant(struct ml_reader *r, int slot, struct ml_expr_fault *fault)
{
    struct ml_quantity_table *t = r->quantities;
    struct ml_instance *model = &r->spec->model;
    int i = 0;
    if (slot >= 0 && slot < r->system->tables.n_param && (!t->system->terms.write || model->own))
        return ml_graph_input(&t->graph, ML_OP_PARAM, slot);
    while (i < model->n_quantity_constant && t->slots[i] != slot)
        i++;
    if (i == MOST_INPUTS)
        return ml_names_refuse(fault, "formulas take more than %d numbers", (int)MOST_INPUTS);
    t->slots[i] = slot;
    if (i == model->n_quantity_constant)
        model->n_quantity_constant++;
    return ml_graph_input(&t->graph, ML_OP_PARAM, t->own->first_constant + i);
}

/* Whether a path is below a key. */
static bool is_below(const char *path, const char *key)
{
    return strncmp(path, key, strlen(key)) == 0;
}

/* Slot of a number of the system, its segments or forces, by its path, without `system.` too; -1:
 * no number has that path. */
static int find_slot(const struct ml_reader *r, const char *name)
{
    static const char system[] = "system.";
    const struct ml_quantity_table *t = r->quantities;
    for (int i = 0; i < t->n_number; i++) {
        const char *path = t->numbers[i].path;
        if (!is_below(path, "initial.") &&
            (strcmp(path, name) == 0 ||
             (is_below(path, system) && strcmp(path + strlen(system), name) == 0)))
            return i;
    }
    return -1;
}

/* Node of such a number; ML_NO_NODE without it, or after writing to `fault`. */
static int find_number(struct ml_reader *r, const char *name, struct ml_expr_fault *fault)
{
    const int slot = find_slot(r, name), n_fixed = ml_slot_forces(&r->spec->model);
    const char *component = ml_pool_format(r->pool, "%s.x", name);
    if (slot < 0)
        return ML_NO_NODE;
    const unsigned flags = r->quantities->numbers[slot].param.flags;
    if (flags & ML_VECTOR || (component && find_slot(r, component) >= 0))
        return ml_names_refuse(fault, "`%s` is a vector; write %s.x or %s.y", name, name, name);
    if (slot >= n_fixed && flags & (ML_SIGNAL | ML_OF_SIGNAL) &&
        isnan(r->force_values[slot - n_fixed]))
        return ml_names_refuse(fault, "`%s` is not a number here: the study gives a signal", name);
    return find_constant(r, slot, fault);
}

/* As ml_names.find. */
static int find_recorded(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct ml_reader *r = context;
    struct ml_event_keep rows;
    /* A name of `define` that stands alone is a record of its own, which formulas cannot read. */
    if (!ml_record_path(r, name, &rows) && !ml_record_is_formula(r, rows.record))
        return find_input(r, &rows, fault);
    const int row = ml_find_own_state(r, name);
    if (row >= 0)
        return find_row(r, (struct ml_quantity_input){ML_OF_STATE, row}, fault);
    return find_number(r, name, fault);
}

/* As ml_formula_reading.number: of `define`, or of the system's formulas, which is recorded. */
static int find_listed(void *context, const struct ml_name *name, int k,
                       struct ml_expr_fault *fault)
{
    struct ml_reader *r = context;
    const struct ml_names *define = &r->define->scope;
    const char *path =
        name->given.count > 0 ? ml_pool_format(r->pool, "%s.%d", name->name, k + 1) : name->name;
    if (name < define->names || name >= define->names + define->n)
        return path ? find_recorded(r, path, fault) : ML_NO_NODE;
    return find_constant(r, r->slots ? r->define->out->first + name->first : DEFINED - name->first,
                         fault);
}

void ml_quantities_place(struct ml_reader *r)
{
    for (int i = 0; r->quantities && r->slots && i < r->spec->model.n_quantity_constant; i++) {
        int *slot = &r->quantities->slots[i];
        *slot = *slot <= DEFINED ? r->define->out->first + DEFINED - *slot : *slot;
    }
}

/* As ml_formula_reading.rate: of a coordinate. */
static int find_rate(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct ml_reader *r = context;
    const char *path = ml_pool_format(r->pool, "%.*s_rate", (int)strlen(name) - 1, name);
    const int node = path && r->system->has_formulas ? find_recorded(r, path, fault) : ML_NO_NODE;
    if (node != ML_NO_NODE || fault->what[0])
        return node;
    return ml_names_refuse(fault, "`%s` is no rate here; coordinates of formulas have rates", name);
}

/* As ml_formula_reading.past. */
static int find_past(void *context, int node, int delay, struct ml_expr_fault *fault)
{
    (void)context, (void)node, (void)delay;
    return ml_names_refuse(fault, "formulas of records take values of one instant, none a delay "
                                  "ago; rates and forces take these");
}

/* As ml_names.offer. */
static void offer_recorded(void *context, struct ml_nearest *nearest)
{
    enum { MOST = 4096 };
    static const char system[] = "system.";
    struct ml_reader *r = context;
    const struct ml_quantity_table *t = r->quantities;
    ml_record_path_offer(r, nearest);
    for (const struct ml_names *own = r->states; own; own = own->above)
        for (int i = 0; i < own->n; i++)
            ml_nearest_offer(nearest, own->names[i].name);
    for (int i = 0; i < t->n_number && i < MOST; i++) {
        const char *path = t->numbers[i].path;
        if (!is_below(path, "initial."))
            ml_nearest_offer(nearest, i < r->system->tables.n_param ? path + strlen(system) : path);
    }
}

/* As ml_names.unit. */
static const char *unit_of(void *context, const char *name)
{
    struct ml_event_keep rows;
    return ml_record_path(context, name, &rows) ? NULL : rows.unit;
}

/* Names of the section are known once it is read. */
static void set_scope(struct ml_reader *r, struct ml_quantity_table *t)
{
    t->recorded = (struct ml_names){.above = r->names,
                                    .find = find_recorded,
                                    .unit = unit_of,
                                    .offer = offer_recorded,
                                    .context = r};
    t->scope.above = &t->recorded;
    t->f = (struct ml_formula_reading){.r = r,
                                       .graph = &t->graph,
                                       .scope = &t->scope,
                                       .number = find_listed,
                                       .rate = find_rate,
                                       .past = find_past,
                                       .context = r};
}

/* Copies the study's system, with room for records; NULL without memory. */
static struct ml_quantity_table *make_table(struct ml_reader *r)
{
    struct ml_pool *pool = r->spec->pool;
    struct ml_quantity_table *t = ml_pool_take(r->pool, 1, sizeof *t);
    const struct ml_system *base = r->system, *layer = r->spec->registry->quantities;
    const size_t n = (size_t)base->tables.n_record;
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
    memcpy(all, base->tables.records, n * sizeof *all);
    *own = (struct ml_quantities){.base = base,
                                  .formulas = t->formulas,
                                  .inputs = t->inputs,
                                  .slots = t->slots,
                                  .first_constant = base->dynamics.constant_rows(&r->spec->model)};
    *t->system = *base;
    t->system->tables.records = all;
    t->system->dynamics.rhs_rows = layer->dynamics.rhs_rows;
    t->system->dynamics.record = layer->dynamics.record;
    t->system->dynamics.formula_deriv = layer->dynamics.formula_deriv;
    t->system->dynamics.prepare = layer->dynamics.prepare;
    t->system->parameters.prepare_deriv =
        base->parameters.prepare_deriv ? layer->parameters.prepare_deriv : NULL;
    t->own = own;
    t->numbers = ml_slots_of_system(r, &t->n_number);
    set_scope(r, t);
    r->spec->model.quantities = own;
    r->spec->model.system = r->system = t->system;
    return t;
}

static struct ml_quantity_table *table_of(struct ml_reader *r)
{
    r->quantities = r->quantities ? r->quantities : make_table(r);
    return r->quantities;
}

/* Whether the formulas have room for one more; false after telling. */
static bool check_operations(struct ml_reader *r, const struct ml_node *place, const char *key)
{
    if (r->quantities->graph.n <= MOST_OPERATIONS)
        return true;
    ml_problem(&r->problems, place->location,
               "%s: the formulas of recorded quantities have more than %d operations together", key,
               (int)MOST_OPERATIONS);
    return false;
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
    formula->formula.curves = r->spec->formulas.curves;
    t->records[t->own->n++] = *record;
    return t->system->tables.n_record++;
}

bool ml_derive_formula_record(struct ml_reader *r, int i_record)
{
    struct ml_quantity_table *t = r->quantities;
    const int i = t ? i_record - t->own->base->tables.n_record : -1;
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
    int value = ml_names_read(&t->f, node, key, is_truth);
    const char *text = ml_expr_text(node->text, r->spec->pool);
    if (value == ML_NO_NODE || !text || !check_operations(r, node, key))
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
    return strcmp(path, "t") == 0 || ml_find_own_state(r, path) >= 0 ||
           (table_of(r) && find_slot(r, path) >= 0) || ml_names_know(r->names, path);
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

bool ml_record_is_formula(const struct ml_reader *r, int i_record)
{
    return r->quantities && i_record >= r->quantities->own->base->tables.n_record;
}

/* Whether indicators and pictures look for a record of this name, with rows of their own meaning.
 * The error of a controller is a quantity of equations, one number.
 */
static bool is_looked_for(const struct ml_reader *r, const char *name)
{
    const struct ml_indicator *const *indicators = r->spec->registry->indicators;
    bool is_it = strcmp(name, "end_position") == 0;
    if (r->system->has_formulas && strcmp(name, ML_CONTROL_ERROR) == 0)
        return false;
    for (int i = 0; indicators[i]; i++)
        for (int k = 0; k < ML_MAX_SEES; k++)
            is_it |= indicators[i]->sees[k] && strcmp(indicators[i]->sees[k], name) == 0;
    return is_it;
}

/* Reports a name that cannot be that of a quantity. */
static void check_name(struct ml_reader *r, const struct ml_node *node)
{
    const char *name = node->key;
    const bool is_taken = strcmp(name, "sensitivity") == 0 || strcmp(name, "checksums") == 0 ||
                          strcmp(name, "time") == 0 || ml_record(r->system, name) >= 0 ||
                          find_slot(r, name) >= 0;
    const char *fault =
        is_taken
            ? ml_pool_format(r->pool, "it is a number or record of system `%s`", r->system->name)
        : is_looked_for(r, name) ? "it is the name of a record of chains that indicators look for"
                                 : NULL;
    (void)ml_check_formula_name(r, node, fault);
}

/* The formula of a quantity, with unit and doc if it is a map. */
static void read_named(struct ml_reader *r, const struct ml_node *node,
                       struct ml_named_formula *out, struct ml_name *name)
{
    struct ml_pool *pool = r->spec->pool;
    const struct ml_node *formula =
        node->kind == ML_NODE_MAP ? ml_node_find(node, "formula") : node;
    if (node->kind == ML_NODE_MAP)
        ml_read_scope(r, node, ML_SCOPE_QUANTITY, out);
    else
        out->formula = ml_read_text(r, node, node->key, "a formula, or a map {formula, unit, doc}");
    out->name = ml_pool_text(pool, node->key, strlen(node->key));
    out->formula = out->formula ? ml_expr_text(out->formula, pool) : NULL;
    *name = (struct ml_name){.name = out->name,
                             .place = formula ? formula : node,
                             .unit = out->unit,
                             .is_formula = true};
    check_name(r, node);
}

/* The records of the section, once all names are known. */
static void add_named(struct ml_reader *r, const struct ml_named_formula *named)
{
    struct ml_quantity_table *t = r->quantities;
    for (int i = 0; i < t->scope.n; i++) {
        const struct ml_node *place = t->scope.names[i].place;
        const struct ml_quantity record = {.name = named[i].name,
                                           .unit = named[i].unit ? named[i].unit : "1",
                                           .doc = named[i].doc ? named[i].doc : named[i].formula};
        const int node = ml_names_define(&t->f, &t->scope.names[i]);
        const bool is_right = check_operations(r, place, named[i].name) && node != ML_NO_NODE;
        (void)add_record(r, place, is_right ? node : ml_graph_literal(&t->graph, 0.0), &record);
    }
}

void ml_read_quantities(struct ml_reader *r, const struct ml_node *node)
{
    const int n = node ? node->n_child : 0, before = r->problems.count;
    struct ml_quantity_table *t = n > 0 && r->has_segments ? table_of(r) : NULL;
    if (!t)
        return;
    struct ml_named_formula *named = ml_pool_take(r->spec->pool, (size_t)n, sizeof *named);
    struct ml_name *names = ml_pool_take(r->pool, (size_t)n, sizeof *names);
    if (!named || !names)
        return;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++)
        read_named(r, child, &named[i], &names[i]);
    if (r->problems.count > before)
        return;
    t->scope.names = names;
    t->scope.n = n;
    add_named(r, named);
    r->spec->formulas.quantities = named;
    r->spec->formulas.n_quantity = n;
}
