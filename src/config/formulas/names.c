/* Finds names of formulas in scopes, and reads their formulas where they are named. */
#include "config/formulas/names.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/formulas/motion_formulas.h"

int ml_names_refuse(struct ml_expr_fault *fault, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault->what, sizeof fault->what, format, args);
    va_end(args);
    return ML_NO_NODE;
}

/* Whether a name is a key of systems, which formulas do not take either. */
static bool is_system_key(const char *name)
{
    static const char *const keys[] = {"type", "file", "parameters", "state",       "rates",
                                       "kind", "next", "define",     "coordinates", "functions"};
    bool is = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        is |= strcmp(name, keys[i]) == 0;
    return is;
}

bool ml_is_formula_name(const char *name)
{
    return ml_expr_is_name(name) && strcmp(name, "t") != 0 && !is_system_key(name);
}

bool ml_check_formula_name(struct ml_reader *r, const struct ml_node *named, const char *fault)
{
    const char *name = named->key;
    fault = *name == '\0' ? "it is empty"
            : isdigit((unsigned char)*name)
                ? "names begin with a letter; a decimal number has a point, as 0.5"
            : ml_expr_is_word(name)  ? "it is a function or a number of formulas"
            : strcmp(name, "t") == 0 ? "it is the time"
            : name[strcspn(name, "[")]
                ? "`define` has no arrays; a formula of an index is one of `functions`, as lap(i)"
            : !ml_expr_is_name(name) ? "names are letters, digits and _, and begin with a letter"
            : fault                  ? fault
            : is_system_key(name)    ? "it is a key of a system"
            : ml_find_table(r, name) >= 0 ? "it is a table"
                                          : NULL;
    if (fault)
        ml_problem(&r->problems, named->key_location, "%s cannot be a name in formulas: %s",
                   ml_quote(r->pool, name), fault);
    return !fault;
}

struct ml_name *ml_names_find(const struct ml_names *scope, const char *name)
{
    for (int i = 0; i < scope->n; i++)
        if (scope->names[i].name && strcmp(scope->names[i].name, name) == 0)
            return &scope->names[i];
    return NULL;
}

/* The name that is listed by a scope, or by one above it, and the scope that lists it. */
static struct ml_name *find_listed(const struct ml_names **scope, const char *name)
{
    struct ml_name *found = NULL;
    for (; *scope; *scope = (*scope)->above)
        if ((found = ml_names_find(*scope, name)))
            break;
    return found;
}

const struct ml_name *ml_names_know(const struct ml_names *scope, const char *name)
{
    return find_listed(&scope, name);
}

/* Index of a name of the frame; -1: the frame has no such name. */
static int find_in_frame(const struct ml_formula_reading *f, const char *name)
{
    for (int i = 0; i < f->frame.n; i++)
        if (strcmp(f->frame.names[i], name) == 0)
            return i;
    return -1;
}

/* "a -> b -> a" of names that depend on each other, of which the first is being read. */
static int refuse_cycle(const struct ml_formula_reading *f, const char *first,
                        struct ml_expr_fault *fault)
{
    const char *text = "";
    int at = 0;
    while (strcmp(f->underway[at], first) != 0)
        at++;
    for (; text && at < f->n_underway; at++)
        text = ml_pool_format(f->r->pool, "%s%s -> ", text, f->underway[at]);
    return ml_names_refuse(fault, "the formula depends on itself: %s%s", text ? text : "", first);
}

static int parse_place(struct ml_formula_reading *f, const struct ml_node *place, const char *text,
                       bool is_truth, struct ml_expr_fault *fault)
{
    const struct ml_node *above = f->place;
    f->graph->cost += (long)strlen(text);
    f->place = place;
    const int node = ml_names_parse(f, text, is_truth, fault);
    f->place = above;
    return node;
}

/* A formula that is right where its name is known may take something that this graph has not. */
static int refuse_name(struct ml_formula_reading *f, struct ml_name *name,
                       const struct ml_expr_fault *why, struct ml_expr_fault *fault)
{
    if (name->is_right)
        return ml_names_refuse(fault, "`%s` cannot stand here: %.180s", name->name, why->what);
    name->is_wrong = true;
    ml_report_text(f->r, name->place, name->n_arg > 0 ? name->place->key : name->name, why->at,
                   why->what);
    return ml_names_refuse(fault, "the formula of `%s` has a problem of its own", name->name);
}

/* The text of a name's formula; NULL after writing to `fault`. */
static const char *text_below(struct ml_formula_reading *f, struct ml_name *name,
                              struct ml_expr_fault *fault)
{
    if (name->is_underway)
        (void)refuse_cycle(f, name->name, fault);
    else if (!name->is_wrong && f->n_underway == ML_NAMES_DEEPEST)
        (void)ml_names_refuse(fault, "definitions are nested more than %d deep",
                              (int)ML_NAMES_DEEPEST);
    if (fault->what[0])
        return NULL;
    const char *text =
        name->is_wrong ? NULL : ml_read_text(f->r, name->place, name->place->key, "a formula");
    name->is_wrong = !text;
    if (!text)
        (void)ml_names_refuse(fault, "the formula of `%s` has a problem of its own", name->name);
    return text;
}

/* The node of the formula of a name in a scope. */
static int read_below(struct ml_formula_reading *f, const struct ml_names *scope,
                      struct ml_name *name, struct ml_frame frame, struct ml_expr_fault *fault)
{
    const struct ml_names *above = f->scope;
    const struct ml_frame outer = f->frame;
    const bool is_unfused = f->graph->is_unfused;
    const char *text = text_below(f, name, fault);
    struct ml_expr_fault why = {0};
    if (!text)
        return ML_NO_NODE;
    f->scope = scope;
    f->frame = frame;
    f->graph->is_unfused |= scope->is_unfused;
    f->underway[f->n_underway++] = name->name;
    name->is_underway = true;
    const int node = parse_place(f, name->place, text, false, &why);
    name->is_underway = false;
    f->n_underway--;
    f->graph->is_unfused = is_unfused;
    f->frame = outer;
    f->scope = above;
    if (node == ML_NO_NODE)
        return refuse_name(f, name, &why, fault);
    name->is_right = true;
    return node;
}

static int find_node(struct ml_formula_reading *f, const struct ml_names *scope,
                     struct ml_name *name, struct ml_expr_fault *fault)
{
    name->is_used = true;
    if (name->given.count > 0)
        return ml_names_refuse(fault, "`%s` is an array of %d: %s[i] and %s[1] are entries",
                               name->name, name->given.count, name->name, name->name);
    if (!name->is_formula)
        return f->number(f->context, name, 0, fault);
    if (name->in != f->graph) {
        const int node = read_below(f, scope, name, (struct ml_frame){0}, fault);
        if (node == ML_NO_NODE)
            return node;
        name->in = f->graph;
        name->node = node;
    }
    return name->node;
}

int ml_names_node(void *reading, const char *name, struct ml_expr_fault *fault)
{
    struct ml_formula_reading *f = reading;
    const size_t length = strlen(name);
    const int local = find_in_frame(f, name);
    if (length > 0 && name[length - 1] == '\'')
        return f->rate && ml_find_table(f->r, name) < 0 ? f->rate(f->context, name, fault)
                                                        : ML_NO_NODE;
    if (local >= 0)
        return f->frame.nodes[local];
    for (const struct ml_names *scope = f->scope; scope; scope = scope->above) {
        struct ml_name *own = ml_names_find(scope, name);
        if (own) /* the parser asks for functions */
            return own->n_arg > 0 ? ML_NO_NODE : find_node(f, scope, own, fault);
        const int node = scope->find ? scope->find(scope->context, name, fault) : ML_NO_NODE;
        if (node != ML_NO_NODE || fault->what[0])
            return node;
    }
    return !f->is_constant && strcmp(name, "t") == 0 ? ml_graph_input(f->graph, ML_OP_TIME, 0)
                                                     : ML_NO_NODE;
}

/* The argument of the function at hand that has a value; NULL: none has. */
static const char *find_argument(const struct ml_formula_reading *f, double value)
{
    for (int i = 0; i < f->frame.n; i++) {
        const struct ml_graph_node *node = &f->graph->nodes[f->frame.nodes[i]];
        if (node->op == ML_OP_LITERAL && node->value == value)
            return f->frame.names[i];
    }
    return NULL;
}

/* As ml_expr_names.entry. */
static int find_entry(void *context, const char *name, double index, bool is_computed,
                      struct ml_expr_fault *fault)
{
    struct ml_formula_reading *f = context;
    const struct ml_names *scope = f->scope;
    const bool is_local = find_in_frame(f, name) >= 0;
    struct ml_name *own = is_local ? NULL : find_listed(&scope, name);
    const int n = own ? own->given.count : 0;
    if (n == 0 && !own && !is_local)
        return ml_names_refuse(fault, "there is no array `%s` here", name);
    if (n == 0)
        return ml_names_refuse(fault, "`%s` is a single number and takes no index", name);
    const char *argument = find_argument(f, index);
    if (!is_computed && (index < 1.0 || index > n))
        return ml_names_refuse(
            fault,
            "`%s` has entries 1 to %d, not %.0f; a computed index, as in %s[%s], wraps around",
            name, n, index, name,
            argument ? ml_pool_format(f->r->pool, "%s + 0", argument) : "i + 1");
    const double turns = floor((index - 1.0) / n);
    own->is_used = true;
    return f->number(f->context, own, (int)(index - 1.0 - turns * n), fault);
}

/* As ml_expr_names.arity. */
static int find_arity(void *context, const char *name)
{
    const struct ml_formula_reading *f = context;
    const struct ml_names *scope = f->scope;
    const struct ml_name *own = find_listed(&scope, name);
    if (own && own->n_arg > 0)
        return own->n_arg;
    return !f->is_constant && ml_find_table(f->r, name) >= 0 ? 1 : -1;
}

/* As ml_expr_names.call: the formula is read again for each call. */
static int call_function(void *context, const char *name, const int *args,
                         struct ml_expr_fault *fault)
{
    struct ml_formula_reading *f = context;
    const struct ml_names *scope = f->scope;
    struct ml_name *own = find_listed(&scope, name);
    if (!own || own->n_arg == 0)
        return ml_call_table(f->r, f->graph, name, args[0], fault);
    own->is_used = true;
    return read_below(f, scope, own, (struct ml_frame){own->n_arg, own->args, args}, fault);
}

/* As ml_expr_names.past. */
static int find_past(void *context, int node, int delay, struct ml_expr_fault *fault)
{
    const struct ml_formula_reading *f = context;
    return f->past(f->context, node, delay, fault);
}

/* As ml_expr_names.nearest. */
static const char *find_nearest(void *context, const char *name)
{
    const struct ml_formula_reading *f = context;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (const struct ml_names *scope = f->scope; scope; scope = scope->above) {
        for (int i = 0; i < scope->n; i++)
            ml_nearest_offer(&nearest, scope->names[i].name);
        if (scope->offer)
            scope->offer(scope->context, &nearest);
    }
    for (int i = 0; !f->is_constant && i < f->r->spec->formulas.n_curve; i++)
        ml_nearest_offer(&nearest, f->r->spec->formulas.keys[i].name);
    for (int op = 0; op < ML_N_OP; op++)
        ml_nearest_offer(&nearest, ml_ops[op].word);
    return nearest.best;
}

/* As ml_expr_names.unit. */
static const char *find_unit(void *context, const char *name)
{
    const struct ml_formula_reading *f = context;
    if (find_in_frame(f, name) >= 0)
        return NULL;
    for (const struct ml_names *scope = f->scope; scope; scope = scope->above) {
        const struct ml_name *own = ml_names_find(scope, name);
        if (own)
            return own->unit;
        const char *unit = scope->unit ? scope->unit(scope->context, name) : NULL;
        if (unit)
            return unit;
    }
    return strcmp(name, "t") == 0 && f->r->spec->source.kind != ML_MAP ? "s" : NULL;
}

/* As ml_expr_names.doubt. */
static void report_doubt(void *context, int at, const char *what)
{
    const struct ml_formula_reading *f = context;
    ml_notice_formula(f->r, f->place, at, what);
}

int ml_names_parse(struct ml_formula_reading *f, const char *text, bool is_truth,
                   struct ml_expr_fault *fault)
{
    const struct ml_expr_names names = {.find = ml_names_node,
                                        .nearest = find_nearest,
                                        .context = f,
                                        .entry = f->is_constant ? NULL : find_entry,
                                        .arity = find_arity,
                                        .call = call_function,
                                        .past = f->past ? find_past : NULL,
                                        .unit = f->is_constant ? NULL : find_unit,
                                        .doubt = f->is_constant ? NULL : report_doubt};
    const int node = ml_expr_parse(f->graph, text, &names, fault);
    if (node == ML_NO_NODE || ml_op_is_truth(f->graph->nodes[node].op) == is_truth)
        return node;
    *fault = (struct ml_expr_fault){0};
    return ml_names_refuse(fault, is_truth
                                      ? "a condition must be a comparison such as a < b"
                                      : "a comparison is not a number; write `where(a < b, 1, 0)`");
}

int ml_names_read(struct ml_formula_reading *f, const struct ml_node *place, const char *key,
                  bool is_truth)
{
    struct ml_expr_fault fault;
    const char *text = ml_read_text(f->r, place, key, "a formula");
    const int node = text ? parse_place(f, place, text, is_truth, &fault) : ML_NO_NODE;
    if (text && node == ML_NO_NODE)
        ml_report_text(f->r, place, key, fault.at, fault.what);
    return node;
}

int ml_names_define(struct ml_formula_reading *f, struct ml_name *name)
{
    struct ml_expr_fault unused = {0};
    const bool is_used = name->is_used;
    const int node = find_node(f, f->scope, name, &unused);
    name->is_used = is_used;
    return node;
}
