/* The parallel region: threads take blocks one by one until none is left, and send them to the
 * writer. A thread's buffers stay its own until the writer is done with them, so they are freed
 * after that, by whoever began. */
#include <omp.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/float_env.h"
#include "base/stack.h"
#include "engine/batch.h"
#include "engine/block_writer.h"
#include "linalg/lapacke.h"

/* What the threads of one call share. */
struct crew {
    const struct ml_ensemble *ensemble;
    const struct ml_ensemble_options *options;
    const struct ml_sink *sink;
    struct ml_block_writer writer;
    int64_t n_block, stride, offset; /* block of turn i: (i stride + offset) mod n_block */
    _Atomic int64_t turn;
    _Atomic int64_t runs_done, member_steps;
    atomic_size_t lacking;       /* bytes that a thread could not get; 0: none */
    atomic_size_t short_stack;   /* bytes of a stack that is too small; 0: there is none */
    double began;                /* s */
    struct ml_progress progress; /* under the lock `progress` */
    _Atomic int64_t reported;    /* ms since `began`, when progress was last reported */
};

static bool must_stop(const struct crew *crew)
{
    const struct ml_ensemble_options *o = crew->options;
    return ml_stop_level(o->stop) > 0 || (o->deadline > 0.0 && omp_get_wtime() >= o->deadline);
}

/* The level of stopping of what is computed: blocks that wait to be put are not dropped for time.
 */
static int level_of_batch(void *context)
{
    const struct ml_ensemble_options *o = ((const struct crew *)context)->options;
    const bool is_late = o->last_moment > 0.0 && omp_get_wtime() >= o->last_moment;
    return is_late ? 2 : ml_stop_level(o->stop);
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

static bool is_over(const struct crew *crew)
{
    return crew->writer.has_failed || crew->lacking || crew->short_stack;
}

/* Computes one block; false if it was dropped. */
static bool compute(struct crew *crew, struct ml_batch *batch, struct ml_block *block)
{
    for (int64_t i = 0; i < block->n_run; i += ML_LANES) {
        int64_t left = block->n_run - i;
        int n = left < ML_LANES ? (int)left : ML_LANES;
        int64_t steps =
            is_over(crew) ? -1 : ml_batch_run(crew->ensemble, batch, block->first + i, n, block);
        if (steps < 0)
            return false;
        crew->member_steps += steps;
        crew->runs_done += n;
        report_sometimes(crew);
    }
    return true;
}

/* The next block that is not there yet; false if there is none or it is time to stop. */
static bool take_block(struct crew *crew, struct ml_block *block)
{
    const struct ml_ensemble *ensemble = crew->ensemble;
    while (!must_stop(crew) && !is_over(crew)) {
        int64_t turn = crew->turn++;
        if (turn >= crew->n_block)
            return false;
        int64_t index = (turn * crew->stride + crew->offset) % crew->n_block;
        if (crew->sink->has && crew->sink->has(crew->sink->context, index))
            continue;
        block->index = index;
        block->first = index * ensemble->block_runs;
        block->n_run = ml_ensemble_runs_of_block(ensemble, index);
        block->n_saved = ml_saving_index(&ensemble->saving, block->first + block->n_run) -
                         ml_saving_index(&ensemble->saving, block->first);
        return true;
    }
    return false;
}

/* Memory of one thread. */
struct worker {
    struct ml_arena arena;
    struct ml_batch batch;
    struct ml_buffer buffers[ML_BUFFERS];
};

static void lay_out(const struct ml_ensemble *ensemble, struct worker *worker)
{
    ml_batch_layout(ensemble, &worker->arena, &worker->batch);
    for (int i = 0; i < ML_BUFFERS; i++)
        ml_block_layout(ensemble, &worker->arena, &worker->buffers[i].block);
}

/* One thread's part, memory first touched by the thread that uses it. */
static void take_blocks(struct crew *crew, struct worker *worker)
{
    lay_out(crew->ensemble, worker);
    if (!ml_arena_reserve(&worker->arena)) {
        crew->lacking = worker->arena.size;
        return;
    }
    lay_out(crew->ensemble, worker);
    worker->batch.stop = (struct ml_stop){level_of_batch, crew};
    for (;;) {
        struct ml_buffer *buffer = ml_block_writer_free_buffer(&crew->writer, worker->buffers);
        if (!take_block(crew, &buffer->block))
            break;
        if (compute(crew, &worker->batch, &buffer->block))
            ml_block_writer_send(&crew->writer, buffer);
    }
}

static void take_part(struct crew *crew, struct worker *workers)
{
    const fenv_t before = ml_float_env_set();
    const size_t stack = ml_stack_size();
    if (omp_get_thread_num() == 0) {
#pragma omp critical(manylink_progress)
        crew->progress.n_thread = omp_get_num_threads();
    }
    if (stack > 0 && stack < ML_STACK_LEAST)
        crew->short_stack = stack;
    else
        take_blocks(crew, &workers[omp_get_thread_num()]);
    ml_float_env_restore(&before);
}

/* Everything between the first block and the last. */
static enum ml_status run_blocks(struct crew *crew, int n_thread, struct ml_error *err)
{
    struct worker *workers = calloc((size_t)n_thread, sizeof *workers);
    if (!workers)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status =
        ml_block_writer_start(&crew->writer, crew->sink, crew->options->stop, err);
    if (status == ML_OK) {
        crew->progress.n_thread = n_thread;
#pragma omp parallel num_threads(n_thread)
        take_part(crew, workers);
        ml_block_writer_finish(&crew->writer);
        status = crew->writer.status;
    }
    for (int i = 0; i < n_thread; i++)
        ml_arena_free(&workers[i].arena);
    free(workers);
    if (status == ML_OK && crew->short_stack)
        return ml_fail(
            err, ML_E_MEMORY,
            "threads have stacks of %zu kB, and need %d: raise OMP_STACKSIZE, or the limit "
            "of `ulimit -s`",
            crew->short_stack / 1024, ML_STACK_LEAST / 1024);
    if (status == ML_OK && crew->lacking)
        return ml_fail(err, ML_E_MEMORY, "no memory for blocks of results (%.0f MB per thread)",
                       (double)crew->lacking / 1e6);
    return status;
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
    if (ensemble->shape.solver == ML_SOLVER_lapacke)
        ml_lapacke_load();
    enum ml_status status = run_blocks(&crew, n_thread, err);
    report(&crew, omp_get_wtime() - crew.began);
    if (status == ML_OK && crew.writer.runs_put < crew.progress.n_run)
        return ml_fail(err, ML_STOPPED, "stopped with %lld of %lld runs to do",
                       (long long)(crew.progress.n_run - crew.writer.runs_put),
                       (long long)crew.progress.n_run);
    return status;
}
