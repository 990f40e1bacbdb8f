/* Folds the formula of a number. */
#include "expr/number.h"

#include <math.h>
#include <string.h>

/* Words that are no functions of formulas are no numbers at all. */
static int find_word(void *context, const char *name, struct ml_expr_fault *fault)
{
    (void)context;
    if (!ml_expr_is_word(name))
        (void)snprintf(fault->what, sizeof fault->what,
                       "`%s` is neither a number nor a unit; a number is decimal (1.5, 2e-3, "
                       "60deg) or arithmetic such as 2*pi/3 or 3*sqrt(2)",
                       name);
    return ML_NO_NODE;
}

const struct ml_expr_names ml_expr_no_names = {.find = find_word};

static void tell(struct ml_number_fault *out, int at, const char *what)
{
    out->at = at;
    (void)snprintf(out->what, sizeof out->what, "%s", what);
}

bool ml_expr_number(const char *text, double *out, struct ml_number_fault *fault)
{
    struct ml_si_unit unused;
    return ml_expr_number_in(text, out, &unused, fault);
}

bool ml_expr_number_in(const char *text, double *out, struct ml_si_unit *unit,
                       struct ml_number_fault *fault)
{
    struct ml_pool pool = {0};
    struct ml_graph graph = {.pool = &pool, .is_unfused = true};
    struct ml_expr_fault why;
    *unit = (struct ml_si_unit){0};
    if (ml_number_plain(text, out))
        return true;
    if (ml_number_hint(text, fault))
        return false;
    const int node = ml_expr_parse_in(&graph, text, &ml_expr_no_names, unit, &why);
    const bool is_number = node != ML_NO_NODE && graph.nodes[node].op == ML_OP_LITERAL;
    if (!is_number)
        *unit = (struct ml_si_unit){0};
    *out = is_number ? graph.nodes[node].value : 0.0;
    if (node == ML_NO_NODE)
        tell(fault, why.at, why.what);
    else if (!is_number)
        tell(fault, 0, "only + - * / ^ ( ) pi deg sqrt(...) and abs(...) are computed here");
    else if (!isfinite(*out))
        tell(fault, 0, "the result is too large");
    ml_pool_free(&pool);
    return is_number && isfinite(*out);
}
