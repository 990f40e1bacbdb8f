/* Blocks of an ensemble: runs are integrated in batches of ML_LANES. */
#include "engine/batch.h"
#include "engine/batch_run.h"
#include "engine/continuation.h"
#include "engine/team.h"
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
        if (ml_team_is_over(team) || !ml_refill_ahead(e, batch, block->first + i, left))
            return false;
        const int64_t steps = ml_batch_run(e, batch, block->first + i, n, block);
        if (steps < 0)
            return false;
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
        if (ml_team_is_over(team) || !ml_continuation(e, batch, block->first + i * length, n,
                                                      length, block, ensemble_run_count, team))
            return false;
    }
    return true;
}

static void ensemble_run_lay_out(const void *context, struct ml_arena *arena, void *own)
{
    ml_batch_layout(context, arena, own);
}

static void ensemble_run_lay_out_block(const void *context, struct ml_arena *arena,
                                       struct ml_block *block)
{
    ml_block_layout(context, arena, block);
}

static enum ml_status ensemble_run_compute(const void *context, void *own, struct ml_team *team,
                                           struct ml_block *block, struct ml_error *err)
{
    const struct ml_ensemble *e = context;
    struct ml_batch *batch = own;
    (void)err;
    batch->stop = ml_team_stop(team);
    block->n_saved = ml_saving_index(&e->saving, block->first + block->n_run) -
                     ml_saving_index(&e->saving, block->first);
    const bool has_lines = e->continuation.n_run > 0;
    return (has_lines ? compute_lines : compute_runs)(e, batch, team, block) ? ML_OK : ML_STOPPED;
}

enum ml_status ml_ensemble_run(const struct ml_ensemble *ensemble,
                               const struct ml_ensemble_options *options,
                               const struct ml_sink *sink, struct ml_error *err)
{
    const struct ml_computation computation = {
        .context = ensemble,
        .called = "runs",
        .n_run = ensemble->n_run,
        .block_runs = ensemble->block_runs,
        .own_size = sizeof(struct ml_batch),
        .lay_out = ensemble_run_lay_out,
        .lay_out_block = ensemble_run_lay_out_block,
        .compute = ensemble_run_compute,
    };
    if (ensemble->model.solver == ML_SOLVER_lapacke)
        ml_lapacke_load();
    return ml_team_run(&computation, options, sink, err);
}
