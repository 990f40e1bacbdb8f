/* The parallel region: threads take blocks one by one until none is left, and send them to the
 * writer. A thread's buffers stay its own until the writer is done with them, so they are freed
 * after that, by whoever began. */
#include "engine/team/team.h"

#include <omp.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "engine/gpu/use.h"
#include "manylink/fail.h"
#include "manylink/run.h"

/* Bytes of this thread's stack; 0 if they are not known: POSIX has no question for them. The first
 * thread's stack grows to a limit, which glibc would look for in /proc/self/maps for 0.2 ms. */
static size_t team_stack_size(void)
{
    pthread_attr_t attributes;
    struct rlimit limit;
    size_t size = 0;
    if (syscall(SYS_gettid) == getpid())
        return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
                   ? (size_t)limit.rlim_cur
                   : 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    if (pthread_attr_getstacksize(&attributes, &size) != 0)
        size = 0;
    (void)pthread_attr_destroy(&attributes);
    return size;
}

/* One thread. */
struct worker {
    struct ml_arena arena;
    void *own;              /* of the computation */
    struct ml_gpu_use *gpu; /* NULL: none */
    bool is_for_gpu;        /* beside the threads that were asked for: ends when the GPU fails */
    struct ml_buffer buffers[ML_BUFFERS];
    enum ml_status status; /* of the block that could not be computed, its number and why */
    int64_t failed;
    struct ml_error err;
};

struct ml_team {
    const struct ml_computation *computation;
    const struct ml_ensemble_options *options;
    const struct ml_sink *sink;
    struct ml_block_writer writer;
    struct worker *workers;          /* [threads] */
    int n_asked, n_for_gpu;          /* threads, and those beside them for GPUs */
    int64_t n_block, stride, offset; /* block of turn i: (i stride + offset) mod n_block */
    _Atomic int64_t turn;
    _Atomic int64_t runs_done, member_steps;
    atomic_bool lacks_own; /* a thread could not get the memory that the computation begins with */
    atomic_size_t lacking; /* bytes that a thread could not get for blocks; 0: none */
    atomic_size_t short_stack; /* bytes of a stack that is too small; 0: all are large enough */
    atomic_bool has_failed;    /* a block could not be computed */
    double began;              /* s */
    pthread_mutex_t lock;      /* of `progress`, and held while the caller hears of it */
    struct ml_progress progress;
    _Atomic int64_t reported; /* ms since `began`, when progress was last reported */
};

static bool must_stop(const struct ml_team *team)
{
    const struct ml_ensemble_options *o = team->options;
    return ml_stop_level(o->stop) > 0 || (o->deadline > 0.0 && omp_get_wtime() >= o->deadline);
}

/* The level of stopping of computations: blocks that wait to be put are not dropped for time.
 */
static int team_stop_level(void *context)
{
    const struct ml_ensemble_options *o = ((const struct ml_team *)context)->options;
    const bool is_late = o->last_moment > 0.0 && omp_get_wtime() >= o->last_moment;
    return is_late ? 2 : ml_stop_level(o->stop);
}

struct ml_stop ml_team_stop(struct ml_team *team)
{
    return (struct ml_stop){team_stop_level, team};
}

struct ml_gpu_use *ml_team_gpu(const struct ml_team *team)
{
    return team->workers[omp_get_thread_num()].gpu;
}

static void team_report(struct ml_team *team, double seconds)
{
    if (!team->options->progress)
        return;
    (void)pthread_mutex_lock(&team->lock);
    team->progress.runs_done = team->runs_done;
    team->progress.member_steps = team->member_steps;
    team->progress.seconds = seconds;
    team->options->progress(team->options->progress_context, &team->progress);
    (void)pthread_mutex_unlock(&team->lock);
}

/* Reports progress, but not more often than every tenth of a second. */
static void report_sometimes(struct ml_team *team)
{
    const int64_t seldom = 100; /* ms */
    double seconds = omp_get_wtime() - team->began;
    int64_t now = (int64_t)(1e3 * seconds), last = team->reported;
    if (now - last >= seldom && atomic_compare_exchange_strong(&team->reported, &last, now))
        team_report(team, seconds);
}

bool ml_team_is_over(const struct ml_team *team)
{
    return team->writer.has_failed || team->lacks_own || team->lacking || team->short_stack ||
           team->has_failed;
}

bool ml_team_count(struct ml_team *team, int64_t steps, int64_t n_run)
{
    team->member_steps += steps;
    team->runs_done += n_run;
    report_sometimes(team);
    return !ml_team_is_over(team);
}

static int64_t runs_of_block(const struct ml_computation *computation, int64_t index)
{
    const int64_t left = computation->n_run - index * computation->block_runs;
    return left < computation->block_runs ? left : computation->block_runs;
}

/* The next block that the sink lacks; false when none is left or the computation is to stop. */
static bool take_block(struct ml_team *team, struct ml_block *block)
{
    while (!must_stop(team) && !ml_team_is_over(team)) {
        int64_t turn = team->turn++;
        if (turn >= team->n_block)
            return false;
        int64_t index = (turn * team->stride + team->offset) % team->n_block;
        if (team->sink->has && team->sink->has(team->sink->context, index))
            continue;
        block->index = index;
        block->first = index * team->computation->block_runs;
        block->n_run = runs_of_block(team->computation, index);
        return true;
    }
    return false;
}

static void team_lay_out(const struct ml_computation *computation, struct worker *worker)
{
    if (computation->lay_out)
        computation->lay_out(computation->context, &worker->arena, worker->own);
    for (int i = 0; i < ML_BUFFERS; i++)
        computation->lay_out_block(computation->context, &worker->arena, &worker->buffers[i].block);
}

/* Memory is first touched by the thread that uses it. False without. */
static bool team_reserve(struct ml_team *team, struct worker *worker)
{
    const struct ml_computation *c = team->computation;
    worker->own = calloc(1, c->own_size);
    if (!worker->own || (c->begin && !c->begin(c->context, worker->own))) {
        team->lacks_own = true;
        return false;
    }
    team_lay_out(c, worker);
    if (!ml_arena_reserve(&worker->arena)) {
        team->lacking = worker->arena.size;
        return false;
    }
    team_lay_out(c, worker);
    return true;
}

/* One thread's part. */
static void take_blocks(struct ml_team *team, struct worker *worker)
{
    const struct ml_computation *c = team->computation;
    while (worker->status == ML_OK && !(worker->is_for_gpu && worker->gpu->has_failed)) {
        struct ml_buffer *buffer = ml_block_writer_free_buffer(&team->writer, worker->buffers);
        if (!take_block(team, &buffer->block))
            break;
        const enum ml_status status =
            c->compute(c->context, worker->own, team, &buffer->block, &worker->err);
        if (status == ML_OK) {
            ml_block_writer_send(&team->writer, buffer);
        } else if (status != ML_STOPPED) {
            worker->status = status;
            worker->failed = buffer->block.index;
            team->has_failed = true;
        }
    }
}

/* The last threads are those for GPUs, each for the next one in turn. */
static void team_serve(const struct ml_team *team, int thread, struct worker *worker)
{
    const int i = omp_get_num_threads() - 1 - thread;
    worker->is_for_gpu = thread >= team->n_asked;
    if (i < team->n_for_gpu)
        worker->gpu = &team->options->gpus[i % team->options->n_gpu];
}

static void take_part(struct ml_team *team)
{
    const fenv_t before = ml_float_env_set();
    const size_t stack = team_stack_size();
    struct worker *worker = &team->workers[omp_get_thread_num()];
    team_serve(team, omp_get_thread_num(), worker);
    if (omp_get_thread_num() == 0) {
        (void)pthread_mutex_lock(&team->lock);
        team->progress.n_thread = omp_get_num_threads();
        (void)pthread_mutex_unlock(&team->lock);
    }
    if (stack > 0 && stack < ML_RUN_STACK)
        team->short_stack = stack;
    else if (team_reserve(team, worker))
        take_blocks(team, worker);
    ml_float_env_restore(&before);
}

/* The failure of the first block that could not be computed. */
static enum ml_status team_failure(const struct worker *workers, int n, struct ml_error *err)
{
    const struct worker *first = NULL;
    for (int i = 0; i < n; i++)
        if (workers[i].status != ML_OK && (!first || workers[i].failed < first->failed))
            first = &workers[i];
    return first ? ml_fail(err, first->status, "%s",
                           first->err.text ? first->err.text : ml_status_text(first->status))
                 : ML_OK;
}

static enum ml_status team_lack(const struct ml_team *team, struct ml_error *err)
{
    if (team->short_stack)
        return ml_fail(
            err, ML_E_MEMORY,
            "threads have stacks of %zu kB, and need %d: raise OMP_STACKSIZE, or the limit "
            "of `ulimit -s`",
            team->short_stack / 1024, ML_RUN_STACK / 1024);
    if (team->lacks_own)
        return ml_fail(err, ML_E_MEMORY, "no memory for the working arrays of a thread");
    return team->lacking
               ? ml_fail(err, ML_E_MEMORY, "no memory for blocks of results (%.0f MB per thread)",
                         (double)team->lacking / 1e6)
               : ML_OK;
}

/* Everything between the first block and the last. */
static enum ml_status run_blocks(struct ml_team *team, int n_thread, struct ml_error *err)
{
    struct worker *workers = calloc((size_t)n_thread, sizeof *workers);
    if (!workers)
        return ML_E_MEMORY;
    team->workers = workers;
    enum ml_status status =
        ml_block_writer_start(&team->writer, team->sink, team->options->stop, err);
    if (status == ML_OK) {
        team->progress.n_thread = n_thread;
#pragma omp parallel num_threads(n_thread)
        take_part(team);
        ml_block_writer_finish(&team->writer);
        status = team->writer.status;
    }
    if (status == ML_OK)
        status = team_lack(team, err);
    if (status == ML_OK)
        status = team_failure(workers, n_thread, err);
    for (int i = 0; i < n_thread; i++) {
        if (workers[i].own && team->computation->end)
            team->computation->end(workers[i].own);
        ml_arena_free(&workers[i].arena);
        ml_error_clear(&workers[i].err);
        free(workers[i].own);
    }
    free(workers);
    return status;
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* Runs of blocks that are not there yet. */
static int64_t runs_to_do(const struct ml_team *team)
{
    int64_t n = team->computation->n_run;
    for (int64_t b = 0; team->sink->has && b < team->n_block; b++)
        if (team->sink->has(team->sink->context, b))
            n -= runs_of_block(team->computation, b);
    return n;
}

enum ml_status ml_team_run(const struct ml_computation *computation,
                           const struct ml_ensemble_options *options, const struct ml_sink *sink,
                           struct ml_error *err)
{
    int n_thread = options->n_thread > 0 ? options->n_thread : ml_cgroup_threads();
    struct ml_team team = {
        .computation = computation,
        .options = options,
        .sink = sink,
        .n_block = (computation->n_run + computation->block_runs - 1) / computation->block_runs,
        .stride = 1,
        .began = omp_get_wtime(),
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    if (options->shuffle) {
        team.offset = (int64_t)(options->shuffle % (uint64_t)team.n_block);
        team.stride = team.n_block / 2 + team.offset;
        while (gcd(team.stride, team.n_block) != 1)
            team.stride++;
    }
    team.progress.n_run = runs_to_do(&team);
    team.n_asked = n_thread;
    for (int i = 0; i < options->n_gpu; i++)
        team.n_for_gpu += options->gpus[i].n_thread;
    n_thread += team.n_for_gpu;
    if (n_thread > team.n_block)
        n_thread = (int)team.n_block;
    enum ml_status status = run_blocks(&team, n_thread, err);
    team_report(&team, omp_get_wtime() - team.began);
    (void)pthread_mutex_destroy(&team.lock);
    if (status == ML_OK && team.writer.runs_write < team.progress.n_run)
        return ml_fail(err, ML_STOPPED, "stopped with %lld of %lld %s to do",
                       (long long)(team.progress.n_run - team.writer.runs_write),
                       (long long)team.progress.n_run, computation->called);
    return status;
}
