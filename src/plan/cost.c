/* Reads the formula of a cost, by the names that `info` prints. */
#include "plan/cost.h"

#include <string.h>

#include "config/schema/reader.h"
#include "manylink/fail.h"

struct cost_reading {
    const struct ml_layout *layout;
    struct ml_cost *cost;
};

/* As ml_formula_name_fn. Numbers of a cost have no units: their sums weigh unlike numbers. */
static int cost_name(void *context, const char *name, const char **unit)
{
    const struct cost_reading *reading = context;
    const struct ml_required found = ml_required_find(reading->layout, name);
    (void)unit;
    if (found.output < 0)
        return -1;
    reading->cost->numbers[reading->cost->n] = found;
    return reading->cost->n++;
}

enum ml_status ml_cost_read(const struct ml_layout *layout, struct ml_pool *pool,
                            struct ml_cost *cost, struct ml_error *err)
{
    const char *text = layout->study->spec.tune.minimise;
    struct cost_reading reading = {layout, cost};
    *cost =
        (struct ml_cost){.numbers = ml_pool_take(pool, strlen(text) + 1, sizeof *cost->numbers)};
    if (!cost->numbers)
        return ml_fail(err, ML_E_MEMORY, "no memory for a cost");
    const enum ml_status status = ml_formula_read(text, cost_name, &reading, &cost->formula, err);
    if (status != ML_OK || !ml_formula_is_condition(cost->formula))
        return status;
    ml_formula_free(cost->formula);
    cost->formula = NULL;
    return ml_fail(err, ML_E_INPUT, "`%s` is a condition, not a number", text);
}

void ml_plan_cost(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_layout layout = {
        .study = study, .shard = ML_UNSHARDED, .results = study->results};
    struct ml_error err = {0};
    struct ml_cost cost = {0};
    if (study->spec.tune.n_vary > 0 && ml_cost_read(&layout, r->pool, &cost, &err) != ML_OK)
        ml_problem(&r->problems, ml_read_location(ml_node_find(r->root, "tune"), "minimise"),
                   "cannot minimise: %.*s; numbers of the summary are such as `%s`",
                   (int)strcspn(err.text ? err.text : "", "\n"), err.text ? err.text : "",
                   ml_required_nearest(&layout, r->pool, study->spec.tune.minimise));
    ml_error_clear(&err);
    ml_formula_free(cost.formula);
}
