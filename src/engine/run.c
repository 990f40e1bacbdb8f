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
    enum ml_status status; /* under the lock `sink` */
    struct ml_error *err;
    double began;                /* s */
    struct ml_progress progress; /* under the lock `progress` */
};

static int stop_level(const struct crew *crew)
{
    return crew->options->stop ? atomic_load_explicit(crew->options->stop, memory_order_relaxed)
                               : 0;
}

static void report(struct crew *crew)
{
    if (!crew->options->progress)
        return;
#pragma omp critical(manylink_progress)
    {
        crew->progress.runs_done = crew->runs_done;
        crew->progress.member_steps = crew->member_steps;
        crew->progress.seconds = omp_get_wtime() - crew->began;
        crew->options->progress(crew->options->progress_context, &crew->progress);
    }
}

static void put(struct crew *crew, const struct ml_block *block)
{
#pragma omp critical(manylink_sink)
    if (!crew->is_failed) {
        enum ml_status status = crew->sink->put(crew->sink->context, block, crew->err);
        if (status != ML_OK) {
            crew->status = status;
            crew->is_failed = true;
        }
    }
}

/* Computes one block; false if it was dropped. */
static bool compute(struct crew *crew, struct ml_batch *batch, struct ml_block *block)
{
    for (int64_t i = 0; i < block->n_run; i += ML_LANES) {
        int64_t left = block->n_run - i;
        int n = left < ML_LANES ? (int)left : ML_LANES;
        if (stop_level(crew) > 1 || crew->is_failed)
            return false;
        crew->member_steps += ml_batch_run(crew->ensemble, batch, block->first + i, n, block);
        crew->runs_done += n;
        report(crew);
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
        int64_t left = ensemble->n_run - index * ensemble->block_runs;
        block->index = index;
        block->first = index * ensemble->block_runs;
        block->n_run = left < ensemble->block_runs ? left : ensemble->block_runs;
        block->n_saved = ml_saving_index(&ensemble->saving, block->first + block->n_run) -
                         ml_saving_index(&ensemble->saving, block->first);
        if (compute(crew, batch, block))
            put(crew, block);
    }
}

/* One thread's part, memory first touched by the thread that uses it. */
static void join(struct crew *crew)
{
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    ml_batch_layout(crew->ensemble, &arena, &batch);
    ml_block_layout(crew->ensemble, &arena, &block);
    if (ml_arena_reserve(&arena)) {
        ml_batch_layout(crew->ensemble, &arena, &batch);
        ml_block_layout(crew->ensemble, &arena, &block);
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
        if (crew->sink->has(crew->sink->context, b)) {
            int64_t left = e->n_run - b * e->block_runs;
            n -= left < e->block_runs ? left : e->block_runs;
        }
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
    join(&crew);
    if (crew.status == ML_OK && stop_level(&crew) && crew.runs_done < crew.progress.n_run)
        return ml_fail(err, ML_STOPPED, "stopped with %lld of %lld runs to do",
                       (long long)(crew.progress.n_run - crew.runs_done),
                       (long long)crew.progress.n_run);
    return crew.status;
}
