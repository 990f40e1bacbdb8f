/* A part: a finished block in a small file of its own, without its trajectories, but with their
 * checksums. Nobody but this program reads it, on a machine of the same kind: it is the memory
 * below as it is, with a head that says of which runs and XXH3 (64 bits) of it all at the end. */
#ifndef ML_STORE_PART_H
#define ML_STORE_PART_H

#include "store/layout.h"
#include "store/trajectories.h"

struct ml_part {
    const struct ml_layout *layout; /* borrowed, like path */
    const char *path;
    int64_t block, n_run, n_saved;
    char *bytes; /* of the file; what follows is in there */
    size_t size;
    double *end_time;               /* [n_run] */
    int64_t *steps;                 /* [n_run] */
    double *summary[ML_MAX_OUTPUT]; /* [n_output] -> [n_run][rows] */
    struct ml_checksums checksums;  /* [n_saved] per record that is kept */
    int8_t *outcome;                /* [n_run] */
};

/* Makes the file, durably.
 *   checksums  of the block's trajectories; not read if it keeps none */
enum ml_status ml_part_write(const struct ml_layout *layout, const struct ml_block *block,
                             const struct ml_checksums *checksums, const char *path,
                             struct ml_error *err);

/* Reads a part and checks that it is whole and this block of this study. Close in any case. */
enum ml_status ml_part_open(struct ml_part *part, const struct ml_layout *layout, int64_t block,
                            const char *path, struct ml_error *err);
void ml_part_close(struct ml_part *part);

/* Whether the trajectories of the part's block are what its checksums say. */
enum ml_status ml_part_check_trajectories(const struct ml_part *part,
                                          struct ml_trajectories *trajectories,
                                          struct ml_error *err);

#endif
