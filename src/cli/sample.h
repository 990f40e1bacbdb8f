/* A sample in a result: its design, its inputs, and the parts whose indices are found. */
#ifndef ML_CLI_SAMPLE_H
#define ML_CLI_SAMPLE_H

#include "cli/indices.h"
#include "cli/options.h"
#include "manylink/result.h"

enum { MOST_INPUTS = 4096, N_PART = 4 };

struct sample {
    struct ml_result *result;
    struct ml_error *err;
    const char *inputs[MOST_INPUTS];
    struct points points;
    int n_run_dim;             /* of outputs: axes of a grid, and the sample */
    int64_t n_point, n_place;  /* points of the sample, of FAST of a curve; points of the grid, each
                                  with the sample */
    struct part parts[N_PART]; /* N/8, N/4, N/2, N points */
    struct ml_index *room;     /* of indices_find */
};

/* Reads the sample of the result that a line names, for its estimator, with the smaller parts if
 * the line asks for convergence. To be freed in any case.
 *   sample  {0} */
enum ml_status sample_open(struct sample *sample, const struct command_line *line,
                           struct ml_error *err);
void sample_free(struct sample *sample);

#endif
