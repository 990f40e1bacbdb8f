/* Which dimensions of a result's datasets are the runs: an attribute of their groups. */
#ifndef ML_STORE_RUN_DIMS_H
#define ML_STORE_RUN_DIMS_H

#include "h5/h5.h"
#include "plan/dataset_name.h"

/* Attribute of a group: names of the dimensions that are the runs. A group of a single run, or
 * without numbers of runs, has none. */
#define ML_RUN_DIMS_ATTRIBUTE "run_dims"

struct ml_run_dims {
    int n;
    char names[ML_MAX_RANK][ML_NAME_LENGTH];
};

/* Reads the attribute of a group of /study; of files before format 5, which lack it, finds the
 * names by the shapes of datasets. Errors are in h5->status. */
void ml_run_dims_find(struct ml_h5 *h5, hid_t file, const char *group, struct ml_run_dims *out);

/* Number of the first dimensions of a dataset that are the runs; 0 if the dataset lacks one.
 *   names  [rank] of its dimensions */
int ml_run_dims_of(const struct ml_run_dims *run_dims, int rank, const char *const *names);

#endif
