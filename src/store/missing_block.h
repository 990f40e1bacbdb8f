/* Blocks of runs that are missing. */
#ifndef ML_STORE_MISSING_BLOCK_H
#define ML_STORE_MISSING_BLOCK_H

#include "store/layout.h"

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
