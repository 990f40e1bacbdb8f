/* Numbers that formulas name: each one number, or an array. */
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "expr/number.h"
#include "model/defined.h"
#include "simd/trig.h"

/* The value of a formula for entry i; false after telling. */
static bool read_value(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_param *param, struct ml_graph *graph, int i, double *out)
{
    static const char *const name = "i";
    const int index = ml_graph_literal(graph, i);
    struct ml_formula_reading f = {
        .r = r, .graph = graph, .is_constant = true, .frame = {1, &name, &index}};
    struct ml_expr_fault fault;
    const char *text = ml_read_text(r, node, param->name, "a number or a formula");
    const int value = text ? ml_names_parse(&f, text, false, &fault) : ML_NO_NODE;
    const bool is_short = value != ML_NO_NODE && graph->n <= ML_DEFINED_MOST;
    if (is_short) {
        double v[ML_DEFINED_MOST], unused[ML_DEFINED_MOST];
        const struct ml_defined of = {.graph = *graph, .functions = r->spec->registry->functions};
        ml_defined_compute(&of, NULL, NULL, v, unused);
        *out = v[value];
        return ml_read_range(r, node->location, param, *out);
    }
    if (text)
        ml_problem(
            &r->problems, node->location, "%s is %s: %s", param->name, ml_quote(r->pool, text),
            value == ML_NO_NODE ? fault.what : "the formula has too many operations; give a list");
    return false;
}

static void read_formula_of_i(struct ml_reader *r, const struct ml_node *node,
                              const struct ml_param *param, struct ml_entries *out)
{
    enum { FEW = 64 };
    const struct ml_graph none = {.pool = r->pool, .is_unfused = true}; /* as of all numbers */
    struct ml_graph graph = none;
    for (int i = 0; i<out->count; i++, graph = graph.n> FEW ? none : graph)
        if (!read_value(r, node, param, &graph, i + 1, &out->values[i]))
            return;
}

static void read_list(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                      struct ml_entries *out)
{
    int i = 0;
    if (node->n_child != out->count) {
        ml_problem(&r->problems, node->location, "%s has %d numbers but `count` is %d", param->name,
                   node->n_child, out->count);
        return;
    }
    for (const struct ml_node *child = node->first; child; child = child->next)
        (void)ml_read_number(r, child, param, &out->values[i++]);
}

/* The unit of numbers whose place gives none: that of the number itself, or of the first in a list
 * that has a unit. */
static const char *unit_of(struct ml_reader *r, const struct ml_node *value)
{
    char text[ML_SI_UNIT_TEXT];
    struct ml_si_unit unit = {0};
    struct ml_number_fault unused;
    double number;
    const bool is_list = value && value->kind == ML_NODE_LIST;
    for (const struct ml_node *i = is_list ? value->first : value; i && !unit.is_known;
         i = is_list ? i->next : NULL)
        if (i->kind != ML_NODE_SCALAR || !ml_expr_number_in(i->text, &number, &unit, &unused))
            unit = (struct ml_si_unit){0};
    if (!unit.is_known)
        return "1";
    (void)ml_si_unit_text(&unit, text);
    return ml_pool_text(r->spec->pool, text, strlen(text));
}

void ml_read_entries(struct ml_reader *r, const struct ml_node *node, struct ml_entries *out)
{
    struct ml_given_number given = {0};
    const struct ml_node *value = node;
    out->name = ml_pool_text(r->spec->pool, node->key, strlen(node->key));
    if (node->kind == ML_NODE_MAP) {
        ml_read_scope(r, node, ML_SCOPE_GIVEN, &given);
        value = ml_node_find(node, "value");
    }
    out->unit = given.unit ? given.unit : unit_of(r, value);
    const struct ml_param param = {.name = node == value ? node->key : "value",
                                   .unit = out->unit,
                                   .low = -ML_ANGLE_MAX,
                                   .high = ML_ANGLE_MAX};
    out->doc = given.doc ? given.doc : "";
    out->count = (int)given.count;
    out->values = ml_pool_take(r->spec->pool, (size_t)out->count + 1, sizeof *out->values);
    if (!value || !out->values)
        return;
    if (out->count == 0)
        (void)ml_read_number(r, value, &param, out->values);
    else if (value->kind == ML_NODE_LIST)
        read_list(r, value, &param, out);
    else
        read_formula_of_i(r, value, &param, out);
}

void ml_entries_row(struct ml_reader *r, const struct ml_entries *entries, int k,
                    struct ml_param *out)
{
    const char *name = entries->count > 0
                           ? ml_pool_format(r->spec->pool, "%s.%d", entries->name, k + 1)
                           : entries->name;
    *out = (struct ml_param){.name = name,
                             .unit = entries->unit,
                             .low = -ML_ANGLE_MAX,
                             .high = ML_ANGLE_MAX,
                             .doc = entries->doc};
    if (entries->values)
        ml_define_copy(r->define, &out->default_value, &entries->values[k], 1);
}

void ml_read_given(struct ml_reader *r, const struct ml_node *node, struct ml_param *out)
{
    struct ml_entries given;
    ml_read_entries(r, node, &given);
    if (given.count > 0)
        ml_problem(&r->problems, node->location, "`%s` is an array; arrays belong to the system",
                   node->key);
    ml_entries_row(r, &given, 0, out);
}
