/* Vectors written by hand in C with SLEEF, one native vector of runs at a time: the best that stock
 * parts give. Compiled for each instruction set; PEER_ISA is its name. */
#include <string.h>

#include "vectors.h"

#define REAL vector
#define RODS_LANES VECTOR_WIDTH
#define RODS_SINCOS vector_sincos
#include "rods.h"

#include "peer.h"
#include "rods_load.h"

RODS_INLINE void run_n(int n, int pid, const struct ml_bench_runs *runs, int64_t n_run,
                       int64_t n_step, double *end)
{
    for (int64_t first = 0; first < n_run; first += VECTOR_WIDTH) {
        struct rods loaded;
        vector state[RODS_MAX_STATE], x[RODS_MAX_STATE];
        rods_load(runs, first, &loaded, state);
        const struct rods k = loaded; /* of which nobody else has the address, as sincos might */
        memcpy(x, state, sizeof x);
        for (int64_t step = 0; step < n_step; step++)
            rods_step(n, pid, &k, ML_BENCH_STEP, x);
        memcpy(state, x, sizeof x);
        rods_store(n, first, state, end);
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

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define NAME_(isa) ml_peer_vectors_##isa
#define NAME(isa) NAME_(isa)

extern const struct ml_bench_peer NAME(PEER_ISA)[];
const struct ml_bench_peer NAME(PEER_ISA)[] = {
    {.name = "vectors + SLEEF",
     .doc = "by hand, a native vector at a time, u35",
     .isa = TEXT(PEER_ISA),
     .can_pid = 1,
     .bound = 1e-9,
     .run = run},
    {0},
};
