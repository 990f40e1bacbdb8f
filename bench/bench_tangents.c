/* Cost of a full Lyapunov spectrum: RK4 steps of n segments with all 2 n tangent vectors, made
 * orthonormal every so often, against the bare steps. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernel_only.h"
#include "runs.h"

static const int sizes[] = {1, 2, 3, 4, 5, 8, 16, 32};
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_RUN = 64 };
enum { BARE, SPECTRUM, BARE_MORE, SPECTRUM_MORE, N_CASE };
enum { MAX_INDICATOR = 32, MAX_PARAM = 32, RENORMALISE_EVERY = 50 };

/* The indicator `lyapunov` with its defaults, which are all exponents, and no other. */
struct asked {
    double default_values[MAX_PARAM];
    const double *settings[MAX_INDICATOR];
};

static void ask_for_spectrum(const struct ml_kernels *kernels, struct asked *asked)
{
    memset(asked->settings, 0, sizeof asked->settings);
    for (int i = 0; kernels->registry->indicators[i] && i < MAX_INDICATOR; i++) {
        const struct ml_indicator *indicator = kernels->registry->indicators[i];
        if (strcmp(indicator->name, "lyapunov") != 0)
            continue;
        for (int p = 0; p < indicator->n_param && p < MAX_PARAM; p++)
            asked->default_values[p] = indicator->params[p].default_value;
        asked->settings[i] = asked->default_values;
        return;
    }
    abort();
}

static void add_spectrum(const struct asked *asked, int n, struct ml_ensemble *ensemble)
{
    ensemble->indicators.settings = asked->settings;
    ensemble->indicators.n_tangent = ensemble->model.n_column = 2 * n;
    ensemble->indicators.renormalise_every = RENORMALISE_EVERY;
}

static void race(struct ml_bench *bench, int n, double seconds)
{
    static struct ml_bench_case cases[N_CASE];
    static struct ml_bench_kernel_only bares[N_CASE];
    static struct asked asked;
    const struct ml_kernels *k = ml_bench_fastest();
    const int64_t n_step = bench->is_smoke ? 2 : n <= 8 ? 200 : 20;
    const int n_case = bench->n_thread > 1 ? N_CASE : BARE_MORE;
    struct ml_bench_runs *runs = ml_bench_runs_create(n, N_RUN);
    struct ml_bench_table table = {0};
    ask_for_spectrum(k, &asked);
    if (runs)
        table = ml_bench_table(k, runs);
    if (!table.values)
        exit(EXIT_FAILURE);
    for (int i = 0; i < n_case; i++) {
        const bool is_spectrum = i % 2 == SPECTRUM, is_more = i >= BARE_MORE;
        bares[i] = (struct ml_bench_kernel_only){
            .ensemble = ml_bench_kernel_only_ensemble(k, n, n_step, &table),
            .n_thread = is_more ? bench->n_thread : 1,
        };
        if (is_spectrum)
            add_spectrum(&asked, n, &bares[i].ensemble);
        ml_bench_take_made(&bares[i].ensemble);
        cases[i] = (struct ml_bench_case){
            .name = is_spectrum ? "Lyapunov spectrum" : "bare",
            .size = n,
            .isa = k->isa,
            .n_thread = bares[i].n_thread,
            .item = "member-step",
            .items = (double)n_step,
            .unit = ML_LANES,
            .baseline = is_more       ? i - BARE_MORE
                        : is_spectrum ? BARE
                                      : -1,
            .is_peer = is_spectrum && !is_more,
            .run = ml_bench_kernel_only_run,
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
