/* Which dimensions of a result's datasets are the runs: an attribute of their groups. */
#ifndef ML_STORE_RUN_DIMS_H
#define ML_STORE_RUN_DIMS_H

#include "h5/h5.h"
#include "plan/dataset_name.h"

/* Lists their names; a group of a single run, or without numbers of runs, has no such attribute. */
#define ML_RUN_DIMS_ATTRIBUTE "run_dims"

struct ml_run_dims {
    int n;
    char names[ML_MAX_RANK][ML_NAME_LENGTH];
};

/* Those of a group of /study; of files before format 5, which do not say, found by the datasets. */
void ml_run_dims_find(struct ml_h5 *h5, hid_t file, const char *group, struct ml_run_dims *out);

/* Dimensions of a dataset that are the runs: the first ones if they have these names, or none.
 *   model  [rank] names of its dimensions */
int ml_run_dims_of(const struct ml_run_dims *run_dims, int rank, const char *const *model);

#endif
