/* The cost of a study's `tune`: a formula of numbers of the summary. */
#ifndef ML_PLAN_COST_H
#define ML_PLAN_COST_H

#include "manylink/formula.h"
#include "plan/requirements.h"

struct ml_cost {
    struct ml_formula *formula;  /* of these numbers; freed with ml_formula_free */
    struct ml_required *numbers; /* [n] */
    int n;
};

/* Reads the cost of a planned study. ML_E_INPUT for a formula that cannot be read, of numbers that
 * the summary lacks, and for a condition. */
enum ml_status ml_cost_read(const struct ml_layout *layout, struct ml_pool *pool,
                            struct ml_cost *cost, struct ml_error *err);

/* Reports a cost that the study does not have. */
void ml_plan_cost(struct ml_reader *r, const struct ml_study *study);

#endif
