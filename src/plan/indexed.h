/* Which numbers of which runs /study/sensitivity/global has indices of. */
#ifndef ML_PLAN_INDEXED_H
#define ML_PLAN_INDEXED_H

#include "manylink/indices.h"
#include "plan/layout.h"

struct ml_indexed {
    struct ml_index_points points; /* without inputs; the runs that are taken, from the first on */
    int n_number;                  /* numbers of the summary */
    int64_t n_cell;                /* points of the grid, each with the sample */
    double bytes;                  /* of memory that the indices take */
};

/* Sets what a result has; false: it has no indices. So it is with a shard, a study without a sample
 * or without numbers, and where the indices would take longer than a few seconds. Of a large sample
 * without a design the first points are taken. */
bool ml_indexed_find(struct ml_indexed *indexed, const struct ml_layout *layout);

/* Numbers of a run of output i that have indices: described ones, unless there are many; or 0. */
int64_t ml_indexed_rows(const struct ml_layout *layout, int i);

#endif
