/* Indices of one number of every run, as a table. */
#ifndef ML_CLI_INDICES_H
#define ML_CLI_INDICES_H

#include <stdbool.h>

#include "manylink/indices.h"

/* Words of --estimator: by the design, or of first order by Saltelli's design, or of any sample. */
enum estimator {
    ESTIMATOR_AUTO,
    ESTIMATOR_SALTELLI,
    ESTIMATOR_JANSEN,
    ESTIMATOR_JANON,
    ESTIMATOR_BINS,
    ESTIMATOR_RANK,
    ESTIMATOR_RBD_FAST
};
extern const char *const estimator_words[]; /* NULL at the end */

/* The points of a result. */
struct points {
    const char *const *inputs; /* [n_input] names */
    int n_input;
    int n_row; /* runs of a point: 1 without Saltelli's design */
    bool has_second, is_even;
    enum estimator estimator; /* not ESTIMATOR_AUTO */
};

/* Indices of a number over the first n points.
 *   given  of these points; NULL with Saltelli's design
 *   y      [n][n_row]; changed
 *   room   [n_input * (n_input + 4)] */
void print_indices(const struct points *points, int64_t n, const struct ml_given_inputs *given,
                   const char *name, double *y, struct ml_index *room);

#endif
