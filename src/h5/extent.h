/* Shapes of datasets, their chunks, and boxes of consecutive elements: without HDF5's headers, for
 * the many files that need no more. */
#ifndef ML_H5_EXTENT_H
#define ML_H5_EXTENT_H

#include <stdbool.h>

enum { ML_MAX_RANK = 32 }; /* HDF5's */

/* Sizes, positions or counts per dimension, slowest first. */
struct ml_extent {
    int rank;
    unsigned long long size[ML_MAX_RANK];
};

/* Chunks of at most `limit` elements that are consecutive ranges of the dataset in row order, in
 * which a dimension that is cut is cut evenly; of rank 0, none, if it is empty. */
struct ml_extent ml_extent_chunk(const struct ml_extent *extent, unsigned long long limit);

/* Cuts a box off the range first .. first + n - 1 of a dataset's elements in row order: sets start
 * and count, moves first and n past it; false when nothing is left. Rank 0 has one element. */
bool ml_extent_next_box(const struct ml_extent *extent, unsigned long long *first,
                        unsigned long long *n, struct ml_extent *start, struct ml_extent *count);

#endif
