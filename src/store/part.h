/* A part: the numbers of a finished block until the result is assembled, without trajectories, but
 * with their checksums. It is the memory below as it is, with a head that says of which runs and
 * XXH3 (64 bits) of it all at the end, a multiple of 8 bytes. Nobody but this program reads it, on
 * a machine of the same kind. */
#ifndef ML_STORE_PART_H
#define ML_STORE_PART_H

#include "plan/layout.h"
#include "store/trajectories.h"

struct ml_part {
    const struct ml_layout *layout; /* borrowed */
    int64_t block, n_run, n_saved;
    char *bytes; /* the fields below point into this memory */
    size_t size;
    double *end_time; /* [n_run] */
    int64_t *steps;   /* [n_run] */
    double **summary; /* [n_output] -> [n_run][rows]; in memory of its own */
    uint64_t *sums;   /* [ml_layout_records][n_saved] as of ml_trajectories */
    int8_t *outcome;  /* [n_run] */
};

/* Begins a part; of another byte order it is not valid. */
struct ml_part_head {
    uint64_t magic, study; /* identity of the study */
    uint64_t size;         /* of the part, bytes */
    int64_t block, first, n_run, n_saved;
    int64_t is_missing; /* it only says that its runs are missing */
};

enum { ML_PART_ALIGNMENT = 8 };

/* Memory for the part of a block, not filled; false without memory. Close in any case. */
bool ml_part_init(struct ml_part *part, const struct ml_layout *layout, int64_t block);
void ml_part_close(struct ml_part *part);

/* Fills in everything.
 *   sums  of the block's trajectories; not read if it keeps none */
void ml_part_fill(struct ml_part *part, const struct ml_block *block, const uint64_t *sums);

/* Whether this is the head of a part of any study; and of a block of this layout. */
bool ml_part_is_head(const struct ml_part_head *head);
bool ml_part_is_head_of(const struct ml_layout *layout, const struct ml_part_head *head);

/* Whether so many bytes, head and all, have the checksum that they end in. */
bool ml_part_is_whole(const void *bytes, size_t size);

/* NULL if the bytes are intact, else the fault. */
const char *ml_part_damage(const struct ml_part *part);

/* Blocks of runs that are missing: NaN and the outcome "missing". */
struct ml_missing_block {
    const struct ml_layout *layout; /* borrowed */
    struct ml_block block;          /* memory for the largest */
    double *nan;                    /* what all its numbers are */
};

/* false without memory. Free in any case. */
bool ml_missing_block_init(struct ml_missing_block *missing, const struct ml_layout *layout);
void ml_missing_block_free(struct ml_missing_block *missing);

/* The block of this number, of which nothing is known. */
const struct ml_block *ml_missing_block_of(struct ml_missing_block *missing, int64_t block);

#endif
