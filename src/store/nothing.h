/* Blocks of runs that are missing. */
#ifndef ML_STORE_NOTHING_H
#define ML_STORE_NOTHING_H

#include "store/layout.h"

struct ml_nothing {
    const struct ml_layout *layout; /* borrowed */
    struct ml_block block;          /* memory for the largest */
    double *nan;                    /* what all its numbers are */
};

/* false without memory. Free in any case. */
bool ml_nothing_init(struct ml_nothing *nothing, const struct ml_layout *layout);
void ml_nothing_free(struct ml_nothing *nothing);

/* The block of this number, of which nothing is known. */
const struct ml_block *ml_nothing_block(struct ml_nothing *nothing, int64_t block);

#endif
