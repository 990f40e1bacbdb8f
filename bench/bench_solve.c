/* How long do factorising and solving symmetric positive definite matrices of order n take in
 * batches, copying the matrix and the right-hand side in included; and RK4 steps of a chain of n
 * segments with each solver? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernel_only.h"
#include "linalg/lapacke.h"
#include "runs.h"

static const int sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64};
enum { N_SIZE = sizeof sizes / sizeof *sizes, MAX_N = 64, MAX_CASE = 24, N_RUN = 64 };
enum { A_SIZE = MAX_N * (MAX_N + 1) / 2 * ML_LANES, B_SIZE = MAX_N * ML_LANES };

/* Matrices, right-hand sides, and the scratch of a contender. */
static _Alignas(64) double matrix[A_SIZE], rhs[B_SIZE], a[A_SIZE], b[B_SIZE];
static _Alignas(64) double work[MAX_N * (MAX_N + 1) * ML_LANES];

struct entry {
    const struct ml_solver *solver;
    int n;
};

static void run(void *context, int64_t n_batch)
{
    const struct entry *e = context;
    int info[ML_LANES];
    for (int64_t i = 0; i < n_batch; i++) {
        memcpy(a, matrix, (size_t)(ml_tri(e->n, 0) * ML_LANES) * sizeof *a);
        memcpy(b, rhs, (size_t)(e->n * ML_LANES) * sizeof *b);
        e->solver->potrf(e->n, a, info, work);
        e->solver->potrs(e->n, 1, a, b, work);
        ml_bench_use(b);
    }
}

/* c_min(i,j) + diagonal, different in every lane; right-hand sides for solutions of 1. */
static void fill(int n)
{
    for (int l = 0; l < ML_LANES; l++) {
        for (int i = 0; i < n; i++)
            rhs[i * ML_LANES + l] = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) {
                double entry = cos(1.0 + i - j + 0.1 * l) + (i == j ? n : 0.0);
                matrix[ml_tri(i, j) * ML_LANES + l] = entry;
                rhs[i * ML_LANES + l] += entry;
                if (j < i)
                    rhs[j * ML_LANES + l] += entry;
            }
    }
}

static void check(struct ml_bench *bench, struct entry *e, const char *isa)
{
    double worst = 0.0;
    run(e, 1);
    for (int i = 0; i < e->n * ML_LANES; i++)
        worst = fabs(b[i] - 1.0) <= worst ? worst : fabs(b[i] - 1.0);
    if (!(worst <= 1e-12))
        ml_bench_wrong(bench, "n = %d, %s %s: solution is off by %g", e->n, e->solver->name, isa,
                       worst);
}

static void race_matrices(struct ml_bench *bench, int n, double seconds)
{
    static struct ml_bench_case cases[MAX_CASE];
    static struct entry entries[MAX_CASE];
    const struct ml_kernels *k, *fastest = ml_bench_fastest();
    int n_case = 0;
    fill(n);
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        for (int s = 0; s < ML_N_SOLVER && n_case < MAX_CASE; s++) {
            if (!k->solvers[s].potrf || (s == ML_SOLVER_lapacke && k != fastest))
                continue; /* LAPACK is the same for all of them */
            entries[n_case] = (struct entry){&k->solvers[s], n};
            check(bench, &entries[n_case], k->isa);
            cases[n_case] = (struct ml_bench_case){
                .name = k->solvers[s].name,
                .size = n,
                .isa = s == ML_SOLVER_lapacke ? "" : k->isa,
                .n_thread = 1,
                .item = "matrix",
                .items = ML_LANES,
                .unit = 1,
                .baseline = -1,
                .run = run,
                .context = &entries[n_case],
            };
            n_case++;
        }
    int lapacke = 0;
    while (lapacke < n_case - 1 && entries[lapacke].solver != &fastest->solvers[ML_SOLVER_lapacke])
        lapacke++;
    for (int i = 0; i < n_case; i++)
        if (i != lapacke)
            cases[i].baseline = lapacke;
    ml_bench_race(bench, cases, n_case, seconds);
}

/* Steps of chains, all solvers on the fastest instruction set. */
static void race_steps(struct ml_bench *bench, int n, double seconds)
{
    static struct ml_bench_case cases[ML_N_SOLVER];
    static struct ml_bench_kernel_only bares[ML_N_SOLVER];
    static char names[ML_N_SOLVER][32];
    const struct ml_kernels *k = ml_bench_fastest();
    const int64_t n_step = bench->is_smoke ? 2 : n <= 8 ? 200 : 20;
    struct ml_bench_runs *runs = ml_bench_runs_create(n, N_RUN);
    struct ml_bench_table table = {0};
    if (runs)
        table = ml_bench_table(k, runs);
    if (!table.values)
        exit(EXIT_FAILURE);
    for (int s = 0; s < ML_N_SOLVER; s++) {
        bares[s] = (struct ml_bench_kernel_only){
            .ensemble = ml_bench_kernel_only_ensemble(k, n, n_step, &table),
            .n_thread = 1,
        };
        bares[s].ensemble.model.solver = (enum ml_solver_kind)s;
        ml_bench_take_made(&bares[s].ensemble);
        (void)snprintf(names[s], sizeof names[s], "rk4 step, %s", k->solvers[s].name);
        cases[s] = (struct ml_bench_case){
            .name = names[s],
            .size = n,
            .isa = k->isa,
            .n_thread = 1,
            .item = "member-step",
            .items = (double)n_step,
            .unit = ML_LANES,
            .baseline = s == ML_SOLVER_interleaved ? -1 : ML_SOLVER_interleaved,
            .run = ml_bench_kernel_only_run,
            .context = &bares[s],
        };
    }
    ml_bench_race(bench, cases, ML_N_SOLVER, seconds);
    for (int s = 0; s < ML_N_SOLVER; s++)
        if (bares[s].unfinished)
            ml_bench_wrong(bench, "n = %d, %s: not all runs finished", n, k->solvers[s].name);
    free(table.values);
    ml_bench_runs_free(runs);
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "solve", 40.0, argc, argv);
    ml_lapacke_load();
    for (int i = 0; i < N_SIZE; i++)
        race_matrices(&bench, sizes[i], 0.5 * bench.seconds / N_SIZE);
    for (int i = 0; i < N_SIZE; i++)
        race_steps(&bench, sizes[i], 0.5 * bench.seconds / N_SIZE);
    return ml_bench_close(&bench);
}
