/* The final file while it is written: groups and scales first, then block by block. */
#ifndef ML_STORE_RESULT_H
#define ML_STORE_RESULT_H

#include "store/drawn.h"
#include "store/h5.h"
#include "store/layout.h"
#include "store/names.h"
#include "store/offsets.h"
#include "store/part.h"
#include "store/shown.h"
#include "store/store.h"

struct ml_result_file {
    struct ml_h5 h5;
    const struct ml_layout *layout; /* borrowed */
    hid_t file, entry;
    hid_t seal; /* in /study/provenance */
    struct ml_offsets offsets;
    hid_t outcome, end_time, steps;   /* in /study/runs */
    hid_t summary[ML_MAX_OUTPUT];     /* in /study/summary */
    hid_t shown, error;               /* there: copies of what is shown first; -1: none */
    hid_t trajectory[ML_MAX_RECORDS]; /* in /study/trajectories; -1: not kept */
    hid_t checksum[ML_MAX_RECORDS];   /* in /study/trajectories/checksums, -1: not kept */
    struct ml_tally tally;
    bool is_in_memory; /* without seal and checksums */
};

/* Elements per chunk of columns and maps. */
enum { ML_RESULT_CHUNK = 1 << 15 };

typedef enum ml_status ml_part_fn(const void *context, int64_t block, struct ml_part *part,
                                  struct ml_error *err);

/* Writes the result file from parts, with room for the trajectories.
 *   offsets  where the trajectories have to be; not read if there are none
 *   read    reads the part of a block, which is closed in any case
 *   path    of the file to make; on failure it may be there in any state */
enum ml_status ml_result_write(const struct ml_layout *layout, const struct ml_offsets *offsets,
                               ml_part_fn *read, const void *context,
                               const struct ml_provenance *provenance, const char *path,
                               struct ml_tally *tally, struct ml_error *err);

/* Makes the same in memory, but for provenance, with room for everything. */
void ml_result_begin_in_memory(struct ml_result_file *result);

/* What every file begins with: the root, and the study with its texts.
 *   first  name of the group that a viewer shows first; may be NULL */
void ml_result_begin_entry(struct ml_result_file *result, const char *first);
void ml_result_write_provenance(struct ml_result_file *result,
                                const struct ml_provenance *provenance);

/* /study/runs, /study/summary and /study/trajectories: make, then add the runs of a part. */
void ml_result_begin_runs(struct ml_result_file *result);
void ml_result_begin_summary(struct ml_result_file *result);
void ml_result_begin_trajectories(struct ml_result_file *result);
void ml_result_add_runs(struct ml_result_file *result, const struct ml_part *part);
void ml_result_add_summary(struct ml_result_file *result, const struct ml_part *part);
void ml_result_add_checksums(struct ml_result_file *result, const struct ml_part *part);
/* The block's trajectories, in memory. */
void ml_result_add_trajectories(struct ml_result_file *result, const struct ml_block *block);

/* Closes the datasets of runs, outputs and records; the file stays open. */
void ml_result_close_datasets(struct ml_result_file *result);

/* Scales of a group whose datasets are shaped on the grid and what is drawn instead, or of a sample
 * the numbers of its runs. What viewers draw along axis k, in the layout or in `name`. Names of the
 * datasets that are there to be drawn only, [at most n_axis]; their number. */
void ml_result_begin_axes(struct ml_result_file *result, hid_t group, enum ml_drawn_use use);
const char *ml_result_axis_name(const struct ml_layout *layout, int k, enum ml_drawn_use use,
                                char name[ML_NAME_LENGTH]);
int ml_result_drawn_names(const struct ml_layout *layout, enum ml_drawn_use use,
                          char names[][ML_NAME_LENGTH]);

/* What viewers write above the picture of a group: "signal (unit), title of the study". */
void ml_result_caption(struct ml_result_file *result, hid_t group, const char *signal,
                       const char *unit);

/* Scale `run` of all runs, or of those that keep a trajectory, in a group. */
enum ml_result_runs { ML_ALL_RUNS, ML_SAVED_RUNS };
void ml_result_run_scale(struct ml_result_file *result, hid_t group, enum ml_result_runs which);
/* One dataset [n_run] per swept quantity, beside a run scale of all. */
void ml_result_swept_columns(struct ml_result_file *result, hid_t group);
/* A dataset [n] of the group with all its values. */
void ml_result_vector(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                      int64_t n, const void *values);
/* Scale [n] of an extra dimension; the same name again does nothing. output: whose dimension it is,
 * NULL if of a record. */
void ml_result_dim_scale(struct ml_result_file *result, hid_t group, enum ml_dim dim,
                         const struct ml_output *output, int n);

/* Name of the group a viewer shows first; NULL if there is nothing to draw. */
const char *ml_result_default(const struct ml_layout *layout);

#endif
