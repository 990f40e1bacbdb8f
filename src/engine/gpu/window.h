/* Given steps of many batches at once: the argument of `ml_gpu_window`, the entry of a kernel for
 * which the method and the number of tangent vectors are constants, too. On a GPU each thread of a
 * launch takes the steps of one run: thread i those of lane i % ML_LANES of batch i / ML_LANES;
 * threads from ML_LANES n_batch on do nothing. The same entry compiled for a processor takes the
 * steps of all runs in one call. */
#ifndef ML_ENGINE_GPU_WINDOW_H
#define ML_ENGINE_GPU_WINDOW_H

#include <stdint.h>

#include "model/system.h"

/* Faults of a run, as of ml_lane_faults. */
enum { ML_GPU_NONFINITE = 1, ML_GPU_SINGULAR = 2 };

/* Passed by value; the pointers are addresses of the memory of the device. */
struct ml_gpu_window {
    int64_t n_batch;
    /* Of the first batch; the rows of each further batch follow those of the batch before. All
     * lanes take the steps: `active` is not read, and neither is `residual`. */
    struct ml_clock clock;
    int64_t history_stride;  /* doubles from clock.history to the history of the next batch */
    const double *constants; /* [n_batch][ml_rows_constants][ML_LANES] */
    double *x;               /* [n_batch][ml_rows_x][ML_LANES] in and out */
    unsigned char *faults;   /* [n_batch][ML_LANES] out: sum of ML_GPU_... */
};

typedef void ml_gpu_window_fn(struct ml_gpu_window window);

#endif
