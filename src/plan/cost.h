/* The cost of a study's `tune`: a formula of numbers of the summary and of the numbers that vary.
 */
#ifndef ML_PLAN_COST_H
#define ML_PLAN_COST_H

#include "manylink/formula.h"
#include "plan/requirements.h"

struct ml_cost {
    struct ml_formula *formula; /* of the n_vary numbers, then of these: */
    struct ml_required *numbers;
    int n;
};

/* Reads the cost of a planned study; free it with ml_formula_free(cost->formula).
 *   pool     of `numbers` and `unknown`
 *   unknown  out: a name that neither summary nor `vary` has; NULL: none
 * Returns ML_E_INPUT for such a name, for a formula that cannot be read, and for a condition. */
enum ml_status ml_cost_read(const struct ml_layout *layout, struct ml_pool *pool,
                            struct ml_cost *cost, const char **unknown, struct ml_error *err);

/* Reports a cost that the study does not have. */
void ml_plan_cost(struct ml_reader *r, const struct ml_study *study);

#endif
