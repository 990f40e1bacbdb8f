/* The parallel region: threads take blocks one by one until none is left. */
#include <omp.h>
#include <stdlib.h>

#include "base/fail.h"
#include "engine/batch.h"
#include "linalg/lapacke.h"

/* What the threads of one call share. */
struct crew {
    const struct ml_ensemble *ensemble;
    const struct ml_ensemble_options *options;
    const struct ml_sink *sink;
    int64_t n_block, stride, offset; /* block of turn i: (i stride + offset) mod n_block */
    _Atomic int64_t turn;
    _Atomic int64_t runs_done, member_steps;
    atomic_bool is_failed;
    enum ml_status status; /* under the lock `sink`, like runs_put */
    int64_t runs_put;      /* runs of blocks that the sink has taken */
    struct ml_error *err;
    double began;                /* s */
    struct ml_progress progress; /* under the lock `progress` */
    _Atomic int64_t reported;    /* ms since `began`, when progress was last reported */
};

static int stop_level(const struct crew *crew)
{
    return crew->options->stop ? atomic_load_explicit(crew->options->stop, memory_order_relaxed)
                               : 0;
}

static void report(struct crew *crew, double seconds)
{
    if (!crew->options->progress)
        return;
#pragma omp critical(manylink_progress)
    {
        crew->progress.runs_done = crew->runs_done;
        crew->progress.member_steps = crew->member_steps;
        crew->progress.seconds = seconds;
        crew->options->progress(crew->options->progress_context, &crew->progress);
    }
}

/* Reports progress, but not more often than every tenth of a second. */
static void report_sometimes(struct crew *crew)
{
    const int64_t seldom = 100; /* ms */
    double seconds = omp_get_wtime() - crew->began;
    int64_t now = (int64_t)(1e3 * seconds), last = crew->reported;
    if (now - last >= seldom && atomic_compare_exchange_strong(&crew->reported, &last, now))
        report(crew, seconds);
}

static void put(struct crew *crew, const struct ml_block *block)
{
#pragma omp critical(manylink_sink)
    if (!crew->is_failed) {
        enum ml_status status = crew->sink->put(crew->sink->context, block, crew->err);
        if (status != ML_OK) {
            crew->status = status;
            crew->is_failed = true;
        } else {
            crew->runs_put += block->n_run;
        }
    }
}

/* Computes one block; false if it was dropped. */
static bool compute(struct crew *crew, struct ml_batch *batch, struct ml_block *block)
{
    for (int64_t i = 0; i < block->n_run; i += ML_LANES) {
        int64_t left = block->n_run - i;
        int n = left < ML_LANES ? (int)left : ML_LANES;
        int64_t steps =
            crew->is_failed ? -1 : ml_batch_run(crew->ensemble, batch, block->first + i, n, block);
        if (steps < 0)
            return false;
        crew->member_steps += steps;
        crew->runs_done += n;
        report_sometimes(crew);
    }
    return true;
}

static void work(struct crew *crew, struct ml_batch *batch, struct ml_block *block)
{
    const struct ml_ensemble *ensemble = crew->ensemble;
    while (!stop_level(crew) && !crew->is_failed) {
        int64_t turn = crew->turn++;
        if (turn >= crew->n_block)
            break;
        int64_t index = (turn * crew->stride + crew->offset) % crew->n_block;
        if (crew->sink->has && crew->sink->has(crew->sink->context, index))
            continue;
        block->index = index;
        block->first = index * ensemble->block_runs;
        block->n_run = ml_ensemble_runs_of_block(ensemble, index);
        block->n_saved = ml_saving_index(&ensemble->saving, block->first + block->n_run) -
                         ml_saving_index(&ensemble->saving, block->first);
        if (compute(crew, batch, block))
            put(crew, block);
    }
}

/* One thread's part, memory first touched by the thread that uses it. */
static void take_part(struct crew *crew)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    ml_batch_layout(crew->ensemble, &arena, &batch);
    ml_block_layout(crew->ensemble, &arena, &block);
    if (ml_arena_reserve(&arena)) {
        ml_batch_layout(crew->ensemble, &arena, &batch);
        ml_block_layout(crew->ensemble, &arena, &block);
        batch.stop = crew->options->stop;
        work(crew, &batch, &block);
    } else {
#pragma omp critical(manylink_sink)
        {
            crew->status = ml_fail(crew->err, ML_E_MEMORY,
                                   "no memory for a block of results (%.0f MB per thread)",
                                   (double)arena.size / 1e6);
            crew->is_failed = true;
        }
    }
    ml_arena_free(&arena);
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* Runs of blocks that are not there yet. */
static int64_t runs_to_do(const struct crew *crew)
{
    const struct ml_ensemble *e = crew->ensemble;
    int64_t n = e->n_run;
    for (int64_t b = 0; crew->sink->has && b < crew->n_block; b++)
        if (crew->sink->has(crew->sink->context, b))
            n -= ml_ensemble_runs_of_block(e, b);
    return n;
}

enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err)
{
    int n_thread = options->n_thread > 0 ? options->n_thread : omp_get_max_threads();
    struct crew crew = {
        .ensemble = ensemble,
        .options = options,
        .sink = sink,
        .n_block = ml_ensemble_blocks(ensemble),
        .stride = 1,
        .status = ML_OK,
        .err = err,
        .began = omp_get_wtime(),
    };
    if (options->shuffle) {
        crew.offset = (int64_t)(options->shuffle % (uint64_t)crew.n_block);
        crew.stride = crew.n_block / 2 + crew.offset;
        while (gcd(crew.stride, crew.n_block) != 1)
            crew.stride++;
    }
    crew.progress.n_run = runs_to_do(&crew);
    if (n_thread > crew.n_block)
        n_thread = (int)crew.n_block;
    ml_lapacke_single_thread();
#pragma omp parallel num_threads(n_thread)
    take_part(&crew);
    report(&crew, omp_get_wtime() - crew.began);
    if (crew.status == ML_OK && crew.runs_put < crew.progress.n_run)
        return ml_fail(err, ML_STOPPED, "stopped with %lld of %lld runs to do",
                       (long long)(crew.progress.n_run - crew.runs_put),
                       (long long)crew.progress.n_run);
    return crew.status;
}
