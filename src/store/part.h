/* A part: one finished block in a small HDF5 file of its own, without its trajectories, but with
 * their checksums. */
#ifndef ML_STORE_PART_H
#define ML_STORE_PART_H

#include "store/h5.h"
#include "store/layout.h"
#include "store/trajectories.h"

/* Makes the file, durably. The HDF5 file is built in memory and written in one go, so a full disk
 * is an ordinary error.
 *   checksums  of the block's trajectories; not read if it keeps none */
enum ml_status ml_part_write(const struct ml_layout *layout, const struct ml_block *block,
                             const struct ml_checksums *checksums, const char *path,
                             struct ml_error *err);

/* An open part. */
struct ml_part {
    struct ml_h5 h5;
    hid_t file;
    const struct ml_layout *layout; /* borrowed */
    int64_t block, n_run, n_saved;
};

/* Opens a part and checks that it is this block of this study. path and err are borrowed until
 * ml_part_close, which returns what went wrong in between; it is called in any case. */
void ml_part_open(struct ml_part *part, const struct ml_layout *layout, int64_t block,
                  const char *path, struct ml_error *err);
enum ml_status ml_part_close(struct ml_part *part);

void ml_part_read_outcome(struct ml_part *part, int8_t *outcome);           /* [n_run] */
void ml_part_read_steps(struct ml_part *part, int64_t *steps);              /* [n_run] */
void ml_part_read_end_time(struct ml_part *part, double *end_time);         /* [n_run] */
void ml_part_read_output(struct ml_part *part, int i_output, double *rows); /* [n_run][rows] */

/* Fails unless the trajectories of the part's block are what their checksums say. */
void ml_part_check_trajectories(struct ml_part *part, struct ml_trajectories *trajectories);

/* Of the block's trajectories in a record: [n_saved]. */
void ml_part_read_checksums(struct ml_part *part, int i_record, uint64_t *checksums);

#endif
