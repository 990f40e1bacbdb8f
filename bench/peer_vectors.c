/* Vectors written by hand in C with SLEEF: the best that stock parts give. */
#include "vectors.h"

#define REAL vector
#define RODS_LANES VECTOR_WIDTH
#define RODS_SINCOS vector_sincos
#include "rods.h"

#include "peer.h"
#include "rods_load.h"

/* One vector of runs at a time. */
RODS_INLINE void run_one(int n, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                         double *end)
{
    for (int64_t first = 0; first < n_run; first += VECTOR_WIDTH) {
        struct rods k;
        vector x[2 * RODS_MAX];
        rods_load(runs, first, &k, x);
        for (int64_t step = 0; step < n_step; step++)
            rods_step(n, &k, ML_BENCH_STEP, x);
        rods_store(n, first, x, end);
    }
}

enum { IN_FLIGHT = ML_BENCH_LANES / VECTOR_WIDTH };

/* All lanes of a batch of 8 in every loop. */
struct batch {
    struct rods k[IN_FLIGHT];
    vector x[IN_FLIGHT][2 * RODS_MAX];
};

/* y = x + h k, then k = f(y). */
RODS_INLINE void stage(int n, const struct batch *b, double h, vector k[][2 * RODS_MAX],
                       vector next[][2 * RODS_MAX])
{
    vector y[2 * RODS_MAX];
    for (int g = 0; g < IN_FLIGHT; g++) {
        for (int i = 0; i < 2 * n; i++)
            y[i] = b->x[g][i] + h * k[g][i];
        rods_rhs(n, &b->k[g], y, next[g]);
    }
}

RODS_INLINE void run_batch(int n, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                           double *end)
{
    const double h = ML_BENCH_STEP;
    for (int64_t first = 0; first < n_run; first += ML_BENCH_LANES) {
        struct batch b;
        vector k1[IN_FLIGHT][2 * RODS_MAX], k2[IN_FLIGHT][2 * RODS_MAX];
        vector k3[IN_FLIGHT][2 * RODS_MAX], k4[IN_FLIGHT][2 * RODS_MAX];
        for (int g = 0; g < IN_FLIGHT; g++)
            rods_load(runs, first + g * VECTOR_WIDTH, &b.k[g], b.x[g]);
        for (int64_t step = 0; step < n_step; step++) {
            for (int g = 0; g < IN_FLIGHT; g++)
                rods_rhs(n, &b.k[g], b.x[g], k1[g]);
            stage(n, &b, 0.5 * h, k1, k2);
            stage(n, &b, 0.5 * h, k2, k3);
            stage(n, &b, h, k3, k4);
            for (int g = 0; g < IN_FLIGHT; g++)
                for (int i = 0; i < 2 * n; i++)
                    b.x[g][i] =
                        b.x[g][i] + h / 6.0 * (k1[g][i] + 2.0 * (k2[g][i] + k3[g][i]) + k4[g][i]);
        }
        for (int g = 0; g < IN_FLIGHT; g++)
            rods_store(n, first + g * VECTOR_WIDTH, b.x[g], end);
    }
}

static void one(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    (void)self;
    if (runs->n == 2)
        run_one(2, runs, n_run, n_step, end);
    else if (runs->n == 3)
        run_one(3, runs, n_run, n_step, end);
    else
        run_one(8, runs, n_run, n_step, end);
}

static void batch(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                  double *end)
{
    (void)self;
    if (runs->n == 2)
        run_batch(2, runs, n_run, n_step, end);
    else if (runs->n == 3)
        run_batch(3, runs, n_run, n_step, end);
    else
        run_batch(8, runs, n_run, n_step, end);
}

extern const struct ml_bench_peer ml_peer_vectors[];
const struct ml_bench_peer ml_peer_vectors[] = {
    {"vectors + SLEEF, 8 lanes", "by hand, native vectors, batches of 8, u35", 1e-9, NULL, NULL,
     batch},
    {"vectors + SLEEF, one vector", "by hand, one native vector at a time, u35", 1e-9, NULL, NULL,
     one},
    {0},
};
