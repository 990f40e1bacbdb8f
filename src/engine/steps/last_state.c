/* The state from which a run failed. */
#include "engine/steps/last_state.h"

#include <math.h>

#include "engine/team/batch_run.h"
#include "manylink/fail.h"

struct last_run {
    const struct ml_ensemble *all;
    int64_t run;
};

static void last_state_values(const void *context, int64_t run, double *values)
{
    const struct last_run *last = context;
    (void)run;
    last->all->numbers.values(last->all->numbers.context, last->run, values);
}

/* The run alone, cut off after as many steps as take a second or two. */
static struct ml_ensemble last_state_ensemble(const struct last_run *last)
{
    const double work = 4e8; /* operations */
    struct ml_ensemble e = ml_ensemble_bare(last->all);
    const double rows = ml_rows_state(&e), n_stage = e.method->n_stage;
    const double most = work / ((n_stage + 1.0) * rows * (rows + 8.0));
    e.numbers.values = last_state_values;
    e.numbers.context = last;
    e.n_run = 1;
    e.block_runs = ML_LANES;
    if (e.time.is_adaptive)
        e.chosen.control.most_steps = fmin(e.chosen.control.most_steps, most);
    else
        e.time.n_step = (int64_t)fmin((double)e.time.n_step, most);
    return e;
}

/* State quantities of rows x of the first lane. */
static void last_state_record(const struct ml_ensemble *e, const struct ml_batch *batch,
                              const double *x, double time, double *state)
{
    e->model.system->dynamics.record(&e->model, ml_times(time).lane, batch->constants, x,
                                     batch->work, batch->records.state);
    for (int i = 0; i < ml_rows_state(e); i++)
        state[i] = batch->records.state[0][i * ML_LANES];
}

enum ml_status ml_last_state_find(const struct ml_ensemble *ensemble, int64_t run, double *state,
                                  struct ml_last_state *out, struct ml_error *err)
{
    const struct last_run last = {ensemble, run};
    const struct ml_ensemble e = last_state_ensemble(&last);
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to look at a run that failed");
        ml_batch_layout(&e, &arena, &batch);
        ml_block_layout(&e, &arena, &block);
    }
    block.index = block.first = 0;
    block.n_run = 1;
    (void)ml_batch_run(&e, &batch, 0, 1, &block);
    const double *control = batch.step_control;
    const double steps = (double)block.steps[0], time = block.end_time[0];
    *out = (struct ml_last_state){
        .outcome = (enum ml_outcome)block.outcome[0],
        .time = time,
        .mean = steps > 0.0 ? (time - e.time.start) / steps : 0.0,
        .tried = control ? control[ML_STEP_CONTROL_STEP * ML_LANES] : batch.step[0],
        .steps = steps,
    };
    last_state_record(&e, &batch, e.time.is_adaptive ? batch.x : batch.x_before, time, state);
    for (int i = 0; i < ml_rows_state(&e) && e.time.is_adaptive; i++)
        if (!isfinite(state[i])) { /* the error estimate has not seen the stage that failed */
            out->time = batch.window.before[0];
            last_state_record(&e, &batch, batch.x_before, out->time, state);
            break;
        }
    out->reach = fmax(fmax(out->mean, out->tried), 2.0 * (time - out->time));
    ml_arena_free(&arena);
    return ML_OK;
}
