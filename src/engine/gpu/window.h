/* Steps of many batches at once, given ones or chosen by each run: the argument of `ml_gpu_window`,
 * the entry of a kernel for which the method and the number of tangent vectors are constants, too.
 * On a GPU each thread of a launch takes the steps of one run: thread i those of lane i % ML_LANES
 * of batch i / ML_LANES; threads from ML_LANES n_batch on do nothing. The same entry compiled for a
 * processor takes the steps of all runs in one call. */
#ifndef ML_ENGINE_GPU_WINDOW_H
#define ML_ENGINE_GPU_WINDOW_H

#include <stdint.h>

#include "model/system.h"

/* Faults of a run, as of ml_lane_faults. A run with a fault but ML_GPU_UNDERWAY advances no more.
 */
enum {
    ML_GPU_NONFINITE = 1,
    ML_GPU_SINGULAR = 2,
    ML_GPU_TOO_SHORT = 4,
    ML_GPU_TOO_MANY = 8,
    ML_GPU_UNDERWAY = 16
};

/* Where tangent vectors are made orthonormal on the way: behind every `every`-th step and at the
 * end of the runs, as ml_renormalise does. */
struct ml_gpu_stops {
    int64_t every;   /* steps; 0: never, and the rest is not read */
    int64_t n_step;  /* of a run, from its start to its end */
    int n_tangent;   /* vectors */
    int trace_every; /* steps from one sum of the Jacobian's trace to the next, as ml_trace_add; 0:
                        none is added up. A divisor of `every`. */
    double step;     /* s, of the integral of the trace */
    double
        *trace;   /* [n_batch][2][ML_LANES] in and out: 1/s, and its integral since the last stop */
    double *rows; /* [n_batch][stops of a run][n_row][ML_LANES] out: R as of ml_renormalisation,
                     and where trace_every is not 0 the integral */
};

/* Rows of a stop. */
static inline int ml_gpu_stop_rows(int n_tangent, bool has_trace)
{
    return ml_tri(n_tangent, 0) + (has_trace ? 1 : 0);
}

/* Passed by value; the pointers are addresses of the memory of the device. */
struct ml_gpu_window {
    int64_t n_batch;
    /* Of the first batch; the rows of each further batch follow those of the batch before. All
     * lanes take the steps: `active` is not read, and neither is `residual`. */
    struct ml_clock clock; /* of given steps */
    /* Of steps that runs choose; until_first is not read. */
    struct ml_control control;
    struct ml_leg leg;
    int64_t history_stride;  /* doubles from clock.history to the history of the next batch */
    const double *constants; /* [n_batch][ml_rows_constants][ML_LANES] */
    double *x;               /* [n_batch][ml_rows_x][ML_LANES] in and out */
    unsigned char *faults;   /* [n_batch][ML_LANES] in and out: sum of ML_GPU_... */
    struct ml_gpu_stops stops;
};

typedef void ml_gpu_window_fn(struct ml_gpu_window window);

#endif
