/* Names of `define`: a graph of all formulas of numbers, and which numbers they give. */
#include "config/define.h"

#include <math.h>
#include <string.h>

#include "expr/number.h"
#include "yaml/nearest.h"

enum { UNDERWAY = ML_DEFINE_FAILED - 1 }; /* node of a name that is being read */

static int define_parse(struct ml_define *d, const char *text, struct ml_expr_fault *fault);

/* "a -> b -> a" of names that depend on each other, of which the first is being read. */
static const char *cycle_text(const struct ml_define *d, int first)
{
    const char *text = "";
    int at = 0;
    while (d->underway[at] != first)
        at++;
    for (; text && at < d->n_underway; at++)
        text = ml_pool_format(d->pool, "%s%s -> ", text, d->names[d->underway[at]].place->key);
    return text ? text : "";
}

static void tell_name(struct ml_define *d, const struct ml_node *place, int at, const char *what)
{
    struct ml_location location = place->location;
    if (place->is_plain && location.option == 0)
        location.column += at;
    ml_problem(d->problems, location, "%s is %s: %s", place->key, ml_quote(d->pool, place->text),
               what);
}

static void read_name(struct ml_define *d, int i)
{
    struct ml_define_name *name = &d->names[i];
    struct ml_number_fault hint;
    struct ml_expr_fault fault;
    if (name->node != ML_DEFINE_UNREAD)
        return;
    name->node = UNDERWAY;
    d->underway[d->n_underway++] = i;
    const bool has_hint = ml_number_hint(name->place->text, &hint);
    const int node = has_hint ? ML_NO_NODE : define_parse(d, name->place->text, &fault);
    if (has_hint)
        tell_name(d, name->place, hint.at, hint.what);
    else if (node == ML_NO_NODE)
        tell_name(d, name->place, fault.at, fault.what);
    name->node = node == ML_NO_NODE ? ML_DEFINE_FAILED : node;
    d->n_underway--;
}

static void tell_unknown(struct ml_define *d, const char *name, struct ml_expr_fault *fault)
{
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < d->n; i++)
        ml_nearest_offer(&nearest, d->names[i].place->key);
    if (d->n == 0)
        (void)ml_expr_no_names.find(NULL, name, fault);
    else
        (void)snprintf(fault->what, sizeof fault->what, "`define` has no name `%s`%s%s%s", name,
                       nearest.best ? "; did you mean `" : "", nearest.best ? nearest.best : "",
                       nearest.best ? "`?" : "");
}

/* As ml_expr_names.find. */
static int find_name(void *context, const char *wanted, struct ml_expr_fault *fault)
{
    struct ml_define *d = context;
    int i = 0;
    while (i < d->n && strcmp(d->names[i].place->key, wanted) != 0)
        i++;
    if (i == d->n && !ml_expr_is_word(wanted))
        tell_unknown(d, wanted, fault);
    if (i == d->n)
        return ML_NO_NODE;
    struct ml_define_name *name = &d->names[i];
    read_name(d, i);
    name->is_used = true;
    if (name->node == UNDERWAY)
        (void)snprintf(fault->what, sizeof fault->what, "the formula depends on itself: %s%s",
                       cycle_text(d, i), wanted);
    else if (name->node == ML_DEFINE_FAILED)
        (void)snprintf(fault->what, sizeof fault->what,
                       "the formula of `%s` has a problem of its own", wanted);
    return name->node >= 0 ? name->node : ML_NO_NODE;
}

/* The node of a formula; ML_NO_NODE after writing the fault. */
static int define_parse(struct ml_define *d, const char *text, struct ml_expr_fault *fault)
{
    const struct ml_expr_names names = {.find = find_name, .context = d};
    const int node = ml_expr_parse(&d->out->graph, text, &names, fault);
    if (node == ML_NO_NODE)
        return node;
    *fault = (struct ml_expr_fault){0};
    if (ml_op_is_truth(d->out->graph.nodes[node].op))
        (void)snprintf(fault->what, sizeof fault->what,
                       "a comparison is not a number; write `where(a < b, 1, 0)`");
    else if (d->out->graph.n > ML_DEFINED_MOST)
        (void)snprintf(fault->what, sizeof fault->what,
                       "the formulas of all numbers have more than %d operations",
                       (int)ML_DEFINED_MOST);
    return fault->what[0] ? ML_NO_NODE : node;
}

void ml_define_formulas(struct ml_define *d)
{
    for (int i = 0; i < d->n; i++)
        read_name(d, i);
}

static double value_of(const struct ml_define *d, int node)
{
    double v[ML_DEFINED_MOST], unused[ML_DEFINED_MOST];
    ml_defined_compute(d->out, d->values, NULL, v, unused);
    return v[node];
}

bool *ml_define_names_of(const struct ml_define *d, int node)
{
    const struct ml_graph *graph = &d->out->graph;
    const bool *is_needed = ml_graph_needed(graph, 1, &node);
    bool *is_named = ml_pool_take(d->pool, (size_t)d->out->n_name + 1, sizeof *is_named);
    for (int i = 0; is_needed && is_named && i < graph->n; i++)
        if (is_needed[i] && graph->nodes[i].op == ML_OP_PARAM)
            is_named[graph->nodes[i].arg[0]] = true;
    return is_named;
}

static bool is_of_names(const struct ml_define *d, int node)
{
    const bool *is_named = ml_define_names_of(d, node);
    bool is = false;
    for (int i = 0; is_named && i < d->out->n_name; i++)
        is |= is_named[i];
    return is;
}

static void add_use(struct ml_define *d, const struct ml_define_use *like, const double *out)
{
    struct ml_define_use *use = ml_pool_take(d->pool, 1, sizeof *use);
    if (!use)
        return;
    *use = *like;
    use->out = out;
    use->is_copied = false;
    use->next = d->uses;
    d->uses = use;
}

bool ml_define_number(struct ml_define *d, const struct ml_node *node, const struct ml_param *param,
                      double *out, struct ml_number_fault *fault)
{
    struct ml_expr_fault why;
    const int value = d ? define_parse(d, node->text, &why) : ML_NO_NODE;
    if (!d)
        return false;
    *fault = (struct ml_number_fault){.at = why.at};
    (void)snprintf(fault->what, sizeof fault->what, "%s", why.what);
    if (value == ML_NO_NODE)
        return false;
    *out = value_of(d, value);
    if (!isfinite(*out))
        (void)snprintf(fault->what, sizeof fault->what, "the result is not finite");
    else if (param->flags & ML_WHOLE && *out != nearbyint(*out))
        (void)snprintf(fault->what, sizeof fault->what, "that is %.10g, and must be an integer",
                       *out);
    if (is_of_names(d, value))
        add_use(
            d,
            &(struct ml_define_use){.place = node, .param = *param, .node = value, .value = *out},
            out);
    return !fault->what[0];
}

void ml_define_copy(struct ml_define *d, double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
    for (struct ml_define_use *use = d ? d->uses : NULL; use; use = use->next)
        if (use->out >= from && use->out < from + n) {
            add_use(d, use, to + (use->out - from));
            use->is_copied = true;
        }
}
