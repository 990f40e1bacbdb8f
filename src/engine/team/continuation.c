/* Integrates lines of runs, position after position. */
#include "engine/team/continuation.h"

#include "engine/team/batch_run.h"
#include "manylink/fail.h"

/* Where on its line the run at a position of the way is; and, as it is its own inverse, at which
 * position the run at an offset is. */
static int64_t continuation_offset(const struct ml_continuation *continuation, int64_t position)
{
    return position < continuation->n_forward
               ? position
               : continuation->n_forward + continuation->n_run - 1 - position;
}

bool ml_continuation(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     struct ml_lines lines, struct ml_block *block, ml_continued_fn *continued,
                     void *context)
{
    bool continues = true;
    ml_line_state_begin(ensemble, &batch->line);
    for (int64_t position = 0; position < lines.n_position && continues; position++) {
        if (position > 0)
            ml_line_state_go_on(ensemble, &batch->line);
        const int64_t run = lines.first + continuation_offset(&ensemble->continuation, position);
        const int64_t steps = ml_batch_run(ensemble, batch, run, lines.n, block);
        continues = steps >= 0 && continued(context, steps, lines.n);
    }
    return continues;
}

bool ml_continuation_begins(const struct ml_continuation *continuation, int64_t run)
{
    return continuation->n_run == 0 ||
           continuation_offset(continuation, run % continuation->n_run) == 0;
}

static bool continuation_goes_on(void *context, int64_t steps, int n)
{
    (void)context, (void)steps, (void)n;
    return true;
}

/* Integrates one line up to a position, and puts the start of the run there into its values. */
static enum ml_status continuation_integrate_one(const struct ml_ensemble *e, int64_t run,
                                                 int64_t n_position, double *values,
                                                 struct ml_error *err)
{
    const int64_t first = run - run % e->continuation.n_run;
    struct ml_arena arena = {0};
    struct ml_batch batch;
    struct ml_block block;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            return ml_fail(err, ML_E_MEMORY, "no memory to compute the start of run %lld",
                           (long long)run);
        ml_batch_layout(e, &arena, &batch);
        ml_block_layout(e, &arena, &block);
    }
    block.first = first;
    block.n_run = e->continuation.n_run;
    (void)ml_continuation(e, &batch, (struct ml_lines){first, 1, n_position}, &block,
                          continuation_goes_on, NULL);
    const bool has_ended = batch.line.ended & 1;
    const int64_t before = first + continuation_offset(&e->continuation, n_position - 1);
    if (has_ended)
        ml_start_set(e, batch.line.end, ML_LANES, values);
    ml_arena_free(&arena);
    return has_ended ? ML_OK
                     : ml_fail(err, ML_E_INPUT,
                               "run %lld starts from the end of run %lld, which did not finish",
                               (long long)run, (long long)before);
}

enum ml_status ml_continuation_find_values(const struct ml_ensemble *ensemble, int64_t run,
                                           double *values, struct ml_error *err)
{
    ensemble->numbers.values(ensemble->numbers.context, run, values);
    if (ml_continuation_begins(&ensemble->continuation, run))
        return ML_OK;
    struct ml_ensemble e = *ensemble;
    e.block_runs = e.continuation.n_run;
    e.saving.n_record = 0; /* by tolerance steps meet samples, also those that are not kept */
    return continuation_integrate_one(
        &e, run, continuation_offset(&e.continuation, run % e.continuation.n_run), values, err);
}
