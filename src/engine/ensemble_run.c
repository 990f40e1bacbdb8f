/* The parallel region: threads take blocks one by one until none is left, and send them to the
 * writer. A thread's buffers stay its own until the writer is done with them, so they are freed
 * after that, by whoever began. */
#include <omp.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/float_env.h"
#include "base/stack.h"
#include "engine/batch_layout.h"
#include "engine/batch_run.h"
#include "engine/block_writer.h"
#include "engine/ensemble_run.h"
#include "engine/refill.h"
#include "engine/walk.h"
#include "linalg/lapacke.h"
#include "manylink/run.h"

/* What the threads of one call share. */
struct team {
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

static bool must_stop(const struct team *team)
{
    const struct ml_ensemble_options *o = team->options;
    return ml_stop_level(o->stop) > 0 || (o->deadline > 0.0 && omp_get_wtime() >= o->deadline);
}

/* The level of stopping of what is computed: blocks that wait to be put are not dropped for time.
 */
static int level_of_batch(void *context)
{
    const struct ml_ensemble_options *o = ((const struct team *)context)->options;
    const bool is_late = o->last_moment > 0.0 && omp_get_wtime() >= o->last_moment;
    return is_late ? 2 : ml_stop_level(o->stop);
}

static void ensemble_run_report(struct team *team, double seconds)
{
    if (!team->options->progress)
        return;
#pragma omp critical(manylink_progress)
    {
        team->progress.runs_done = team->runs_done;
        team->progress.member_steps = team->member_steps;
        team->progress.seconds = seconds;
        team->options->progress(team->options->progress_context, &team->progress);
    }
}

/* Reports progress, but not more often than every tenth of a second. */
static void report_sometimes(struct team *team)
{
    const int64_t seldom = 100; /* ms */
    double seconds = omp_get_wtime() - team->began;
    int64_t now = (int64_t)(1e3 * seconds), last = team->reported;
    if (now - last >= seldom && atomic_compare_exchange_strong(&team->reported, &last, now))
        ensemble_run_report(team, seconds);
}

static bool is_over(const struct team *team)
{
    return team->writer.has_failed || team->lacking || team->short_stack;
}

/* Counts what a batch has done; as ml_walked_fn. */
static bool ensemble_run_count(void *context, int64_t steps, int n)
{
    struct team *team = context;
    team->member_steps += steps;
    team->runs_done += n;
    report_sometimes(team);
    return !is_over(team);
}

/* Computes one block of runs that begin by themselves; false if it was dropped. */
static bool compute(struct team *team, struct ml_batch *batch, struct ml_block *block)
{
    for (int64_t i = 0; i < block->n_run; i += ML_LANES) {
        int64_t left = block->n_run - i;
        int n = left < ML_LANES ? (int)left : ML_LANES;
        if (is_over(team) || !ml_refill_ahead(team->ensemble, batch, block->first + i, left))
            return false;
        const int64_t steps = ml_batch_run(team->ensemble, batch, block->first + i, n, block);
        if (steps < 0)
            return false;
        (void)ensemble_run_count(team, steps, n);
    }
    return true;
}

/* Computes one block of lines, a line in a lane; false if it was dropped. */
static bool compute_lines(struct team *team, struct ml_batch *batch, struct ml_block *block)
{
    const struct ml_ensemble *e = team->ensemble;
    const int64_t length = e->walk.n_run, n_line = block->n_run / length;
    for (int64_t i = 0; i < n_line; i += ML_LANES) {
        const int n = n_line - i < ML_LANES ? (int)(n_line - i) : ML_LANES;
        if (is_over(team) || !ml_walk(e, batch, block->first + i * length, n, length, block,
                                      ensemble_run_count, team))
            return false;
    }
    return true;
}

/* The next block that is not there yet; false if there is none or it is time to stop. */
static bool take_block(struct team *team, struct ml_block *block)
{
    const struct ml_ensemble *ensemble = team->ensemble;
    while (!must_stop(team) && !is_over(team)) {
        int64_t turn = team->turn++;
        if (turn >= team->n_block)
            return false;
        int64_t index = (turn * team->stride + team->offset) % team->n_block;
        if (team->sink->has && team->sink->has(team->sink->context, index))
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

static void ensemble_run_lay_out(const struct ml_ensemble *ensemble, struct worker *worker)
{
    ml_batch_layout(ensemble, &worker->arena, &worker->batch);
    for (int i = 0; i < ML_BUFFERS; i++)
        ml_block_layout(ensemble, &worker->arena, &worker->buffers[i].block);
}

/* One thread's part, memory first touched by the thread that uses it. */
static void take_blocks(struct team *team, struct worker *worker)
{
    ensemble_run_lay_out(team->ensemble, worker);
    if (!ml_arena_reserve(&worker->arena)) {
        team->lacking = worker->arena.size;
        return;
    }
    ensemble_run_lay_out(team->ensemble, worker);
    worker->batch.stop = (struct ml_stop){level_of_batch, team};
    const bool has_lines = team->ensemble->walk.n_run > 0;
    for (;;) {
        struct ml_buffer *buffer = ml_block_writer_free_buffer(&team->writer, worker->buffers);
        if (!take_block(team, &buffer->block))
            break;
        if ((has_lines ? compute_lines : compute)(team, &worker->batch, &buffer->block))
            ml_block_writer_send(&team->writer, buffer);
    }
}

static void take_part(struct team *team, struct worker *workers)
{
    const fenv_t before = ml_float_env_set();
    const size_t stack = ml_stack_size();
    if (omp_get_thread_num() == 0) {
#pragma omp critical(manylink_progress)
        team->progress.n_thread = omp_get_num_threads();
    }
    if (stack > 0 && stack < ML_RUN_STACK)
        team->short_stack = stack;
    else
        take_blocks(team, &workers[omp_get_thread_num()]);
    ml_float_env_restore(&before);
}

/* Everything between the first block and the last. */
static enum ml_status run_blocks(struct team *team, int n_thread, struct ml_error *err)
{
    struct worker *workers = calloc((size_t)n_thread, sizeof *workers);
    if (!workers)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status =
        ml_block_writer_start(&team->writer, team->sink, team->options->stop, err);
    if (status == ML_OK) {
        team->progress.n_thread = n_thread;
#pragma omp parallel num_threads(n_thread)
        take_part(team, workers);
        ml_block_writer_finish(&team->writer);
        status = team->writer.status;
    }
    for (int i = 0; i < n_thread; i++)
        ml_arena_free(&workers[i].arena);
    free(workers);
    if (status == ML_OK && team->short_stack)
        return ml_fail(
            err, ML_E_MEMORY,
            "threads have stacks of %zu kB, and need %d: raise OMP_STACKSIZE, or the limit "
            "of `ulimit -s`",
            team->short_stack / 1024, ML_RUN_STACK / 1024);
    if (status == ML_OK && team->lacking)
        return ml_fail(err, ML_E_MEMORY, "no memory for blocks of results (%.0f MB per thread)",
                       (double)team->lacking / 1e6);
    return status;
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* Runs of blocks that are not there yet. */
static int64_t runs_to_do(const struct team *team)
{
    const struct ml_ensemble *e = team->ensemble;
    int64_t n = e->n_run;
    for (int64_t b = 0; team->sink->has && b < team->n_block; b++)
        if (team->sink->has(team->sink->context, b))
            n -= ml_ensemble_runs_of_block(e, b);
    return n;
}

enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err)
{
    int n_thread = options->n_thread > 0 ? options->n_thread : omp_get_max_threads();
    struct team team = {
        .ensemble = ensemble,
        .options = options,
        .sink = sink,
        .n_block = ml_ensemble_blocks(ensemble),
        .stride = 1,
        .began = omp_get_wtime(),
    };
    if (options->shuffle) {
        team.offset = (int64_t)(options->shuffle % (uint64_t)team.n_block);
        team.stride = team.n_block / 2 + team.offset;
        while (gcd(team.stride, team.n_block) != 1)
            team.stride++;
    }
    team.progress.n_run = runs_to_do(&team);
    if (n_thread > team.n_block)
        n_thread = (int)team.n_block;
    if (ensemble->shape.solver == ML_SOLVER_lapacke)
        ml_lapacke_load();
    enum ml_status status = run_blocks(&team, n_thread, err);
    ensemble_run_report(&team, omp_get_wtime() - team.began);
    if (status == ML_OK && team.writer.runs_put < team.progress.n_run)
        return ml_fail(err, ML_STOPPED, "stopped with %lld of %lld runs to do",
                       (long long)(team.progress.n_run - team.writer.runs_put),
                       (long long)team.progress.n_run);
    return status;
}
