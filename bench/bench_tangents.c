/* What do tangent vectors cost? RK4 steps of n segments with all 2 n of them, which a Lyapunov
 * spectrum or a state-transition matrix takes, against the bare steps. */
#include <stdlib.h>

#include "bare.h"
#include "bench.h"
#include "runs.h"

static const int sizes[] = {1, 2, 3, 4, 5, 8, 16, 32};
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_RUN = 64 };
enum { BARE, TANGENTS, BARE_MORE, TANGENTS_MORE, N_CASE };

static void race(struct ml_bench *bench, int n, double seconds)
{
    static struct ml_bench_case cases[N_CASE];
    static struct ml_bench_bare bares[N_CASE];
    const struct ml_kernels *k = ml_bench_fastest();
    const int64_t n_step = bench->is_smoke ? 2 : n <= 8 ? 200 : 20;
    const int n_case = bench->n_thread > 1 ? N_CASE : BARE_MORE;
    struct ml_bench_runs *runs = ml_bench_runs_create(n, N_RUN);
    struct ml_bench_table table = {0};
    if (runs)
        table = ml_bench_table(k, runs);
    if (!table.values)
        exit(EXIT_FAILURE);
    for (int i = 0; i < n_case; i++) {
        const bool has_tangents = i % 2 == TANGENTS, is_more = i >= BARE_MORE;
        bares[i] = (struct ml_bench_bare){
            .ensemble = ml_bench_bare_ensemble(k, n, n_step, &table),
            .n_thread = is_more ? bench->n_thread : 1,
        };
        bares[i].ensemble.shape.n_column = has_tangents ? 2 * n : 0;
        cases[i] = (struct ml_bench_case){
            .name = has_tangents ? "with all tangents" : "bare",
            .size = n,
            .isa = k->isa,
            .n_thread = bares[i].n_thread,
            .item = "member-step",
            .items = (double)n_step,
            .unit = ML_LANES,
            .baseline = is_more        ? i - BARE_MORE
                        : has_tangents ? BARE
                                       : -1,
            .is_peer = has_tangents && !is_more,
            .run = ml_bench_bare_run,
            .context = &bares[i],
        };
    }
    ml_bench_race(bench, cases, n_case, seconds);
    for (int i = 0; i < n_case; i++)
        if (bares[i].unfinished)
            ml_bench_wrong(bench, "n = %d, %s: not all runs finished", n, cases[i].name);
    free(table.values);
    ml_bench_runs_free(runs);
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "tangents", 40.0, argc, argv);
    for (int i = 0; i < N_SIZE; i++)
        race(&bench, sizes[i], bench.seconds / N_SIZE);
    return ml_bench_close(&bench);
}
