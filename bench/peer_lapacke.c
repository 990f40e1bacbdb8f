/* C with LAPACKE_dposv for each right-hand side. */
#include <math.h>
#include <stddef.h>

#define REAL double
#define RODS_LANES 1
#define RODS_SINCOS sincos
#include "rods.h"

#include <lapacke.h>

#include "peer.h"
#include "rods_load.h"

extern void openblas_set_num_threads(int n) __attribute__((weak));

static void rhs(int n, const struct rods *k, const double *x, double *dx)
{
    double s[RODS_MAX], c[RODS_MAX], mass[RODS_MAX * RODS_MAX];
    for (int i = 0; i < n; i++) {
        sincos(x[i], &s[i], &c[i]);
        dx[i] = x[n + i];
    }
    rods_force(n, k, s, c, x + n, dx + n);
    for (int j = 0; j < n; j++) {
        mass[j * n + j] = k->diagonal[j];
        for (int i = j + 1; i < n; i++)
            mass[j * n + i] = k->coupling[i][j] * (c[i] * c[j] + s[i] * s[j]);
    }
    (void)LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, mass, n, dx + n, n);
}

static void step(int n, const struct rods *k, double h, double *x)
{
    double k1[2 * RODS_MAX], k2[2 * RODS_MAX], k3[2 * RODS_MAX], k4[2 * RODS_MAX], y[2 * RODS_MAX];
    rhs(n, k, x, k1);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + 0.5 * h * k1[i];
    rhs(n, k, y, k2);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + 0.5 * h * k2[i];
    rhs(n, k, y, k3);
    for (int i = 0; i < 2 * n; i++)
        y[i] = x[i] + h * k3[i];
    rhs(n, k, y, k4);
    for (int i = 0; i < 2 * n; i++)
        x[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
}

static void run(void *self, const struct ml_bench_runs *runs, int64_t n_run, int64_t n_step,
                double *end)
{
    (void)self;
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    for (int64_t r = 0; r < n_run; r++) {
        struct rods k;
        double x[RODS_MAX_STATE];
        rods_load(runs, r, &k, x);
        for (int64_t i = 0; i < n_step; i++)
            step(runs->n, &k, ML_BENCH_STEP, x);
        rods_store(runs->n, r, x, end);
    }
}

extern const struct ml_bench_peer ml_peer_lapacke[];
const struct ml_bench_peer ml_peer_lapacke[] = {
    {.name = "C, LAPACKE_dposv",
     .doc = "one dposv per right-hand side, one thread",
     .bound = 1e-9,
     .run = run},
    {0},
};
