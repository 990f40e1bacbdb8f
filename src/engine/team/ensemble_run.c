/* Blocks of an ensemble: runs are integrated in batches of ML_LANES. Of a block in which some runs
 * are known the others are computed side by side, under numbers without gaps, and then put to their
 * places. */
#include <string.h>

#include "engine/steps/device.h"
#include "engine/team/batch.h"
#include "engine/team/batch_run.h"
#include "engine/team/continuation.h"
#include "engine/team/team.h"
#include "linalg/lapacke.h"

/* As ml_continued_fn. */
static bool ensemble_run_count(void *context, int64_t steps, int n)
{
    return ml_team_count(context, steps, n);
}

/* Computes one block of runs that begin by themselves; false if it was dropped. */
static bool compute_runs(const struct ml_ensemble *e, struct ml_batch *batch, struct ml_team *team,
                         struct ml_block *block)
{
    for (int64_t i = 0; i < block->n_run; i += ML_LANES) {
        int64_t left = block->n_run - i;
        int n = left < ML_LANES ? (int)left : ML_LANES;
        if (ml_team_is_over(team) || !ml_device_ahead(e, batch, block, i / ML_LANES))
            return false;
        if (!ml_device_has(&batch->device, block->first + i) &&
            !ml_refill_ahead(e, batch, block->first + i, batch->device.n_batch > 0 ? n : left))
            return false;
        const int64_t steps = ml_batch_run(e, batch, block->first + i, n, block);
        if (steps < 0)
            return false;
        if (batch->window.device_run >= 0)
            batch->device.use->n_run += n;
        (void)ml_team_count(team, steps, n);
    }
    return true;
}

/* Computes one block of lines, a line in a lane; false if it was dropped. */
static bool compute_lines(const struct ml_ensemble *e, struct ml_batch *batch, struct ml_team *team,
                          struct ml_block *block)
{
    const int64_t length = e->continuation.n_run, n_line = block->n_run / length;
    for (int64_t i = 0; i < n_line; i += ML_LANES) {
        const int n = n_line - i < ML_LANES ? (int)(n_line - i) : ML_LANES;
        const struct ml_lines lines = {block->first + i * length, n, length};
        if (ml_team_is_over(team) ||
            !ml_continuation(e, batch, lines, block, ensemble_run_count, team))
            return false;
    }
    return true;
}

/* Context of the computation. */
struct ensemble_run {
    const struct ml_ensemble *ensemble;
    const struct ml_known_runs *known; /* NULL: no run is */
};

/* Memory of a thread. */
struct ensemble_run_own {
    struct ml_batch batch;
    /* If some runs are known: */
    struct ml_block rest; /* results of runs side by side */
    int64_t *runs;        /* [block_runs] their numbers in the ensemble */
};

static void ensemble_run_lay_out(const void *context, struct ml_arena *arena, void *own)
{
    const struct ensemble_run *of = context;
    struct ensemble_run_own *o = own;
    ml_batch_layout(of->ensemble, arena, &o->batch);
    if (!of->known)
        return;
    ml_block_layout(of->ensemble, arena, &o->rest);
    o->runs = ml_arena_take(arena, (size_t)of->ensemble->block_runs, sizeof *o->runs);
}

static void ensemble_run_lay_out_block(const void *context, struct ml_arena *arena,
                                       struct ml_block *block)
{
    ml_block_layout(((const struct ensemble_run *)context)->ensemble, arena, block);
}

/* Runs that are computed side by side under the numbers from `first` on. */
struct ensemble_rest {
    const struct ml_ensemble *ensemble;
    const int64_t *runs;
    int64_t first;
};

static void ensemble_rest_values(const void *context, int64_t run, double *values)
{
    const struct ensemble_rest *rest = context;
    rest->ensemble->numbers.values(rest->ensemble->numbers.context, rest->runs[run - rest->first],
                                   values);
}

/* Which runs of a block are computed side by side. */
struct rest_kind {
    bool is_saved;     /* they keep a trajectory: samples are met by all runs, kept or not */
    bool is_prolonged; /* they are integrated on from an earlier end; else they are unknown */
};

/* Lists the runs of a kind. */
static int64_t rest_list(const struct ensemble_run *of, const struct ml_block *block,
                         struct rest_kind kind, int64_t *runs)
{
    const struct ml_known_runs *known = of->known;
    int64_t n = 0;
    for (int64_t run = block->first; run < block->first + block->n_run; run++) {
        const bool is_known = known->has(known->context, run);
        const bool is_wanted = kind.is_prolonged
                                   ? is_known && block->outcome[run - block->first] == ML_FINISHED
                                   : !is_known;
        if (is_wanted && ml_saving_keeps(&of->ensemble->saving, run) == kind.is_saved)
            runs[n++] = run;
    }
    return n;
}

/* Copies n numbers from a place in the block to one among runs side by side, or back. */
static void rest_copy(double *place, double *beside, int64_t n, bool is_back)
{
    memcpy(is_back ? place : beside, is_back ? beside : place, (size_t)n * sizeof *place);
}

/* Copies the numbers of the listed runs from the block to `rest`, or back to their places. */
static void rest_move(const struct ml_ensemble *e, struct ml_block *rest, const int64_t *runs,
                      struct ml_block *block, bool is_back)
{
    struct ml_outputs at = {.ensemble = e};
    const int64_t saved_before = ml_saving_index(&e->saving, block->first);
    for (int64_t i = 0; i < rest->n_run && is_back; i++) {
        const int64_t row = runs[i] - block->first;
        block->outcome[row] = rest->outcome[i];
        block->steps[row] = rest->steps[i];
        block->end_time[row] = rest->end_time[i];
    }
    for (int o = 0; ml_outputs_next(&at); o++) {
        const int64_t n = ml_output_rows(&at.output, e->model.n);
        for (int64_t i = 0; i < rest->n_run; i++)
            rest_copy(block->summary[o] + (runs[i] - block->first) * n, rest->summary[o] + i * n, n,
                      is_back);
    }
    for (int k = 0; k < ml_saving_records(&e->saving) && rest->n_saved > 0; k++) {
        const int64_t n = ml_record_rows(e, e->saving.records[k]) * (int64_t)ml_ensemble_samples(e);
        for (int64_t i = 0; i < rest->n_saved; i++)
            rest_copy(block->records[k] + (ml_saving_index(&e->saving, runs[i]) - saved_before) * n,
                      rest->records[k] + i * n, n, is_back);
    }
}

/* Computes the runs of a kind. Returns their number; -1: the block was dropped. */
static int64_t rest_compute(const struct ensemble_run *of, struct ensemble_run_own *own,
                            struct ml_team *team, struct rest_kind kind, struct ml_block *block)
{
    struct ml_ensemble e = *of->ensemble;
    const struct ensemble_rest rest = {of->ensemble, own->runs, block->first};
    const int64_t n = rest_list(of, block, kind, own->runs);
    e.numbers.values = ensemble_rest_values;
    e.numbers.context = &rest;
    e.saving.run_every = 1;
    e.saving.run_first = kind.is_saved ? e.n_run : 0;
    own->rest.first = block->first;
    own->rest.n_run = n;
    own->rest.n_saved = kind.is_saved ? n : 0;
    own->batch.n_done = kind.is_prolonged ? of->known->n_step : 0;
    ml_refill_forget(&own->batch.refill); /* the same numbers are other runs */
    if (kind.is_prolonged)
        rest_move(of->ensemble, &own->rest, own->runs, block, false);
    if (!compute_runs(&e, &own->batch, team, &own->rest))
        return -1;
    rest_move(of->ensemble, &own->rest, own->runs, block, true);
    return n;
}

static enum ml_status ensemble_run_compute_rest(const struct ensemble_run *of,
                                                struct ensemble_run_own *own, struct ml_team *team,
                                                struct ml_block *block, struct ml_error *err)
{
    static const struct rest_kind kinds[] = {
        {false, false}, {true, false}, {false, true}, {true, true}};
    const int n_kind = of->known->n_step > 0 ? 4 : 2;
    int64_t n_left = block->n_run;
    const enum ml_status status = of->known->copy(of->known->context, block, err);
    if (status != ML_OK)
        return status;
    for (int k = 0; k < n_kind; k++) {
        const int64_t n = rest_compute(of, own, team, kinds[k], block);
        if (n < 0)
            return ML_STOPPED;
        n_left -= n;
    }
    return ml_team_count(team, 0, n_left) ? ML_OK : ML_STOPPED;
}

static enum ml_status ensemble_run_compute(const void *context, void *own, struct ml_team *team,
                                           struct ml_block *block, struct ml_error *err)
{
    const struct ensemble_run *of = context;
    const struct ml_ensemble *e = of->ensemble;
    struct ensemble_run_own *o = own;
    o->batch.stop = ml_team_stop(team);
    o->batch.device.use = ml_team_gpu(team);
    block->n_saved = ml_saving_index(&e->saving, block->first + block->n_run) -
                     ml_saving_index(&e->saving, block->first);
    if (of->known)
        return ensemble_run_compute_rest(of, o, team, block, err);
    const bool has_lines = e->continuation.n_run > 0;
    return (has_lines ? compute_lines : compute_runs)(e, &o->batch, team, block) ? ML_OK
                                                                                 : ML_STOPPED;
}

static void ensemble_run_end(void *own)
{
    struct ensemble_run_own *o = own;
    ml_gpu_queue_close(&o->batch.device.queue);
}

enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err)
{
    const struct ensemble_run of = {ensemble, options->known};
    const struct ml_computation computation = {
        .context = &of,
        .called = "runs",
        .n_run = ensemble->n_run,
        .block_runs = ensemble->block_runs,
        .own_size = sizeof(struct ensemble_run_own),
        .lay_out = ensemble_run_lay_out,
        .lay_out_block = ensemble_run_lay_out_block,
        .end = ensemble_run_end,
        .compute = ensemble_run_compute,
    };
    if (ensemble->model.solver == ML_SOLVER_lapacke)
        ml_lapacke_load();
    return ml_team_run(&computation, options, sink, err);
}
