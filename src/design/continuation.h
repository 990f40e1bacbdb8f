/* Lines of consecutive runs that go on from each other. */
#ifndef ML_DESIGN_CONTINUATION_H
#define ML_DESIGN_CONTINUATION_H

#include <stdint.h>

/* In a line each run begins with the state that the one before it on the way ended with: first
 * n_forward of them in their order, then the others from the last one back. */
struct ml_continuation {
    int64_t n_run; /* of a line; 0: no lines, every run begins by itself */
    int64_t n_forward;
};

/* Runs that can only be computed together. */
static inline int64_t ml_continuation_unit(const struct ml_continuation *continuation)
{
    return continuation->n_run > 0 ? continuation->n_run : 1;
}

#endif
