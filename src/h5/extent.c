/* Cuts datasets into chunks and boxes that are consecutive in row order. */
#include "h5/extent.h"

/* Length of the about equal pieces of at most `limit` that a dimension is cut into. The last piece
 * is stored whole: there are more pieces than needed where it would be mostly empty. */
static unsigned long long extent_piece(unsigned long long size, unsigned long long limit)
{
    const unsigned long long tolerated = size / 64, needed = (size + limit - 1) / limit;
    unsigned long long best = (size + needed - 1) / needed, least = needed * best - size;
    for (unsigned long long n = needed + 1; least > tolerated && n < 2 * needed; n++) {
        const unsigned long long piece = (size + n - 1) / n;
        if (n * piece - size >= least)
            continue;
        best = piece;
        least = n * piece - size;
    }
    return best;
}

struct ml_extent ml_extent_chunk(const struct ml_extent *extent, unsigned long long limit)
{
    struct ml_extent chunk = *extent;
    for (int k = 0; k < extent->rank; k++)
        if (extent->size[k] == 0)
            return (struct ml_extent){0}; /* HDF5 has no empty chunks */
    for (int k = extent->rank - 1; k >= 0; k--) {
        if (chunk.size[k] > limit)
            chunk.size[k] = extent_piece(chunk.size[k], limit);
        limit = chunk.size[k] < extent->size[k] ? 1 : limit / chunk.size[k];
    }
    return chunk;
}

/* Dimension along which the next box extends: the slowest whose rows begin at `first` and of which
 * one fits into n. Sets *stride to the elements of one such row. */
static int box_dimension(const struct ml_extent *extent, unsigned long long first,
                         unsigned long long n, unsigned long long *stride)
{
    int k = extent->rank - 1;
    for (*stride = 1; k > 0; k--) {
        unsigned long long next = *stride * extent->size[k];
        if (first % next != 0 || n < next)
            break;
        *stride = next;
    }
    return k;
}

bool ml_extent_next_box(const struct ml_extent *extent, unsigned long long *first,
                        unsigned long long *n, struct ml_extent *start, struct ml_extent *count)
{
    if (*n == 0)
        return false;
    start->rank = count->rank = extent->rank;
    unsigned long long stride, rest = *first, taken = 1;
    int along = box_dimension(extent, *first, *n, &stride);
    for (int k = extent->rank - 1; k >= 0; k--) {
        start->size[k] = rest % extent->size[k];
        rest /= extent->size[k];
        count->size[k] = k > along ? extent->size[k] : 1;
    }
    if (extent->rank > 0) {
        unsigned long long room = extent->size[along] - start->size[along];
        count->size[along] = *n / stride < room ? *n / stride : room;
        taken = count->size[along] * stride;
    }
    *first += taken;
    *n -= taken;
    return true;
}
