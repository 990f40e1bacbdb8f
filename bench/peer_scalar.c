/* Plain C: one run after the other, the C library's sine and cosine. */
#include <math.h>
#include <stddef.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include "peer.h"
#include "rods_load.h"

RODS_INLINE void run_n(int n, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                       double *end)
{
    for (int64_t run = 0; run < n_run; run++) {
        struct rods k;
        double x[2 * RODS_MAX];
        rods_load(runs, run, &k, x);
        for (int64_t step = 0; step < n_step; step++)
            rods_step(n, &k, ML_BENCH_STEP, x);
        rods_store(n, run, x, end);
    }
}

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    (void)self;
    if (runs->n == 2)
        run_n(2, runs, n_run, n_step, end);
    else if (runs->n == 3)
        run_n(3, runs, n_run, n_step, end);
    else
        run_n(8, runs, n_run, n_step, end);
}

extern const struct ml_bench_peer ml_peer_scalar[];
const struct ml_bench_peer ml_peer_scalar[] = {
    {"plain C", "closed form or L D L^T, unrolled, libm", 1e-9, NULL, NULL, run},
    {0},
};
