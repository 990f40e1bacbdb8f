/* Names of `define`: a graph of all formulas of numbers, and which numbers they give. */
#include "config/formulas/define.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "expr/number.h"
#include "yaml/nearest.h"

/* As ml_formula_reading.number. */
static int find_number(void *context, const struct ml_name *name, int k,
                       struct ml_expr_fault *fault)
{
    struct ml_define *d = context;
    (void)k, (void)fault;
    return ml_graph_input(&d->out->graph, ML_OP_PARAM, name->first);
}

/* As ml_names.find, of a name that `define` does not have. */
static int find_other(void *context, const char *name, struct ml_expr_fault *fault)
{
    const struct ml_define *d = context;
    struct ml_nearest nearest = ml_nearest_typo(name);
    for (int i = 0; i < d->scope.n; i++)
        ml_nearest_offer(&nearest, d->scope.names[i].name);
    if (d->scope.n == 0)
        (void)ml_expr_no_names.find(NULL, name, fault);
    else if (!ml_expr_is_word(name))
        (void)snprintf(fault->what, sizeof fault->what, "`define` has no name `%s`%s", name,
                       ml_did_you_mean(nearest.best).text);
    return ML_NO_NODE;
}

void ml_define_make(struct ml_reader *r, struct ml_define *d, struct ml_name *names, int n)
{
    d->others = (struct ml_names){.find = find_other, .context = d};
    d->scope = d->own = (struct ml_names){.names = names, .n = n, .is_unfused = true};
    d->own.above = &d->others;
    d->f = (struct ml_formula_reading){.r = r,
                                       .graph = &d->out->graph,
                                       .scope = &d->own,
                                       .is_constant = true,
                                       .number = find_number,
                                       .context = d};
}

/* The node of a formula; ML_NO_NODE after writing the fault. */
static int define_parse(struct ml_define *d, const char *text, struct ml_expr_fault *fault)
{
    const int node = ml_names_parse(&d->f, text, false, fault);
    if (node == ML_NO_NODE || d->out->graph.n <= ML_DEFINED_MOST)
        return node;
    fault->at = 0;
    (void)snprintf(fault->what, sizeof fault->what,
                   "the formulas of all numbers have more than %d operations",
                   (int)ML_DEFINED_MOST);
    return ML_NO_NODE;
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
