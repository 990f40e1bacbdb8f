/* How fast are bare RK4 steps of chains of n segments, by instruction set and number of threads? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "flops.h"
#include "fma.h"
#include "kernel_only.h"
#include "runs.h"

static const int sizes[] = {1, 2, 3, 4, 8, 16, 32, 64, 128};
enum { N_SIZE = sizeof sizes / sizeof *sizes, MAX_CASE = 32, N_RUN = 512 };

/* Long enough for a batch that the work done once per run is below a percent. */
static int64_t steps_per_run(int n, bool is_smoke)
{
    if (is_smoke)
        return n < 16 ? 20 : 1;
    return n <= 4 ? 2000 : n <= 8 ? 1000 : n <= 16 ? 400 : n <= 32 ? 100 : n <= 64 ? 30 : 10;
}

/* `lapacke` costs the same on every instruction set and is compared in bench_solve. */
static bool is_own(enum ml_solver_kind solver) { return solver != ML_SOLVER_lapacke; }

struct field {
    struct ml_bench_case cases[MAX_CASE];
    struct ml_bench_kernel_only runs[MAX_CASE];
    char names[MAX_CASE][32];
    int n_case;
};

static void add(struct field *f, const struct ml_kernels *k, int n, enum ml_solver_kind solver,
                int n_thread, int64_t n_step, const struct ml_bench_table *table)
{
    int i = f->n_case;
    if (i == MAX_CASE)
        return;
    f->n_case++;
    f->runs[i] = (struct ml_bench_kernel_only){
        .ensemble = ml_bench_kernel_only_ensemble(k, n, n_step, table),
        .n_thread = n_thread,
    };
    f->runs[i].ensemble.model.solver = solver;
    ml_bench_take_made(&f->runs[i].ensemble);
    (void)snprintf(f->names[i], sizeof f->names[i], "rk4 %s", k->solvers[solver].name);
    f->cases[i] = (struct ml_bench_case){
        .name = f->names[i],
        .size = n,
        .isa = k->isa,
        .n_thread = n_thread,
        .item = "member-step",
        .items = (double)n_step,
        .unit = (int64_t)ML_LANES * n_thread,
        .baseline = -1,
        .run = ml_bench_kernel_only_run,
        .context = &f->runs[i],
    };
}

/* All contenders of one size: each instruction set and solver on one thread, the fastest set on
 * more, and the rate of multiply-adds. Compared with the fastest set on one thread. */
static void race(struct ml_bench *bench, int n, const struct ml_bench_table *table, double seconds)
{
    static struct field f;
    const struct ml_kernels *k, *fastest = ml_bench_fastest();
    const struct ml_bench_fma *fma = ml_bench_fma_widest();
    int64_t n_step = steps_per_run(n, bench->is_smoke);
    int best[ML_N_SOLVER];
    f.n_case = 0;
    for (int s = 0; s < ML_N_SOLVER; s++) {
        for (int i = 0; is_own((enum ml_solver_kind)s) && (k = ml_kernels_at(i)); i++) {
            best[s] = f.n_case; /* the last one is the fastest set */
            add(&f, k, n, (enum ml_solver_kind)s, 1, n_step, table);
        }
        for (int t = 2; is_own((enum ml_solver_kind)s) && t <= bench->n_thread; t *= 2)
            add(&f, fastest, n, (enum ml_solver_kind)s, t, n_step, table);
    }
    int n_own = f.n_case;
    for (int i = 0; i < n_own; i++) {
        int one = best[f.runs[i].ensemble.model.solver];
        f.cases[i].baseline = i == one ? -1 : one;
        if (fma && i == one) {
            f.cases[i].limit = n_own;
            f.cases[i].limit_items = ml_bench_flops_rk4(n, f.runs[i].ensemble.model.solver);
        }
    }
    if (fma)
        f.cases[f.n_case++] = (struct ml_bench_case){
            .name = "multiply-adds",
            .isa = fma->isa,
            .n_thread = 1,
            .item = "flop",
            .items = ml_bench_fma_flops(fma),
            .unit = 1,
            .baseline = -1,
            .run = ml_bench_fma_run,
            .context = (void *)fma,
        };
    ml_bench_race(bench, f.cases, f.n_case, seconds);
    for (int i = 0; i < n_own; i++)
        if (f.runs[i].unfinished)
            ml_bench_wrong(bench, "n = %d, %s: %lld runs did not finish", n, f.cases[i].isa,
                           (long long)f.runs[i].unfinished);
}

/* FNV-1a, to compare builds of different compilers. */
static uint64_t hash(const void *data, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return h;
}

/* The same bits from every instruction set, before anything is timed. */
static void compare_bits(struct ml_bench *bench, int n, const struct ml_bench_table *table)
{
    enum { RUNS = ML_LANES, MAX_SEGMENTS = 128 };
    static double first[RUNS * 2 * MAX_SEGMENTS], other[RUNS * 2 * MAX_SEGMENTS];
    const size_t size = (size_t)(RUNS * 2 * n) * sizeof *first;
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        struct ml_ensemble e = ml_bench_kernel_only_ensemble(k, n, 20, table);
        ml_bench_kernel_only_end(&e, RUNS, i == 0 ? first : other);
        if (i > 0 && memcmp(first, other, size) != 0)
            ml_bench_wrong(bench, "n = %d: %s and baseline differ", n, k->isa);
    }
    ml_bench_note(bench, "bits n = %d: %016llx", n, (unsigned long long)hash(first, size));
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "rk4", 90.0, argc, argv);
    if (ml_bench_fma_widest() && !ml_bench_fma_is_right(ml_bench_fma_widest()))
        ml_bench_wrong(&bench, "multiply-adds are not what they should be");
    for (int i = 0; i < N_SIZE; i++) {
        if (bench.is_smoke && sizes[i] > 32)
            continue;
        struct ml_bench_runs *runs = ml_bench_runs_create(sizes[i], N_RUN);
        if (!runs)
            return EXIT_FAILURE;
        struct ml_bench_table table = ml_bench_table(ml_bench_fastest(), runs);
        if (!table.values)
            return EXIT_FAILURE;
        compare_bits(&bench, sizes[i], &table);
        race(&bench, sizes[i], &table, bench.seconds / N_SIZE);
        free(table.values);
        ml_bench_runs_free(runs);
    }
    ml_bench_note(&bench,
                  "share: flops of a step (bench/flops.c: %.0f and %.0f for n = 2 and 3, "
                  "`interleaved`; %.0f for n = 8, `recursive`) over the multiply-add rate of the "
                  "same round",
                  ml_bench_flops_rk4(2, ML_SOLVER_interleaved),
                  ml_bench_flops_rk4(3, ML_SOLVER_interleaved),
                  ml_bench_flops_rk4(8, ML_SOLVER_recursive));
    return ml_bench_close(&bench);
}
