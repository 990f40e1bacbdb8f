/* A result that is open for reading, in a file or in memory: the struct behind
 * manylink/result.h. */
#ifndef ML_STORE_OPENED_H
#define ML_STORE_OPENED_H

#include "h5/h5.h"
#include "manylink/result.h"
#include "plan/layout.h"
#include "yaml/pool.h"

/* One dataset that is listed. */
struct ml_opened_dataset {
    struct ml_array_info info; /* texts in the pool */
    const char *const *texts;  /* [number of its texts] once they were asked for; NULL */
    bool is_copy;              /* for viewers only: found by its path, not listed */
    /* Of trajectories, once numbers of them were read; else NULL: */
    uint64_t *sums;    /* [saved runs] checksums */
    bool *is_compared; /* [saved runs] the numbers have their checksum */
};

struct ml_result {
    struct ml_h5 h5; /* entered by one call at a time */
    hid_t file, entry;
    char *path; /* of the file, or a substitute */
    struct ml_opened_dataset *datasets;
    int n_dataset, n_room;
    struct ml_view *views; /* [n_view] by rank, once they were asked for */
    int n_view;
    bool has_views;
    bool may_be_changed; /* no seal and no checksums are compared */
    struct ml_pool pool;
};

/* Makes a result of an HDF5 file that is open between ml_h5_begin and ml_h5_leave; with or without
 * success the result has it from now on.
 *   path  copied */
enum ml_status ml_opened_make(struct ml_h5 *h5, hid_t file, const char *path,
                              struct ml_result **out, struct ml_error *err);

/* Numbers of a dataset in row order, to be freed; NULL if the dataset is absent or cannot be read.
 */
double *ml_opened_numbers(struct ml_result *result, const char *path, size_t *n);

/* opened_sums.c: compares the trajectories of the saved runs of a box with their checksums, each
 * run once; true of datasets without checksums. False once the result has failed: ML_E_FILE if they
 * differ.
 *   id   the open dataset
 *   box  start, stride and count along each dimension, the first of which is the saved runs */
bool ml_opened_compare(struct ml_result *result, struct ml_opened_dataset *dataset, hid_t id,
                       const struct ml_extent box[3]);

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
