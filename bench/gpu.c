#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#include "engine/team/team.h"
#include "kernel_only.h"
#include "run/gpus.h"

/* Runs of a sample, which fill a device several times. */
static int64_t gpu_runs(const struct ml_bench *bench)
{
    return bench->is_smoke ? 1 << 10 : 1 << 20;
}

static bool gpu_has_same_bits(const struct ml_ensemble *ensemble, struct ml_gpu_use *use,
                              int n_thread)
{
    enum { N_RUN = 1 << 10 };
    const struct ml_ensemble_options with = {.n_thread = n_thread, .gpus = use, .n_gpu = 1},
                                     without = {.n_thread = n_thread};
    const size_t n = (size_t)N_RUN * 2 * (size_t)ensemble->model.n;
    double *ends = malloc(2 * n * sizeof *ends);
    if (!ends)
        exit(EXIT_FAILURE);
    ml_bench_ends(ensemble, &with, N_RUN, ends);
    ml_bench_ends(ensemble, &without, N_RUN, ends + n);
    const bool is_same = memcmp(ends, ends + n, n * sizeof *ends) == 0;
    free(ends);
    return is_same;
}

static void gpu_race(struct ml_bench *bench, const struct ml_ensemble *ensemble,
                     struct ml_run_gpus *gpus, double seconds)
{
    const int n_thread = bench->n_thread;
    struct ml_bench_kernel_only threads = {.ensemble = *ensemble, .n_thread = n_thread},
                                both = {*ensemble, n_thread, gpus->uses, 0};
    struct ml_bench_case cases[] = {
        {.name = "ours, all threads",
         .size = ensemble->model.n,
         .isa = ensemble->kernels->isa,
         .n_thread = n_thread,
         .item = "member-step",
         .items = (double)ensemble->time.n_step,
         .is_wall = true,
         .unit = ensemble->block_runs * n_thread,
         .baseline = -1,
         .run = ml_bench_kernel_only_run,
         .context = &threads},
        {.name = "ours, GPU beside all threads"},
    };
    const char *name = cases[1].name;
    cases[1] = cases[0];
    cases[1].name = name;
    cases[1].unit = cases[1].most = ensemble->n_run;
    cases[1].baseline = 0;
    cases[1].context = &both;
    ml_bench_race(bench, cases, 2, seconds);
    if (threads.unfinished || both.unfinished)
        ml_bench_wrong(bench, "n = %d: runs of ours did not finish", ensemble->model.n);
}

bool ml_bench_gpu(struct ml_bench *bench, const struct ml_ensemble *ensemble, double seconds)
{
    struct ml_ensemble e = *ensemble;
    struct ml_run_gpus gpus = {0};
    struct ml_error err = {0};
    e.n_run = gpu_runs(bench);
    e.block_runs = ml_ensemble_block_runs(&e);
    const bool is_open =
        ml_run_gpus_open(&gpus, "bench", &e, "gpu", &(struct ml_kernel_wish){0}, &err) == ML_OK;
    const char *why = err.text ? err.text : ml_status_text(ML_E_MEMORY);
    if (!is_open) {
        ml_bench_note(bench, "skipped the GPU: %.*s", (int)strcspn(why, "\n"), why);
    } else if (!gpu_has_same_bits(&e, gpus.uses, bench->n_thread) || gpus.uses[0].has_failed) {
        ml_bench_wrong(bench, "n = %d, %s: it failed, or end states have other bits", e.model.n,
                       gpus.gpus[0].device.name);
    } else {
        ml_bench_note(bench, "n = %d, %s: end states have the same bits", e.model.n,
                      gpus.gpus[0].device.name);
        ml_bench_take_made(&e);
        gpu_race(bench, &e, &gpus, seconds);
    }
    ml_error_clear(&gpus.uses[0].err);
    ml_error_clear(&err);
    ml_run_gpus_close(&gpus);
    return is_open;
}
