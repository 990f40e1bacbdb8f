/* Runs of bench/runs.h into the numbers of bench/rods.h, which is to be included before.
 * RODS_LANES doubles make one REAL. */
#include "runs.h"

/* Number `lane` of a REAL. */
RODS_INLINE double *rods_lane(REAL *x, int lane) { return (double *)x + lane; }

/* Constants and initial state of runs first .. first + RODS_LANES - 1. */
static void rods_load(const struct ml_bench_runs *runs, int64_t first, struct rods *k, REAL *x)
{
    const int n = runs->n;
    double mu[RODS_MAX], diagonal[RODS_MAX];
    for (int lane = 0; lane < RODS_LANES; lane++) {
        int64_t run = first + lane;
        ml_bench_runs_constants(runs, run, mu, diagonal);
        for (int i = 0; i < n; i++) {
            *rods_lane(&k->length[i], lane) = runs->length[run * n + i];
            *rods_lane(&k->weight[i], lane) = mu[i] * ML_BENCH_GRAVITY;
            *rods_lane(&k->mu[i], lane) = mu[i];
            *rods_lane(&k->diagonal[i], lane) = diagonal[i];
            for (int j = 0; j < i; j++)
                *rods_lane(&k->coupling[i][j], lane) = mu[i] * runs->length[run * n + j];
            *rods_lane(&x[i], lane) = runs->angle[run * n + i];
            *rods_lane(&x[n + i], lane) = 0.0;
        }
        const struct ml_bench_pid none = {0, 0.0, 0.0, 0.0, 0.0},
                                  *pid = runs->pid ? runs->pid : &none;
        *rods_lane(&k->kp, lane) = pid->kp;
        *rods_lane(&k->ki, lane) = pid->ki;
        *rods_lane(&k->kd, lane) = pid->kd;
        *rods_lane(&k->target, lane) = pid->target;
        *rods_lane(&x[2 * n], lane) = 0.0;
    }
}

/* End states to end[run][2 n]. */
static void rods_store(int n, int64_t first, REAL *x, double *end)
{
    for (int lane = 0; lane < RODS_LANES; lane++)
        for (int i = 0; i < 2 * n; i++)
            end[(first + lane) * 2 * n + i] = *rods_lane(&x[i], lane);
}
