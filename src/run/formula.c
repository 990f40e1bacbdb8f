/* Formulas of the caller's names. */
#include "manylink/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric_env.h"
#include "engine/kernels/kernels.h"
#include "expr/parse.h"
#include "manylink/fail.h"
#include "model/defined.h"

struct ml_formula {
    struct ml_pool pool;
    struct ml_defined defined; /* without numbers of a run */
    int node;
};

/* One reading. */
struct formula_reading {
    struct ml_formula *formula;
    const char *text;
    ml_formula_name_fn *name;
    void *context;
    const char *unit; /* of the last name */
    struct ml_error *err;
    enum ml_status status;
};

/* As ml_expr_names.find. */
static int formula_find(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct formula_reading *r = context;
    (void)fault;
    r->unit = NULL;
    const int number = r->name(r->context, name, &r->unit);
    return number < 0 ? ML_NO_NODE
                      : ml_graph_input(&r->formula->defined.graph, ML_OP_PARAM, number);
}

/* As ml_expr_names.entry. */
static int formula_entry(void *context, const char *name, double index, bool is_computed,
                         struct ml_expr_fault *fault)
{
    char entry[ML_EXPR_NAME + 32];
    (void)is_computed;
    (void)snprintf(entry, sizeof entry, "%s[%.0f]", name, index);
    const int node = formula_find(context, entry, fault);
    if (node == ML_NO_NODE)
        (void)snprintf(fault->what, sizeof fault->what, "there is no `%s` here", entry);
    return node;
}

/* As ml_expr_names.unit. */
static const char *formula_unit(void *context, const char *name)
{
    (void)name;
    return ((struct formula_reading *)context)->unit;
}

static void formula_refuse(struct formula_reading *r, int at, const char *what)
{
    static const char begin[] = "cannot read `";
    r->status = ml_fail(r->err, ML_E_INPUT, "%s%s`: %s\n%*s^", begin, r->text, what,
                        at + (int)strlen(begin), "");
}

/* As ml_expr_names.doubt. */
static void formula_doubt(void *context, int at, const char *what)
{
    struct formula_reading *r = context;
    if (r->status == ML_OK)
        formula_refuse(r, at, what);
}

static enum ml_status formula_parse(struct formula_reading *r)
{
    const struct ml_expr_names names = {.find = formula_find,
                                        .context = r,
                                        .entry = formula_entry,
                                        .unit = formula_unit,
                                        .doubt = formula_doubt,
                                        .may_be_nan = true};
    struct ml_expr_fault fault;
    struct ml_formula *f = r->formula;
    f->defined.graph = (struct ml_graph){.pool = &f->pool, .is_unfused = true};
    f->defined.functions = ml_kernels_at(0)->registry->functions;
    f->node = ml_expr_parse(&f->defined.graph, r->text, &names, &fault);
    if (f->pool.is_short)
        r->status = ML_E_MEMORY;
    else if (f->node == ML_NO_NODE && r->status == ML_OK)
        formula_refuse(r, fault.at, fault.what);
    else if (f->defined.graph.n > ML_DEFINED_MOST && r->status == ML_OK)
        formula_refuse(r, 0, "the formula is too long");
    return r->status;
}

enum ml_status ml_formula_read(const char *text, ml_formula_name_fn *name, void *context,
                               struct ml_formula **formula, struct ml_error *err)
{
    struct ml_formula *f = *formula = calloc(1, sizeof *f);
    struct formula_reading r = {
        .formula = f, .text = text, .name = name, .context = context, .err = err};
    if (!f)
        return ML_E_MEMORY;
    const struct ml_numeric_env env = ml_numeric_env_set();
    const enum ml_status status = formula_parse(&r);
    ml_numeric_env_restore(&env);
    if (status != ML_OK) {
        ml_formula_free(f);
        *formula = NULL;
    }
    return status;
}

void ml_formula_free(struct ml_formula *formula)
{
    if (formula)
        ml_pool_free(&formula->pool);
    free(formula);
}

int ml_formula_is_condition(const struct ml_formula *formula)
{
    return ml_op_is_truth(formula->defined.graph.nodes[formula->node].op);
}

double ml_formula_value(const struct ml_formula *formula, const double *numbers)
{
    double v[ML_DEFINED_MOST], d[ML_DEFINED_MOST];
    const fenv_t before = ml_float_env_set();
    ml_defined_compute(&formula->defined, numbers, NULL, v, d);
    ml_float_env_restore(&before);
    return v[formula->node];
}
