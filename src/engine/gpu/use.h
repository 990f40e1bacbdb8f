/* A GPU that some threads of a team use. */
#ifndef ML_ENGINE_GPU_USE_H
#define ML_ENGINE_GPU_USE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "engine/gpu/driver.h"

struct ml_gpu_use {
    const struct ml_gpu *gpu; /* with the kernel ml_gpu_window of the ensemble; borrowed */
    int n_thread; /* threads for the GPU, each with a block, beside those that were asked for */
    size_t queue_bytes;     /* of each thread's queue, at most: batches of long runs with many stops
                               come     in several groups */
    atomic_bool is_checked; /* numbers of it were compared with the host's */
    atomic_bool has_failed; /* it is not used any more */
    bool is_told;           /* the caller knows that */
    struct ml_error err;    /* the reason; to be read and cleared when all threads have ended */
    atomic_llong n_run;     /* runs that it has integrated */
};

#endif
