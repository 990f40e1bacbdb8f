/* A GPU that some threads of a team use. */
#ifndef ML_ENGINE_GPU_USE_H
#define ML_ENGINE_GPU_USE_H

#include <stdatomic.h>

#include "engine/gpu/driver.h"

struct ml_gpu_use {
    const struct ml_gpu *gpu; /* with the kernel ml_gpu_window of the ensemble; borrowed */
    int n_thread;             /* that use it, each a block at a time, beside those that compute */
    atomic_int n_begun;       /* of these */
    atomic_bool is_checked;   /* numbers of it were compared with the host's */
    atomic_bool has_failed;   /* it is not used any more */
    struct ml_error err;      /* why; for the caller to read and clear behind the threads' end */
    atomic_llong n_run;       /* runs that it has integrated */
};

#endif
