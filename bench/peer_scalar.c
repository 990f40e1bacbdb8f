/* Plain C: one run after the other, the C library's sine and cosine. */
#include <math.h>
#include <stddef.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include "peer.h"
#include "rods_load.h"

RODS_INLINE void run_n(int n, int pid, const struct ml_bench_runs *runs, int64_t n_run,
                       int64_t n_step, double *end)
{
    for (int64_t run = 0; run < n_run; run++) {
        struct rods k;
        double x[RODS_MAX_STATE];
        rods_load(runs, run, &k, x);
        for (int64_t step = 0; step < n_step; step++)
            rods_step(n, pid, &k, ML_BENCH_STEP, x);
        rods_store(n, run, x, end);
    }
}

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    (void)self;
    if (runs->pid)
        run_n(ML_BENCH_PID_SIZE, ML_BENCH_PID_JOINT, runs, n_run, n_step, end);
    else
        RODS_FOR_SIZE(runs->n, run_n, RODS_PASSIVE, runs, n_run, n_step, end)
}

extern const struct ml_bench_peer ml_peer_scalar[];
const struct ml_bench_peer ml_peer_scalar[] = {
    {.name = "plain C",
     .doc = "closed form or L D L^T, unrolled, libm",
     .can_pid = 1,
     .bound = 1e-9,
     .run = run},
    {0},
};
