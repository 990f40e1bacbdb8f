/* Finds tables by their names, and makes nodes of calls. */
#include "config/formulas/motion_formulas.h"

#include <stdio.h>
#include <string.h>

#include "yaml/number.h"

int ml_find_table(const struct ml_reader *r, const char *name)
{
    const size_t length = strcspn(name, "'");
    for (int i = 0; i < r->spec->formulas.n_curve; i++) {
        const char *own = r->spec->formulas.keys[i].name;
        if (own && strlen(own) == length && strncmp(own, name, length) == 0)
            return i;
    }
    return -1;
}

int ml_call_table(struct ml_reader *r, struct ml_graph *graph, const char *name, int node,
                  struct ml_expr_fault *fault)
{
    char text[3][ML_NUMBER_TEXT];
    const int i = ml_find_table(r, name), order = (int)strlen(name + strcspn(name, "'"));
    struct ml_curve_keys *keys = &r->spec->formulas.keys[i];
    const struct ml_breakpoints *curve = r->spec->formulas.curves[i].breakpoints;
    const struct ml_graph_node *x = &graph->nodes[node];
    keys->is_called = true;
    if (!curve)
        (void)snprintf(fault->what, sizeof fault->what, "table `%s` has a problem of its own",
                       keys->name);
    else if (x->op == ML_OP_LITERAL && !curve->is_held &&
             (x->value < curve->time[0] || x->value > curve->time[curve->n - 1]))
        (void)snprintf(fault->what, sizeof fault->what,
                       "%s is outside of table `%s`, which covers %s to %s; `outside: hold` in the "
                       "table extends its first and last value",
                       ml_number_text(x->value, text[0]), keys->name,
                       ml_number_text(curve->time[0], text[1]),
                       ml_number_text(curve->time[curve->n - 1], text[2]));
    else if (order > 3)
        (void)snprintf(fault->what, sizeof fault->what,
                       "curves are cubic and have three derivatives");
    else
        return ml_graph_curve(graph, i, order, node);
    return ML_NO_NODE;
}
