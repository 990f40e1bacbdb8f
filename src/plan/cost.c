/* Reads the formula of a cost, by the names that `info` prints. */
#include "plan/cost.h"

#include <string.h>

#include "config/schema/reader.h"
#include "manylink/fail.h"

struct cost_reading {
    const struct ml_layout *layout;
    struct ml_pool *pool;
    struct ml_cost *cost;
    const char *unknown;
};

/* The range of `vary` that moves a key; -1: none. */
static int range_of(const struct ml_tune_spec *tune, const char *key)
{
    for (int i = 0; i < tune->n_vary; i++)
        for (int k = 0; k < tune->vary[i].n_swept; k++)
            if (strcmp(tune->vary[i].swept[k].path, key) == 0)
                return i;
    return -1;
}

/* As ml_formula_name_fn. Numbers of a cost have no units: their sums weigh unlike numbers. */
static int cost_name(void *context, const char *name, const char **unit)
{
    struct cost_reading *reading = context;
    struct ml_cost *cost = reading->cost;
    const struct ml_tune_spec *tune = &reading->layout->study->spec.tune;
    const int range = range_of(tune, name);
    const struct ml_required found = ml_required_find(reading->layout, name);
    (void)unit;
    if (range >= 0)
        return range;
    if (found.output < 0) {
        reading->unknown = ml_pool_text(reading->pool, name, strlen(name));
        return -1;
    }
    cost->numbers[cost->n++] = found;
    return tune->n_vary + cost->n - 1;
}

enum ml_status ml_cost_read(const struct ml_layout *layout, struct ml_pool *pool,
                            struct ml_cost *cost, const char **unknown, struct ml_error *err)
{
    const char *text = layout->study->spec.tune.minimise;
    struct cost_reading reading = {.layout = layout, .pool = pool, .cost = cost};
    *cost =
        (struct ml_cost){.numbers = ml_pool_take(pool, strlen(text) + 1, sizeof *cost->numbers)};
    if (!cost->numbers)
        return ml_fail(err, ML_E_MEMORY, "no memory for a cost");
    const enum ml_status status = ml_formula_read(text, cost_name, &reading, &cost->formula, err);
    *unknown = reading.unknown;
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
    const struct ml_node *tune = ml_node_find(r->root, "tune");
    struct ml_error err = {0};
    struct ml_cost cost;
    const char *unknown;
    if (study->spec.tune.n_vary == 0)
        return;
    const enum ml_status status = ml_cost_read(&layout, r->pool, &cost, &unknown, &err);
    const struct ml_location place = ml_read_location(tune, "minimise");
    if (unknown)
        ml_problem(&r->problems, place,
                   "cannot minimise `%s`: the summary has no number `%s` of a run, and it is no "
                   "key of `vary`; near to it is `%s`",
                   study->spec.tune.minimise, unknown,
                   ml_required_nearest(&layout, r->pool, unknown));
    else if (status != ML_OK)
        ml_problem(&r->problems, place, "cannot minimise: %.*s",
                   (int)strcspn(err.text ? err.text : "", "\n"), err.text ? err.text : "");
    ml_error_clear(&err);
    ml_formula_free(cost.formula);
}
