/* Groups of the inputs of Saltelli's design, by the names at the ranges of a sample. */
#ifndef ML_DESIGN_GROUPS_H
#define ML_DESIGN_GROUPS_H

#include "design/axis.h"
#include "design/sample.h"
#include "yaml/pool.h"

/* Sets the groups of a sample; none of another design, or without a name at any range.
 *   axis  of the sample, with the ranges of all inputs */
void ml_groups_find(struct ml_sample_points *points, const struct ml_axis *axis,
                    struct ml_pool *pool);

#endif
