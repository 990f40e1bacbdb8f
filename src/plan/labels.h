/* Labels of the entries of dimensions, and names of the numbers of outputs. */
#ifndef ML_PLAN_LABELS_H
#define ML_PLAN_LABELS_H

#include "plan/layout.h"
#include "yaml/pool.h"

/* Labels [n] of an extra dimension, from the pool; NULL where its entries have numbers, or without
 * memory.
 *   is_at_end  of an output, else of a quantity over time */
const char *const *ml_dim_labels(const struct ml_study *study, enum ml_dim dim, bool is_at_end,
                                 int n, struct ml_pool *pool);

/* "max_rate.upper": number `row` of output i of each run, as `info` and ml_result_component have
 * its name, from the pool; NULL without memory. */
const char *ml_output_component(const struct ml_layout *layout, int i, int64_t row,
                                struct ml_pool *pool);

#endif
