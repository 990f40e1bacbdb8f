/* Lines of consecutive runs, each started from the end of its predecessor (numerical
 * continuation). */
#ifndef ML_DESIGN_CONTINUATION_H
#define ML_DESIGN_CONTINUATION_H

#include <stdbool.h>
#include <stdint.h>

/* Reason why such runs cannot be computed one by one, for messages. */
#define ML_CONTINUED_RUNS "runs of a `continue` axis start from each other's ends"

/* A line is n_run consecutive runs. They are integrated in the order 0 .. n_forward - 1, then n_run
 * - 1 down to n_forward; each starts from the final state of the one integrated before it. */
struct ml_continuation {
    int64_t n_run; /* of a line; 0: no lines, every run begins by itself */
    int64_t n_forward;
    bool has_continuation; /* a run without its line, from the state that the run before it ended
                              with */
};

/* Runs that can only be computed together. */
static inline int64_t ml_continuation_unit(const struct ml_continuation *continuation)
{
    return continuation->n_run > 0 ? continuation->n_run : 1;
}

#endif
