/* The final file while it is written: groups and scales first, then block by block. */
#ifndef ML_STORE_RESULT_H
#define ML_STORE_RESULT_H

#include <stdint.h>

#include "engine/team/ensemble.h"
#include "h5/h5.h"
#include "manylink/result.h"
#include "plan/datasets.h"
#include "plan/drawn.h"
#include "plan/layout.h"
#include "plan/shown.h"
#include "store/accuracy.h"
#include "store/part.h"
#include "store/trajectories.h"

enum { ML_TIME_LENGTH = 32, ML_HOST_LENGTH = 256 };

void ml_provenance_time(char out[ML_TIME_LENGTH]); /* now: UTC, ISO 8601; "" if it is not known */
void ml_provenance_host(char out[ML_HOST_LENGTH]); /* "" if unknown */
const char *ml_provenance_compiler(void);

/* Where and how a result was made: the only thing in which two results of one study differ. */
struct ml_provenance {
    const char *study;     /* path of the file; NULL: none */
    const char *overrides; /* of the study's keys, "PATH=VALUE", a line each; NULL: none */
    const char *options;   /* of `inverse` that say which motion, "NAME=VALUE"; NULL: none */
    const char *version, *compiler, *isa, *host;
    const char
        *kernel; /* that computed it, and its compiler if it was made for it; NULL: none did */
    int threads;
    const char *start_time, *end_time; /* ISO 8601 */
    const char *motion;                /* of `inverse`: checksum of the motion; NULL: it has none */
    int64_t not_finite;                /* of it: results with numbers that are not finite */
    const char *notes;                 /* notes for the user, a line each; NULL: no notes */
};

struct ml_result_file {
    struct ml_h5 h5;
    const struct ml_layout *layout; /* borrowed */
    hid_t file, entry;
    hid_t seal; /* in /study/provenance */
    struct ml_offsets offsets;
    hid_t outcome, end_time, steps; /* in /study/runs */
    hid_t *summary;                 /* [n_output] in /study/summary */
    bool *has_positive;             /* [n_output] of the numbers that have been added, any */
    hid_t outcome_grid, wrapped;    /* in /study/summary; -1: none */
    hid_t *trajectory, *checksum;   /* [ml_layout_records] in /study/trajectories, and in checksums
                                       there */
    struct ml_tally tally;
    struct ml_pool pool;                   /* owns the arrays of this struct */
    const struct ml_accuracy *accuracy;    /* borrowed; NULL: no run was computed again */
    const char *missing;                   /* as of struct ml_result_content */
    const struct ml_trajectories *written; /* the same */
    bool is_in_memory;                     /* without seal and checksums */
    int n_thread;                          /* that make columns and filter chunks */
    hid_t scaled;                          /* the group that was last given scales of dimensions */
    bool scales[ML_N_DATASET];             /* whether that group has the scale */
    const char **views; /* [n_view] names of the views written since the last index, in order */
    int n_view, views_room;
    char instead[ML_NAME_LENGTH]; /* the first view of the summary, if there are no points of events
                                     that are to come first; "" */
};

typedef enum ml_status ml_part_fn(const void *context, int64_t block, struct ml_part *part,
                                  struct ml_error *err);

/* Inputs of a result. */
struct ml_result_content {
    ml_part_fn *read;                   /* reads the part of a block, which is closed in any case */
    const void *context;                /* of that */
    const struct ml_accuracy *accuracy; /* NULL: no run was computed again */
    const char *missing;                /* names the shards that were lost; NULL: none was */
    const struct ml_trajectories *trajectories; /* of all blocks; NULL: the study saves none */
    const struct ml_offsets *offsets; /* where these have to be; not read without trajectories */
    const struct ml_provenance *provenance;
    int n_thread; /* that read parts and filter chunks */
};

/* Writes the result file from parts, with room for the trajectories.
 *   path  of the file to make; on failure it may be there in any state */
enum ml_status ml_result_write(const struct ml_layout *layout,
                               const struct ml_result_content *content, const char *path,
                               struct ml_tally *tally, struct ml_error *err);

/* Bytes of such a file: about, with a guess at the compression of some columns, and at most. */
struct ml_result_bytes {
    double about, most;
};

/* By making the file in memory without a number in it; 0 without the memory for that. Fails where a
 * name or a shape of the result cannot be made, which no computed run should have to wait for:
 * names of datasets are checked here alone.
 *   n_accuracy  runs that are computed again */
enum ml_status ml_result_sketch(const struct ml_layout *layout, int n_accuracy,
                                struct ml_result_bytes *bytes, struct ml_error *err);

/* Begins to use HDF5 for the file at `path`, which is not made yet, and makes the arrays; sets h5
 * to ML_E_MEMORY without memory. The other fields are set after that. Free in any case, behind
 * ml_h5_end.
 *   layout, path  borrowed */
void ml_result_file_begin(struct ml_result_file *result, const struct ml_layout *layout,
                          const char *path, struct ml_error *err);
void ml_result_file_free(struct ml_result_file *result);

/* Makes the same in memory, but for provenance, with room for everything. */
void ml_result_begin_in_memory(struct ml_result_file *result);

/* Beginning of every file: the root, and the study with its texts. first path of the group that a
 * viewer shows first; NULL: by the views */
void ml_result_begin_entry(struct ml_result_file *result, const char *first);
void ml_result_write_provenance(struct ml_result_file *result,
                                const struct ml_provenance *provenance);

/* Begins the file at `path` of a result without trajectories, as above; then its provenance and its
 * seal, and frees the file. */
void ml_result_create(struct ml_result_file *result, const struct ml_layout *layout,
                      const char *path, const char *first, struct ml_error *err);
enum ml_status ml_result_finish(struct ml_result_file *result,
                                const struct ml_provenance *provenance, const char *path,
                                struct ml_error *err);

/* /study/runs, /study/summary and /study/trajectories: make, then add the runs of a part. */
void ml_result_begin_runs(struct ml_result_file *result);
/* Parts of the first: the group, whose datasets are along `run`; the design of a sample, scale and
 * swept numbers of the runs; how the runs ended. */
hid_t ml_result_begin_run_list(struct ml_result_file *result);
void ml_result_begin_inputs(struct ml_result_file *result, hid_t group);
void ml_result_begin_outcome(struct ml_result_file *result, hid_t group);
void ml_result_begin_summary(struct ml_result_file *result);
/* Returns the group; -1: no trajectories are saved. */
hid_t ml_result_begin_trajectories(struct ml_result_file *result);
void ml_result_add_runs(struct ml_result_file *result, const struct ml_part *part);
void ml_result_add_summary(struct ml_result_file *result, const struct ml_part *part);
void ml_result_add_checksums(struct ml_result_file *result, const struct ml_part *part);
/* The block's trajectories, in memory. */
void ml_result_add_trajectories(struct ml_result_file *result, const struct ml_block *block);

/* Labels of runs by their attractor, and /study/attractors, if the study asks for them; once all
 * runs are there. */
void ml_result_write_attractors(struct ml_result_file *result);

/* /study/sensitivity/global of a design for indices; once all runs are there. */
void ml_result_write_sensitivity(struct ml_result_file *result);

/* Paths of the inputs of a sample, [n] in their order; and the group of each, or without groups its
 * path again. NULL without memory. */
const char *const *ml_result_inputs(struct ml_result_file *result, int *n);
const char *const *ml_result_groups(struct ml_result_file *result, int *n);

/* /study/statistics of a study with a sample; once all runs are there. */
void ml_result_write_statistics(struct ml_result_file *result);

/* In the group /study/statistics the parts of runs that ended in each way, that meet each
 * requirement, and that have each label of an attractor.
 *   n_cell  points of the axes that are not the sample's */
struct ml_sample_statistics;
void ml_result_write_outcome_parts(struct ml_result_file *result, hid_t statistics,
                                   const struct ml_sample_statistics *found);
void ml_result_write_requirement_parts(struct ml_result_file *result, hid_t statistics,
                                       const struct ml_sample_statistics *found);
void ml_result_write_label_parts(struct ml_result_file *result, hid_t statistics, int64_t n_cell);

/* In the group /study/statistics the group of saved quantities at each saved time. */
void ml_result_write_bands(struct ml_result_file *result, hid_t statistics);

/* Attribute `left_out` of a group of statistics, "1024 of 4096 runs: 1000 missing, 24 diverged",
 * and where runs are missing the lost shards.
 *   outcomes  [n_cell] runs that ended so; NULL in a sketch */
void ml_result_name_left_out(struct ml_result_file *result, hid_t group, int64_t n_cell,
                             const int64_t (*outcomes)[ML_N_OUTCOME]);

/* /study/accuracy, if there is any. */
void ml_result_write_accuracy(struct ml_result_file *result);

/* Closes the datasets of runs, outputs and records; the file stays open. */
void ml_result_close_datasets(struct ml_result_file *result);

/* Scales of a group whose datasets are shaped on the grid, or of a sample the numbers of its runs;
 * both with the values of the swept numbers. */
void ml_result_begin_axes(struct ml_result_file *result, hid_t group);

/* Scales of the axes of a study with a sample that are not the sample's; and the same dimensions of
 * a dataset. */
void ml_result_grid_scales(struct ml_result_file *result, hid_t group);
void ml_result_along_grid(const struct ml_layout *layout, struct ml_h5_field *field);

/* Names the dimensions of a group's datasets that are the runs. */
void ml_result_name_run_dims(struct ml_result_file *result, hid_t group, int n,
                             const char *const *names);

/* In a group of views, "axis.NAME" for each drawn axis of the grid: the coordinates of views of the
 * data in `data`, with scales as above. */
#define ML_NXDATA_AXIS_PREFIX "axis."
#define ML_NXDATA_POINT "point" /* along it are the points of scatter plots */
void ml_result_draw_axes(struct ml_result_file *result, hid_t data, hid_t plots);

/* Output i and record i as they are made, without their scales' group. */
struct ml_h5_field ml_result_output_field(const struct ml_layout *layout, int i);
struct ml_h5_field ml_result_record_field(const struct ml_layout *layout, int i);

/* The title of a study, or the name of its file. */
const char *ml_result_title(const struct ml_study *study);

/* The text above the picture of a group: "signal (unit), title of the study". */
void ml_result_caption(struct ml_result_file *result, hid_t group, const char *signal,
                       const char *unit);

/* Scale `run` of all runs, or of those that keep a trajectory, in a group. */
enum ml_result_runs { ML_ALL_RUNS, ML_SAVED_RUNS };
void ml_result_run_scale(struct ml_result_file *result, hid_t group, enum ml_result_runs which);
/* One dataset [n_run] per swept quantity, beside a run scale of all; and the dataset of one. */
struct ml_h5_field ml_result_swept_field(const struct ml_layout *layout,
                                         const struct ml_swept *swept);
void ml_result_swept_columns(struct ml_result_file *result, hid_t group);
/* Attributes `distribution`.. of the column of quantity k of a sample. */
void ml_result_name_distribution(struct ml_h5 *h5, hid_t column, const struct ml_axis *sample,
                                 int k);
/* Size of a dimension of the datasets of a group, and its scale. */
struct ml_result_dim {
    enum ml_dataset scale; /* ML_DATA_NONE ends a list of dimensions */
    int64_t n;
    const void *values; /* [n] for ml_result_write_scales; NULL: 0, 1, .. */
    const char *name;   /* of the scale; NULL: that of its row */
};

/* The output, quantity or key that NAME in the path of a row stands for. */
struct ml_result_item {
    const char *name, *unit, *doc;
    const enum ml_dim *dim;         /* [ML_MAX_DIM] */
    const struct ml_output *output; /* NULL: a quantity over time */
};

/* A dataset as its row in plan/datasets.def has it, without compression.
 *   dims  of the row; NULL: it has none of a given size, or the caller sets the shape
 *   item  NULL: of a path without NAME */
struct ml_h5_field ml_result_field(const struct ml_layout *layout, const struct ml_result_dim *dims,
                                   enum ml_dataset dataset, const struct ml_result_item *item);

struct ml_result_item ml_result_output_item(const struct ml_output *output);
struct ml_result_item ml_result_record_item(const struct ml_quantity *record);

/* A group while its datasets are written. */
struct ml_result_group {
    struct ml_result_file *result;
    hid_t id;
    const struct ml_result_dim *dims;
};

/* Makes the group of a dataset, below the group `above`. */
hid_t ml_result_begin_group(struct ml_result_file *result, hid_t above, enum ml_dataset dataset);

/* Writes such a dataset.
 *   values  of a scale NULL: 0, 1, ..; else NULL in a sketch */
void ml_result_write_dataset(const struct ml_result_group *group, enum ml_dataset dataset,
                             const struct ml_result_item *item, const void *values);
/* The scales of a dataset among `dims` that the group does not have yet, or that have a name of
 * their own. Groups are given their scales one after the other. */
void ml_result_write_scales(const struct ml_result_group *group, enum ml_dataset dataset);
bool ml_result_has_scale(const struct ml_result_file *result, hid_t group, enum ml_dataset scale);
/* A scale of n entries. */
void ml_result_write_scale(struct ml_result_file *result, hid_t group, enum ml_dataset scale,
                           int64_t n, const void *values);

/* Scale `time` [s] of the saved times in a group. */
void ml_result_time_scale(struct ml_result_file *result, hid_t group);
/* A dataset [n] of the group with all its values. */
void ml_result_vector(struct ml_result_file *result, hid_t group, struct ml_h5_field field,
                      int64_t n, const void *values);

/* Scales of the extra dimensions dim [ML_MAX_DIM] of an output, or of a record if `output` is NULL;
 * and the same dimensions of a dataset. */
void ml_result_dim_scales(struct ml_result_file *result, hid_t group, const enum ml_dim *dim,
                          const struct ml_output *output);
void ml_result_along_dims(const struct ml_layout *layout, struct ml_h5_field *field,
                          const enum ml_dim *dim, const struct ml_output *output);

/* Views of the summary, once all runs are there, and of the trajectories in their group. */
void ml_result_write_views(struct ml_result_file *result);
void ml_result_begin_motion_views(struct ml_result_file *result, hid_t trajectories);

/* Views of the points of events, once all runs are there, beside those of the summary. */
void ml_result_write_points(struct ml_result_file *result, hid_t summary, hid_t plots);

/* Notes the name of a view that has been written. The index of a group of views, its attribute
 * `views`, has the names that were noted since the last index. */
void ml_result_note_view(struct ml_result_file *result, const char *name);
void ml_result_index_views(struct ml_result_file *result, hid_t plots);

/* Makes a view the first of a group of /study, and of the study if it is there that viewers begin.
 *   name, data, plots  of the group, it, and that of its views */
void ml_result_default_view(struct ml_result_file *result, const char *name, hid_t data,
                            hid_t plots, const char *view);

/* Views as h5web and silx draw them. One is a group NXdata below the group of its data that holds
 * a signal for each number of a dataset that viewers know by name, and the axes to draw it along.
 * It stores next to nothing: signals are links or virtual datasets. */

enum { ML_NXDATA_MOST_SIGNALS = 32 }; /* more are no menu and no curves that could be told apart */

enum ml_nxdata_role {
    ML_NXDATA_AXIS,   /* the signals are drawn along it */
    ML_NXDATA_SIGNAL, /* each of its entries is a signal */
    ML_NXDATA_FIXED,  /* the entry of `view` is taken */
};

/* A dimension of the dataset. */
struct ml_nxdata_dim {
    enum ml_nxdata_role role;
    const struct ml_axis *axis; /* of the sweep; NULL: the scale of this dimension, or its labels */
    const char *const *labels;  /* [its size]; NULL: numbers, those of its scale */
};

struct ml_nxdata {
    const char *name;         /* of the group */
    const char *shows;        /* the dataset that it is of, for `manylink plot` */
    const char *title;        /* begins the title; NULL: that name */
    hid_t data, plots;        /* the groups of the dataset and of its views */
    const char *path;         /* of the former */
    struct ml_h5_field field; /* the dataset */
    struct ml_view view;      /* how it is drawn; x of a scatter plot is a dataset [runs] */
    struct ml_nxdata_dim dim[ML_MAX_RANK];
    const char *signal;              /* name of the only one; NULL: from labels or of the dataset */
    const char *over_unit;           /* of a scatter plot's x */
    const struct ml_h5_field *error; /* standard errors of the first of its numbers, or of all;
                                        NULL */
    int64_t first;                   /* number of the signal that is shown first; -1: the last */
};

/* Sets view and dim by the rules, of a field with scales.
 *   n_run_dim  its first dimensions are the runs
 *   axes       [n_run_dim] of the sweep; NULL: a list of runs */
void ml_nxdata_begin(struct ml_nxdata *nx, int n_run_dim, const struct ml_axis *axes);

/* Sets the scale of the numbers: those of colours in a map. */
void ml_nxdata_scale(struct ml_view *view, enum ml_view_scale scale);

/* The attributes that say how a group NXdata of n axes is drawn: manylink's own, which
 * ml_result_view reads, and those of h5web and silx. */
void ml_nxdata_attributes(struct ml_result_file *result, hid_t group, const struct ml_view *view,
                          int n);

/* The swept quantity of a list of runs that component `at` of an output depends on most. */
int ml_nxdata_over(struct ml_result_file *result, int output, int64_t at);

void ml_nxdata_write(struct ml_result_file *result, const struct ml_nxdata *view);

/* "LABEL" or "LABEL.LABEL" of signal i. */
void ml_nxdata_signal_name(const struct ml_nxdata *view, int64_t i, char name[ML_NAME_LENGTH]);

void ml_view_write(struct ml_h5 *h5, hid_t group, const struct ml_view *view);

#endif
