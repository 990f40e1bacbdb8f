/* A result file as HDF5: opened and checked; its shard, outcomes and accuracy read. */
#ifndef ML_STORE_RESULT_H5_H
#define ML_STORE_RESULT_H5_H

#include "engine/team/ensemble.h"
#include "h5/h5.h"
#include "plan/layout.h"
#include "store/accuracy.h"

/* Attribute of /study in the file of a shard: its index and how many there are, runs per block and
 * runs of the whole study. */
#define ML_SHARD_ATTRIBUTE "shard"

/* Attribute that lists the datasets of a group that are there for viewers only: they repeat others.
 * And whether a dataset is one; older files have logarithms of axes without a list. */
#define ML_COPIES_ATTRIBUTE "copies_for_viewers"
bool ml_result_h5_is_copy(struct ml_h5 *h5, hid_t group, const char *name);

/* Opens a result file; fails with plain words if it is not one, or of another format version.
 *   may_be_changed  false: fail too if it is not as it was sealed. HDF5 may crash on the contents of a damaged file. */
hid_t ml_result_h5_open(struct ml_h5 *h5, bool may_be_changed);

/* ML_OK if the file at `path` is the result of the layout's study or shard, with its outcomes
 * counted. */
enum ml_status ml_result_h5_check(const char *path, const struct ml_layout *layout,
                                  struct ml_tally *tally, struct ml_error *err);

/* Marks of results of a kind. */
struct ml_result_mark {
    const char *group;  /* path that only results of this kind have: "/study/inverse" */
    const char *called; /* completes "is no result of" in messages */
};
extern const struct ml_result_mark ml_result_h5_of_runs;

/* Fails with `failure` if an open result is of another kind. */
void ml_result_h5_check_mark(struct ml_h5 *h5, hid_t file, const struct ml_result_mark *mark,
                             enum ml_status failure);

/* Whether a file may be discarded: ML_OK for a result of this kind, of this study or another, and
 * for a damaged result of any kind; ML_E_INPUT for another kind, ML_E_FILE for a file that is not a
 * result.
 */
enum ml_status ml_result_h5_check_discard(const char *path, const struct ml_result_mark *mark,
                                          struct ml_error *err);

/* The attribute's numbers, {0, 1, 0, 0} of a whole study. */
struct ml_result_h5_shard {
    struct ml_shard shard;
    int64_t block_runs, n_run;
};
struct ml_result_h5_shard ml_result_h5_shard(struct ml_h5 *h5, hid_t file);

/* Fails with `failure` if it is another shard of its study. */
void ml_result_h5_check_shard(struct ml_h5 *h5, hid_t file, struct ml_shard expected,
                              enum ml_status failure);

/* Opens the outcomes of the runs, of which there are *n; then some of them, each an ml_outcome. */
hid_t ml_result_h5_outcomes(struct ml_h5 *h5, hid_t file, unsigned long long *n);
void ml_result_h5_read_outcomes(struct ml_h5 *h5, hid_t dataset, unsigned long long n_run,
                                unsigned long long first, unsigned long long n, int8_t *outcome);
/* Whether it is a shard without runs: the study has fewer blocks than shards. */
bool ml_result_h5_is_empty(struct ml_h5 *h5, hid_t file);
void ml_result_h5_tally(struct ml_h5 *h5, hid_t file, struct ml_tally *tally);

/* First numbers of a dataset about the attractors of an event; returns how many were read, 0
 * without such a dataset. */
int ml_result_h5_attractors(struct ml_h5 *h5, hid_t file, const char *event, const char *name,
                            int most, double *values);

/* Attribute of the group: the reference of the comparison. */
#define ML_ACCURACY_ATTRIBUTE "compared_with"
#define ML_ACCURACY_STEP "half the step, seen at more times"
#define ML_ACCURACY_TOLERANCE "a tenth of the tolerance, steps up to half of the mean one"
#define ML_ACCURACY_FINER_TOLERANCE "a tenth of the tolerance" /* the beginning, of any version */
#define ML_ACCURACY_UNSTABLE "unstable" /* attribute of results whose step is too large */

/* Reads it: no run if the result has none. Free in any case. */
void ml_accuracy_read(struct ml_h5 *h5, hid_t file, struct ml_accuracy *out);

/* Reads the accuracy of a file that is known to be a result. */
enum ml_status ml_accuracy_read_file(const char *path, struct ml_accuracy *out,
                                     struct ml_error *err);

#endif
