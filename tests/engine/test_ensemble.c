/* The engine's guarantees: same bits however the work is cut, and no run takes another down. */
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "engine/team/ensemble.h"
#include "engine/team/team.h"

/* Numbers of a chain besides those of its segments: gravity, its components, energy, body. */
enum { N_PARAM = 6 };

enum { MAX_RUN = 200, N = 3, N_VALUE = N_PARAM + 6 * N + 1, N_SAMPLE = 21 };

/* Results of all runs, gathered from blocks in whatever order they come. */
struct gathered {
    const struct ml_ensemble *ensemble;
    int8_t outcome[MAX_RUN];
    int64_t steps[MAX_RUN];
    double end_time[MAX_RUN];
    double summary[8][MAX_RUN * N];
    double angle[MAX_RUN * N * N_SAMPLE];
    int blocks;
    int64_t skip; /* block that is said to be there already; -1: none */
};

static bool has(void *context, int64_t block)
{
    return block == ((struct gathered *)context)->skip;
}

static enum ml_status put(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct gathered *g = context;
    const struct ml_ensemble *e = g->ensemble;
    struct ml_outputs at = {.ensemble = e};
    (void)err;
    for (int64_t i = 0; i < block->n_run; i++) {
        g->outcome[block->first + i] = block->outcome[i];
        g->steps[block->first + i] = block->steps[i];
        g->end_time[block->first + i] = block->end_time[i];
    }
    for (int o = 0; ml_outputs_next(&at); o++) {
        const size_t n_row = (size_t)ml_output_rows(&at.output, e->model.n);
        memcpy(g->summary[o] + (size_t)block->first * n_row, block->summary[o],
               (size_t)block->n_run * n_row * sizeof(double));
    }
    if (block->n_saved > 0)
        memcpy(g->angle + ml_saving_index(&e->saving, block->first) * N * N_SAMPLE,
               block->records[0], (size_t)block->n_saved * N * N_SAMPLE * sizeof(double));
    g->blocks++;
    return ML_OK;
}

/* What each run is made of; the third segment's angle tells runs apart. */
static void values(const void *context, int64_t run, double *v)
{
    (void)context;
    v[0] = 9.81;
    for (int p = 1; p < N_PARAM; p++)
        v[p] = (double)NAN;
    for (int i = 0; i < N; i++) {
        double *segment = v + N_PARAM + 4 * i;
        segment[0] = 0.5 + 0.1 * i;
        segment[1] = 1.0;
        segment[2] = segment[3] = (double)NAN;
        v[N_PARAM + 4 * N + i] = 1.0 + 0.01 * (double)run + i;
        v[N_PARAM + 5 * N + i] = -0.5 * i;
    }
    v[N_PARAM + 6 * N] = 0.05; /* damping */
}

/* As values, but run 13 blows up after some steps, and run 42 has no inertia at its tip. */
static void values_with_failures(const void *context, int64_t run, double *v)
{
    values(context, run, v);
    if (run == 13)
        v[N_PARAM + 5 * N] = 3e3; /* rad/s: far too fast for the step */
    if (run == 42)
        v[N_PARAM + 4 * 2 + 2] = v[N_PARAM + 4 * 2 + 3] = 0.0;
}

static struct ml_force_use damper = {.name = "oil", .joint = 1, .slot = N_PARAM + 6 * N};

static struct ml_ensemble ensemble(const struct ml_kernels *k)
{
    static const int first = 0;
    damper.type = k->registry->forces[1];
    return (struct ml_ensemble){
        .method = ml_methods[0],
        .kernels = k,
        .model = {.system = k->registry->systems[0], .n = N, .has_joint_terms = true},
        .forces = &damper,
        .n_force = 1,
        .numbers.n = N_VALUE,
        .time.step = 5e-3,
        .time.n_step = 200,
        .indicators.observe_every = 7,
        .saving =
            {.every = 10, .run_every = 1, .run_first = INT64_MAX, .records = &first, .n_record = 1},
        .n_run = MAX_RUN - 3,
        .block_runs = 16,
        .numbers.values = values,
    };
}

static struct gathered base, other;

static void run(const struct ml_ensemble *e, int n_thread, uint64_t shuffle, struct gathered *out)
{
    struct ml_error err = {0};
    struct ml_ensemble_options options = {.n_thread = n_thread, .shuffle = shuffle};
    memset(out, 0xA5, sizeof *out);
    out->ensemble = e;
    out->blocks = 0;
    out->skip = -1;
    struct ml_sink sink = {out, has, put};
    CHECK(ml_ensemble_run(e, &options, &sink, &err) == ML_OK);
}

/* Bytes of everything from the runs, without the bookkeeping of the test. */
static bool same(const struct gathered *a, const struct gathered *b)
{
    return memcmp(a->outcome, b->outcome,
                  offsetof(struct gathered, blocks) - offsetof(struct gathered, outcome)) == 0;
}

static void bits_do_not_depend_on_threads_blocks_order_or_isa(void)
{
    const struct ml_kernels *k;
    struct ml_ensemble first = ensemble(ml_kernels_at(0));
    run(&first, 1, 0, &base);
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        for (int64_t block = 8; block <= 256; block *= 2)
            for (int threads = 1; threads <= 4; threads++) {
                struct ml_ensemble e = ensemble(k);
                CHECK_CASE("%s, blocks of %d, %d threads", k->isa, (int)block, threads);
                e.block_runs = block;
                run(&e, threads, (uint64_t)(block + threads), &other);
                CHECK(same(&base, &other));
                CHECK(other.blocks == ml_ensemble_blocks(&e));
            }
}

static void observing_and_saving_do_not_change_the_runs(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s observing", k->isa);
    run(&e, 2, 0, &base);
    e.indicators.observe_every = 200;
    e.saving.every = 0;
    run(&e, 2, 0, &other);
    for (int o = 2; o < 4; o++) /* end_angle, end_rate */
        CHECK(memcmp(base.summary[o], other.summary[o], sizeof base.summary[o]) == 0);
}

static void a_failing_run_leaves_its_neighbours_alone(const struct ml_kernels *k,
                                                      enum ml_solver_kind solver)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s failing runs, %s", k->isa, k->solvers[solver].name);
    e.model.solver = solver;
    run(&e, 2, 0, &base);
    e.numbers.values = values_with_failures;
    run(&e, 2, 0, &other);
    CHECK(other.outcome[13] == ML_DIVERGED);
    CHECK(other.steps[13] > 0 && other.steps[13] < e.time.n_step);
    CHECK(other.end_time[13] == fma((double)other.steps[13], e.time.step, 0.0));
    CHECK(other.outcome[42] == ML_SINGULAR_MASS && other.steps[42] == 0);
    for (int o = 0; o < 4; o++)
        CHECK(isnan(other.summary[o][o == 0 ? 13 : 13 * N]));
    int64_t last = other.steps[13] / 10;
    CHECK(isfinite(other.angle[(13 * N) * N_SAMPLE + last]));
    CHECK(last + 1 < N_SAMPLE && isnan(other.angle[(13 * N) * N_SAMPLE + last + 1]));
    /* Put the two runs' own results back: nothing else may differ. */
    for (int r = 13; r <= 42; r += 29) {
        other.outcome[r] = base.outcome[r];
        other.steps[r] = base.steps[r];
        other.end_time[r] = base.end_time[r];
        other.summary[0][r] = base.summary[0][r];
        for (int o = 1; o < 4; o++)
            memcpy(other.summary[o] + r * N, base.summary[o] + r * N, N * sizeof(double));
        memcpy(other.angle + r * N * N_SAMPLE, base.angle + r * N * N_SAMPLE,
               N * N_SAMPLE * sizeof(double));
    }
    CHECK(same(&base, &other));
}

static void values_that_fail_later(const void *context, int64_t run, double *v)
{
    values(context, run, v);
    if (run == 13)
        v[N_PARAM + 5 * N] = 250.0; /* rad/s */
}

/* Every sample before a run fails is the end of a run that stops there. */
static void a_failing_run_keeps_its_samples(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s samples of a failing run", k->isa);
    e.numbers.values = values_that_fail_later;
    e.saving.every = 1;
    e.time.n_step = N_SAMPLE - 1;
    run(&e, 2, 0, &base);
    int64_t last = base.steps[13];
    CHECK(base.outcome[13] == ML_DIVERGED && last > 1 && last + 1 < N_SAMPLE);
    for (int64_t i = 1; i <= last; i++) {
        struct ml_ensemble shorter = e;
        shorter.time.n_step = i;
        shorter.saving.every = 0;
        run(&shorter, 2, 0, &other);
        for (int r = 0; r < N; r++) /* end_angle */
            CHECK(other.summary[2][13 * N + r] == base.angle[(13 * N + r) * N_SAMPLE + i]);
    }
}

/* The run that fails in a batch of its own, in every lane: same step, same time. */
static void a_failing_run_fails_alike_in_every_lane(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s failing in every lane", k->isa);
    e.numbers.values = values_with_failures;
    e.n_run = 43;
    run(&e, 1, 0, &base);
    for (int64_t block = 8; block < 64; block += 8) {
        e.block_runs = block;
        run(&e, 2, 0, &other);
        CHECK(other.steps[13] == base.steps[13] && other.steps[42] == 0);
    }
}

static void a_block_that_is_there_is_not_computed_again(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    struct ml_error err = {0};
    struct ml_ensemble_options options = {.n_thread = 2};
    CHECK_CASE("%s resume", k->isa);
    memset(&other, 0, sizeof other);
    other.ensemble = &e;
    other.skip = 2;
    struct ml_sink sink = {&other, has, put};
    CHECK(ml_ensemble_run(&e, &options, &sink, &err) == ML_OK);
    CHECK(other.blocks == ml_ensemble_blocks(&e) - 1);
    for (int i = 0; i < 16; i++)
        CHECK(other.steps[32 + i] == 0 && other.steps[i] == e.time.n_step);
}

static enum ml_status fail(void *context, const struct ml_block *block, struct ml_error *err)
{
    (void)context, (void)block, (void)err;
    return ML_E_FILE;
}

static void an_error_of_the_sink_ends_the_run(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    struct ml_error err = {0};
    struct ml_ensemble_options options = {.n_thread = 2};
    struct ml_sink sink = {.put = fail};
    CHECK_CASE("%s sink error", k->isa);
    CHECK(ml_ensemble_run(&e, &options, &sink, &err) == ML_E_FILE);
}

static int level_of(void *context) { return atomic_load((atomic_int *)context); }

static void a_stop_ends_the_run_resumably(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    struct ml_error err = {0};
    atomic_int stop = 1;
    struct ml_ensemble_options options = {.n_thread = 2, .stop = {level_of, &stop}};
    CHECK_CASE("%s stop", k->isa);
    other.blocks = 0;
    other.ensemble = &e;
    struct ml_sink sink = {&other, NULL, put};
    CHECK(ml_ensemble_run(&e, &options, &sink, &err) == ML_STOPPED);
    CHECK(other.blocks == 0);
    ml_error_clear(&err);
}

/* A sink slower than the threads, which counts the blocks of memory that come by. */
struct slow {
    struct gathered *gathered;
    double *memory[64]; /* different blocks' memory seen so far */
    int n_memory, n_fail_after;
    bool was_entered_twice;
    atomic_int inside;
    atomic_int *stop; /* set to `level` in the second call */
    int level, calls;
    int64_t runs_done; /* as last reported */
};

static enum ml_status write_slowly(void *context, const struct ml_block *block,
                                   struct ml_error *err)
{
    struct slow *slow = context;
    slow->was_entered_twice |= atomic_fetch_add(&slow->inside, 1) != 0;
    (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    int known = 0;
    while (known < slow->n_memory && slow->memory[known] != block->end_time)
        known++;
    if (known == slow->n_memory && known < 64)
        slow->memory[slow->n_memory++] = block->end_time;
    slow->calls++;
    if (slow->stop && slow->calls == 2)
        *slow->stop = slow->level;
    enum ml_status status = put(slow->gathered, block, err);
    atomic_fetch_sub(&slow->inside, 1);
    return slow->n_fail_after && slow->calls >= slow->n_fail_after ? ML_E_FILE : status;
}

static void note_progress(void *context, const struct ml_progress *progress)
{
    ((struct slow *)context)->runs_done = progress->runs_done;
}

static enum ml_status run_slowly(const struct ml_ensemble *e, struct slow *slow, int n_thread)
{
    struct ml_error err = {0};
    struct ml_ensemble_options options = {.n_thread = n_thread,
                                          .stop = {slow->stop ? level_of : NULL, slow->stop},
                                          .progress = note_progress,
                                          .progress_context = slow};
    memset(&other, 0xA5, sizeof other);
    other.ensemble = e;
    other.blocks = 0;
    slow->gathered = &other;
    struct ml_sink sink = {slow, NULL, write_slowly};
    enum ml_status status = ml_ensemble_run(e, &options, &sink, &err);
    ml_error_clear(&err);
    return status;
}

static void a_slow_sink_is_waited_for(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    e.block_runs = 8;
    run(&e, 1, 0, &base);
    for (int threads = 1; threads <= 3; threads++) {
        struct slow slow = {0};
        CHECK_CASE("%s slow sink, %d threads", k->isa, threads);
        CHECK(run_slowly(&e, &slow, threads) == ML_OK);
        CHECK(same(&base, &other) && other.blocks == ml_ensemble_blocks(&e));
        CHECK(!slow.was_entered_twice);
        CHECK(slow.n_memory <= 2 * threads);
    }
}

/* Blocks that wait when the sink fails are not put, and no more are computed. */
static void a_sink_that_fails_in_between_ends_the_run(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s sink fails at the third block", k->isa);
    e.block_runs = 8;
    struct slow slow = {.n_fail_after = 3};
    CHECK(run_slowly(&e, &slow, 2) == ML_E_FILE);
    CHECK(slow.calls == 3);
}

/* At level 1 what is computed is put; at level 2 nothing after what is being put. */
static void blocks_that_wait_heed_the_stop(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    e.block_runs = 8;
    for (int level = 1; level <= 2; level++) {
        atomic_int stop = 0;
        struct slow slow = {.stop = &stop, .level = level};
        CHECK_CASE("%s stop level %d in the sink", k->isa, level);
        CHECK(run_slowly(&e, &slow, 1) == ML_STOPPED);
        if (level == 1)
            CHECK(slow.calls < 5 && slow.runs_done == slow.calls * e.block_runs);
        else
            CHECK(slow.calls == 2);
    }
}

static bool has_all_but_last(void *context, int64_t block)
{
    return block != ml_ensemble_blocks(((struct gathered *)context)->ensemble) - 1;
}

static atomic_int told;

/* As values, and asks for everything to be dropped from run 20 on. */
static void values_that_stop(const void *context, int64_t run, double *v)
{
    values(context, run, v);
    if (run >= 20)
        told = 2;
}

/* Without it this test would take days. */
static void a_second_stop_drops_the_blocks_in_flight(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    struct ml_error err = {0};
    struct ml_ensemble_options options = {.n_thread = 1, .stop = {level_of, &told}};
    CHECK_CASE("%s drop", k->isa);
    told = 0;
    e.numbers.values = values_that_stop;
    e.saving.every = 0;
    e.indicators.observe_every = e.time.n_step = INT64_C(1) << 40;
    e.n_run = 24;
    e.block_runs = 8;
    other.blocks = 0;
    other.ensemble = &e;
    struct ml_sink sink = {&other, has_all_but_last, put};
    CHECK(ml_ensemble_run(&e, &options, &sink, &err) == ML_STOPPED);
    CHECK(other.blocks == 0);
    ml_error_clear(&err);
}

/* A rate whose square is beyond double: the state stays finite, the energy does not. */
static void values_too_fast(const void *context, int64_t run, double *v)
{
    values(context, run, v);
    for (int i = 0; i < N; i++)
        v[N_PARAM + 5 * N + i] = run == 3 ? 1e155 : 0.0;
    v[0] = 0.0;
    v[N_PARAM + 6 * N] = 0.0;
}

static void an_energy_beyond_numbers_is_no_perfect_score(const struct ml_kernels *k)
{
    struct ml_ensemble e = ensemble(k);
    CHECK_CASE("%s energy overflow", k->isa);
    e.numbers.values = values_too_fast;
    e.time.step = 1e-170;
    run(&e, 1, 0, &other);
    CHECK(!(other.summary[0][3] <= 1.0));
    CHECK(other.summary[0][4] <= 1.0);
}

/* A history of 1000 entries for each run. */
static void blocks_with_long_summaries_fit_in_memory(void)
{
    struct ml_ensemble e = ensemble(ml_kernels_at(0));
    const double none = (double)NAN, lyapunov[] = {none, 1.0, 0.0, e.time.step, none, none};
    const double *settings[32] = {lyapunov};
    CHECK(strcmp(e.kernels->registry->indicators[0]->name, "lyapunov") == 0);
    e.saving.every = 0;
    e.indicators.settings = settings;
    e.time.n_step = 1000;
    e.n_run = 1000000;
    e.indicators.n_tangent = e.model.n_column = 1;
    e.indicators.renormalise_every = 1;
    CHECK(ml_ensemble_block_runs(&e) <= 2000);
}

static void blocks_suit_the_work_and_the_saved_runs(void)
{
    struct ml_ensemble e = ensemble(ml_kernels_at(0));
    CHECK_CASE("block size");
    e.saving.every = 0;
    e.time.n_step = 1000;
    e.n_run = 1000000;
    int64_t plain = ml_ensemble_block_runs(&e);
    CHECK(plain % ML_LANES == 0 && plain >= 1000 && plain <= 65536);
    for (int64_t every = 1; every <= 100000; every = every * 3 + 1) {
        e.saving = (struct ml_saving){.every = 500, .run_every = every, .run_first = INT64_MAX};
        int64_t block = ml_ensemble_block_runs(&e);
        CHECK(block % ML_LANES == 0 && block <= plain && block > plain / 2);
    }
    e.n_run = 20 * ML_LANES;
    e.saving.every = 0;
    CHECK(ml_ensemble_block_runs(&e) == ML_LANES); /* at least 16 blocks */
    e.n_run = INT64_C(1) << 40;
    e.time.n_step = INT64_C(1) << 40;
    e.block_runs = ml_ensemble_block_runs(&e);
    CHECK(ml_ensemble_blocks(&e) <= 1100000);
}

int main(void)
{
    const struct ml_kernels *k;
    blocks_suit_the_work_and_the_saved_runs();
    blocks_with_long_summaries_fit_in_memory();
    bits_do_not_depend_on_threads_blocks_order_or_isa();
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        observing_and_saving_do_not_change_the_runs(k);
        for (int solver = 0; solver < ML_N_SOLVER; solver++)
            a_failing_run_leaves_its_neighbours_alone(k, (enum ml_solver_kind)solver);
        an_energy_beyond_numbers_is_no_perfect_score(k);
        a_second_stop_drops_the_blocks_in_flight(k);
        a_failing_run_keeps_its_samples(k);
        a_failing_run_fails_alike_in_every_lane(k);
        a_block_that_is_there_is_not_computed_again(k);
        an_error_of_the_sink_ends_the_run(k);
        a_slow_sink_is_waited_for(k);
        a_sink_that_fails_in_between_ends_the_run(k);
        blocks_that_wait_heed_the_stop(k);
        a_stop_ends_the_run_resumably(k);
    }
    return check_done();
}
