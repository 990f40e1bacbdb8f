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
    int n_input;
    const char *inputs[MOST_INPUTS];
    const char *names[MOST_INPUTS];       /* [n_input of the parts] of inputs, or of their groups */
    int n_run_dim;                        /* of outputs: axes of a grid, and the sample */
    int64_t n_run;                        /* of the sample */
    int64_t n_place;                      /* points of the grid, each with the sample */
    struct ml_index_points parts[N_PART]; /* N/8, N/4, N/2, N points; n 0: left out */
    struct ml_index *room;                /* of ml_index_table_find */
};

/* All points of a sample. */
static inline const struct ml_index_points *sample_points(const struct sample *sample)
{
    return &sample->parts[N_PART - 1];
}

/* As ml_result_attribute; NULL too after a failure, which the sample's `err` has. Ends the command
 * without memory. */
const char *sample_attribute(const struct sample *sample, const char *path, const char *name,
                             int64_t i);

/* The i-th of the inputs that depend on others; NULL behind the last. */
const char *sample_correlated(const struct sample *sample, int64_t i);

/* The indices of a number over a part of the points.
 *   y  [n_run of the part]; changed */
struct indices sample_indices(const struct sample *sample, const struct ml_index_points *part,
                              const char *name, double *y);

/* Reads the sample of the result that a line names, for its estimator, with the smaller parts if
 * the line asks for convergence. To be freed in any case.
 *   sample  {0} */
enum ml_status sample_open(struct sample *sample, const struct command_line *line,
                           struct ml_error *err);
void sample_free(struct sample *sample);

#endif
