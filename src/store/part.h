/* A part: one finished block in a small HDF5 file of its own. The chunks of its trajectories are
 * those of the final file, which takes them over as they are. */
#ifndef ML_STORE_PART_H
#define ML_STORE_PART_H

#include "store/h5.h"
#include "store/layout.h"

/* Makes the file, durably. The HDF5 file is built in memory and written in one go, so a full disk
 * is an ordinary error. */
enum ml_status ml_part_write(const struct ml_layout *layout, const struct ml_block *block,
                             const char *path, struct ml_error *err);

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

/* A record's dataset; its chunks are read one by one. */
hid_t ml_part_open_record(struct ml_part *part, int i_record);

/* Reads the chunk at `offset` as it is on disk and verifies its checksum.
 *   bytes  [size], size is that of a chunk and ML_CHECKSUM_BYTES */
void ml_part_read_chunk(struct ml_part *part, hid_t record, const struct ml_extent *offset,
                        void *bytes, size_t size);

enum { ML_CHECKSUM_BYTES = 4 };

#endif
