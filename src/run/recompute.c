/* Computes selected runs of a result again and compares their numbers bit by bit. */
#include "run/recompute.h"

#include <string.h>

#include "base/fail.h"
#include "engine/ensemble_run.h"

enum { MOST_NAMED = 10 }; /* differences that are named */

static const struct ml_ensemble *original(const struct ml_recompute *r)
{
    return &r->source->layout.study->ensemble;
}

/* The values of the i-th run that is computed again. */
static void values_of(const void *context, int64_t i, double *values)
{
    const struct ml_recompute *r = context;
    original(r)->values(original(r)->context, r->runs[i], values);
}

static void recompute_tell(struct ml_recompute *r, int64_t run, const char *what)
{
    const int64_t shown = r->task ? ml_inverse_task_shown_run(r->task, run) : run;
    if (r->n_differing++ < MOST_NAMED)
        (void)ml_fail(r->err, ML_E_FILE, "%s: run %lld computed again: %s differs",
                      r->source->h5.path, (long long)shown, what);
}

/* NaN and all. */
static bool are_same_bits(const double *a, const double *b, size_t n)
{
    return memcmp((const void *)a, (const void *)b, n * sizeof *a) == 0;
}

/* Name of the first number that differs; NULL if all are the same bits. Numbers of which an older
 * version had another definition are not compared.
 *   i, j  row in the recomputed block and in that of the result */
static const char *compare_run(const struct ml_recompute *r, const struct ml_block *block,
                               int64_t i, int64_t j)
{
    const struct ml_layout *layout = &r->source->layout;
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_block *stored = &r->source->block;
    if (block->outcome[i] != stored->outcome[j])
        return "outcome";
    if (block->steps[i] != stored->steps[j])
        return "steps";
    if (!are_same_bits(&block->end_time[i], &stored->end_time[j], 1))
        return "end_time";
    for (int o = 0; o < layout->results.n_output; o++) {
        const int64_t rows = ml_layout_output_rows(layout, o);
        if (!r->task && ml_event_is_label(e->n_event, e->events, layout->results.outputs[o].name))
            continue; /* of all runs together */
        if (r->source->older[o])
            continue;
        if (!are_same_bits(block->summary[o] + i * rows, stored->summary[o] + j * rows,
                           (size_t)rows))
            return layout->results.outputs[o].name;
    }
    return NULL;
}

/* The same of the trajectory.
 *   i, j  place among the saved runs of both */
static const char *compare_records(const struct ml_recompute *r, const struct ml_block *block,
                                   int64_t i, int64_t j)
{
    const struct ml_layout *layout = &r->source->layout;
    for (int k = 0; k < ml_layout_records(layout); k++) {
        const size_t n = ml_layout_run_bytes(layout, k) / sizeof(double);
        if (!are_same_bits(block->records[k] + (size_t)i * n,
                           r->source->block.records[k] + (size_t)j * n, n))
            return ml_layout_quantity(layout, k)->name;
    }
    return NULL;
}

/* Makes the source's block that of a run. */
static enum ml_status recompute_load(struct ml_recompute *r, int64_t run, struct ml_error *err)
{
    const int64_t index = run / original(r)->block_runs;
    return r->source->block.index == index ? ML_OK : ml_source_read(r->source, index, err);
}

static enum ml_status recompute_put(void *context, const struct ml_block *block,
                                    struct ml_error *err)
{
    struct ml_recompute *r = context;
    const struct ml_saving *saving = &original(r)->saving;
    for (int64_t i = 0; i < block->n_run; i++) {
        const int64_t run = r->runs[block->first + i];
        enum ml_status status = recompute_load(r, run, err);
        if (status != ML_OK)
            return status;
        const struct ml_block *stored = &r->source->block;
        if (stored->outcome[run - stored->first] == ML_MISSING) {
            r->n_missing++;
            continue;
        }
        const char *what = compare_run(r, block, i, run - stored->first);
        if (!what && ml_saving_keeps(saving, run))
            what = compare_records(
                r, block, i, ml_saving_index(saving, run) - ml_saving_index(saving, stored->first));
        if (what)
            recompute_tell(r, run, what);
    }
    return ML_OK;
}

/* As ml_recompute, of runs. */
static enum ml_status recompute_runs(struct ml_recompute *r, const struct ml_ensemble_options *how,
                                     const struct ml_sink *sink, struct ml_error *err)
{
    struct ml_ensemble ensemble = *original(r);
    ensemble.n_run = r->n_run;
    ensemble.block_runs = ML_LANES * ml_continuation_unit(&ensemble.continuation);
    ensemble.values = values_of;
    ensemble.context = r;
    ensemble.saving.run_every = 1;
    ensemble.saving.run_first = r->n_run;
    return ml_ensemble_run(&ensemble, how, sink, err);
}

static enum ml_status recompute_items(struct ml_recompute *r, const struct ml_ensemble_options *how,
                                      const struct ml_sink *sink, struct ml_error *err)
{
    const struct ml_inverse_items items = {r->task, r->runs, r->n_run};
    const struct ml_computation computation =
        ml_inverse_task_computation(&items, original(r)->block_runs);
    return ml_team_run(&computation, how, sink, err);
}

enum ml_status ml_recompute(struct ml_recompute *r, int n_thread, struct ml_stop stop,
                            struct ml_error *err)
{
    const struct ml_ensemble_options how = {.n_thread = n_thread, .stop = stop};
    const struct ml_sink sink = {.context = r, .put = recompute_put};
    r->source->block.index = -1;
    if (r->n_run == 0)
        return ML_OK;
    return (r->task ? recompute_items : recompute_runs)(r, &how, &sink, err);
}
