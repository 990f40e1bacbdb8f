/* Shapes of the datasets: the place of each run's numbers, the chunks, and the space on disk. */
#ifndef ML_PLAN_LAYOUT_H
#define ML_PLAN_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "h5/extent.h"
#include "plan/shard.h"
#include "plan/study.h"

/* Layout that every part and the final file of a study, or of its shard, have in common. Blocks and
 * runs have the numbers that they have in the whole study; where they are in the datasets is their
 * row. */
struct ml_layout {
    const struct ml_study *study; /* borrowed */
    struct ml_shard shard;
    struct ml_results results; /* the study's */
    const char *of;            /* as of struct ml_result_kind */
    uint64_t identity;         /* of the resolved text in the work folder, and of `of` */
    struct ml_extent runs;     /* the grid; a sample or a shard: [n_run]; a single run: rank 0 */
    int64_t n_run, n_block;
    int64_t n_saved;       /* runs that keep a trajectory */
    int64_t *saved_before; /* [n_block + 1] of a shard that keeps any: saved runs before a block */
};

/* The layout of a whole study. */
void ml_layout_init(struct ml_layout *layout, const struct ml_study *study);

/* The layout of a shard, or of a whole study if shard.count is 1; false without memory. Free in any
 * case. */
bool ml_layout_init_shard(struct ml_layout *layout, const struct ml_study *study,
                          struct ml_shard shard);
void ml_layout_free(struct ml_layout *layout);

/* Whether the runs are in a list: those of a sample or of a shard. */
bool ml_layout_is_list(const struct ml_layout *layout);
int ml_layout_swept(const struct ml_layout *layout); /* number of swept quantities */
/* The k-th of them, in the order axes, quantities; NULL past the last. */
const struct ml_swept *ml_layout_swept_at(const struct ml_layout *layout, int k);

/* Number of the records that trajectories keep, and the k-th of these records. */
int ml_layout_records(const struct ml_layout *layout);
const struct ml_quantity *ml_layout_quantity(const struct ml_layout *layout, int k);
bool ml_layout_has_trajectories(const struct ml_layout *layout);

/* The j-th block that is in it, and whether a number is that of one. */
int64_t ml_layout_block(const struct ml_layout *layout, int64_t j);
bool ml_layout_has_block(const struct ml_layout *layout, int64_t block);

/* Runs of a block, the last of which may be short; the row of the first, and the run of a row. */
int64_t ml_layout_block_first(const struct ml_layout *layout, int64_t block);
int64_t ml_layout_block_runs(const struct ml_layout *layout, int64_t block);
int64_t ml_layout_block_row(const struct ml_layout *layout, int64_t block);
int64_t ml_layout_run(const struct ml_layout *layout, int64_t row);
/* Saved runs of a block, and how many there are before it, which is the row of the first. */
int64_t ml_layout_block_saved(const struct ml_layout *layout, int64_t block);
int64_t ml_layout_saved_before(const struct ml_layout *layout, int64_t block);
/* Which run the i-th saved run of a block is, and that of a row. */
int64_t ml_layout_block_saved_run(const struct ml_layout *layout, int64_t block, int64_t i);
int64_t ml_layout_saved_run(const struct ml_layout *layout, int64_t row);
/* Saved runs of the block that has most. */
int64_t ml_layout_block_most_saved(const struct ml_layout *layout);

/* Name of dimension k of the runs, and of an extra dimension: the names of their scales. */
const char *ml_layout_runs_name(const struct ml_layout *layout, int k);
const char *ml_layout_dim_name(enum ml_dim dim);

/* The n numbers along an extra dimension of an output; false of a dimension that has labels. */
bool ml_layout_dim_values(enum ml_dim dim, const struct ml_output *output, int n, double *values);

/* Numbers of one run in output i, and the shape of its dataset: runs, then extra dimensions. */
int64_t ml_layout_output_rows(const struct ml_layout *layout, int i_output);
struct ml_extent ml_layout_output(const struct ml_layout *layout, int i_output);

/* Shape of the dataset of the k-th kept record: [n_saved, dimensions of the record, n_sample]. */
struct ml_extent ml_layout_record(const struct ml_layout *layout, int k, int64_t n_saved);

/* Bytes of one run in that dataset. */
size_t ml_layout_run_bytes(const struct ml_layout *layout, int k);

/* Bytes of the numbers of all runs, as parts have them, and of the trajectories. */
double ml_space_of_numbers(const struct ml_layout *layout);
double ml_space_of_trajectories(const struct ml_layout *layout);

/* Bytes needed beside the final file, of `result` bytes, until it is there: the parts, and the file
 * that HDF5 makes. */
double ml_space_of_parts(const struct ml_layout *layout, double result);

/* Bytes; all 0 if they are not known. */
struct ml_space {
    double needed;    /* still to be written into a folder of parts and the final file, at most */
    double available; /* free there for this user */
    double capacity;  /* of the whole disk */
};

/* The space of a result that takes so many bytes with all parts, which are in the folder `parts`.
 */
struct ml_space ml_space_find(double all, const char *parts);

/* Whether a result has the group: that of all runs of a study with a sample, but not of a design
 * whose points are no sample of the distributions. */
bool ml_described(const struct ml_layout *layout);

/* Whether output i is described: numbers of a run, but none over time or of numbered events, no
 * derivative and no label of an attractor. */
bool ml_described_output(const struct ml_layout *layout, int i);

/* Whether record k of the trajectories is described at each time: no derivative. */
bool ml_described_record(const struct ml_layout *layout, int k);

/* Whether point k of the sample's axis counts: of a design for indices, whose runs share
 * coordinates, only those runs count that are independent of each other, the first and the last of
 * each point. */
bool ml_described_run(const struct ml_layout *layout, int64_t k);

enum { ML_NAME_LENGTH = 256 }; /* bytes, with the end of the text */

/* Makes every "/" a "|": HDF5 takes the text before a slash for a group. */
void ml_name_replace_slashes(char *name);

/* Appends ".LABEL", without the point to an empty name, and replaces slashes; cuts a name that is
 * too long. */
void ml_name_append(char name[ML_NAME_LENGTH], const char *label);

#endif
