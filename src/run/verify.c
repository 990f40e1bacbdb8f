/* Whether a result is sound: its checksums, and the bits of a sample of its runs. */
#include "manylink/verify.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "design/philox.h"
#include "engine/team/team.h"
#include "inverse/inverse_task.h"
#include "manylink/fail.h"
#include "plan/datasets.h"
#include "run/accuracy.h"
#include "run/restore.h"
#include "store/result_h5.h"
#include "store/source.h"

/* A recomputation of runs in ascending order, each once; of a study with continuation, of whole
 * ones. */
struct recompute {
    struct ml_source *source;           /* where they are, of one study or shard */
    const struct ml_inverse_task *task; /* of inverse dynamics; NULL: runs are integrated */
    const int64_t *runs;                /* [n_run] */
    int64_t n_run;
    int64_t n_missing, n_differing; /* out */
    struct ml_error *err;           /* says which differ, the first of them */
};

enum { MOST_NAMED = 10 }; /* differences that are named */

static const struct ml_ensemble *original(const struct recompute *r)
{
    return &r->source->layout.study->ensemble;
}

/* The values of the i-th run that is computed again. */
static void values_of(const void *context, int64_t i, double *values)
{
    const struct recompute *r = context;
    original(r)->numbers.values(original(r)->numbers.context, r->runs[i], values);
}

static void recompute_report(struct recompute *r, int64_t run, const char *what)
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
static const char *compare_run(const struct recompute *r, const struct ml_block *block, int64_t i,
                               int64_t j)
{
    const struct ml_layout *layout = &r->source->layout;
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_block *stored = &r->source->block;
    if (block->outcome[i] != stored->outcome[j])
        return ml_dataset_name(ML_DATA_RUNS_OUTCOME);
    if (block->steps[i] != stored->steps[j])
        return ml_dataset_name(ML_DATA_RUNS_STEPS);
    if (!are_same_bits(&block->end_time[i], &stored->end_time[j], 1))
        return ml_dataset_name(ML_DATA_RUNS_END_TIME);
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

/* Compares the trajectory of a run; NULL where both are the same.
 *   i, j  place among the saved runs of both */
static const char *compare_records(const struct recompute *r, const struct ml_block *block,
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
static enum ml_status recompute_load(struct recompute *r, int64_t run, struct ml_error *err)
{
    const int64_t index = run / original(r)->block_runs;
    return r->source->block.index == index ? ML_OK : ml_source_read(r->source, index, err);
}

static enum ml_status recompute_write(void *context, const struct ml_block *block,
                                      struct ml_error *err)
{
    struct recompute *r = context;
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
            recompute_report(r, run, what);
    }
    return ML_OK;
}

/* Computes runs of an ensemble again. */
static enum ml_status recompute_runs(struct recompute *r, const struct ml_ensemble_options *how,
                                     const struct ml_sink *sink, struct ml_error *err)
{
    struct ml_ensemble ensemble = *original(r);
    ensemble.n_run = r->n_run;
    ensemble.block_runs = ML_LANES * ml_continuation_unit(&ensemble.continuation);
    ensemble.numbers.values = values_of;
    ensemble.numbers.context = r;
    ensemble.saving.run_every = 1;
    ensemble.saving.run_first = r->n_run;
    return ml_ensemble_run(&ensemble, how, sink, err);
}

/* Computes items of inverse dynamics again. */
static enum ml_status recompute_items(struct recompute *r, const struct ml_ensemble_options *how,
                                      const struct ml_sink *sink, struct ml_error *err)
{
    const struct ml_inverse_items items = {r->task, r->runs, r->n_run};
    const struct ml_computation computation =
        ml_inverse_task_computation(&items, original(r)->block_runs);
    return ml_team_run(&computation, how, sink, err);
}

/* Computes the runs again and compares them. Returns ML_OK also if some differ. */
static enum ml_status recompute(struct recompute *r, int n_thread, struct ml_stop stop,
                                struct ml_error *err)
{
    const struct ml_ensemble_options how = {.n_thread = n_thread, .stop = stop};
    const struct ml_sink sink = {.context = r, .put = recompute_write};
    r->source->block.index = -1;
    if (r->n_run == 0)
        return ML_OK;
    return (r->task ? recompute_items : recompute_runs)(r, &how, &sink, err);
}

/* Reads every block, which checks all that has a checksum. */
static enum ml_status read_all(struct ml_source *source, struct ml_stop stop,
                               struct ml_verify_report *report, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int64_t j = 0; status == ML_OK && j < source->layout.n_block; j++) {
        if (ml_stop_level(stop) > 0)
            return ml_fail(err, ML_STOPPED, "stopped");
        status = ml_source_read(source, ml_layout_block(&source->layout, j), err);
        for (int64_t i = 0; status == ML_OK && i < source->block.n_run; i++)
            report->runs_missing += source->block.outcome[i] == ML_MISSING;
    }
    return status;
}

/* Draws at most n of n_unit units, each once, in ascending order; returns how many. */
static int64_t verify_draw_units(uint32_t seed, int64_t n_unit, int64_t n, int64_t *units)
{
    const uint32_t key[2] = {seed, 0};
    int64_t n_kept = 0;
    for (int64_t i = 0; i < n; i++) {
        const struct ml_philox bits =
            ml_philox((uint32_t[4]){(uint32_t)i, (uint32_t)((uint64_t)i >> 32), 0, 0}, key);
        const uint64_t number = (uint64_t)bits.word[0] << 32 | bits.word[1];
        units[i] = n == n_unit ? i : (int64_t)(number % (uint64_t)n_unit);
    }
    qsort(units, (size_t)n, sizeof *units, ml_compare_int64);
    for (int64_t i = 0; i < n; i++)
        if (n_kept == 0 || units[n_kept - 1] != units[i])
            units[n_kept++] = units[i];
    return n_kept;
}

/* Draws about n runs, each once, in ascending order: single ones, or whole lines; *n becomes their
 * number. NULL without memory. */
static int64_t *verify_draw(const struct ml_layout *layout, uint32_t seed, int64_t *n)
{
    const int64_t unit = ml_continuation_unit(&layout->study->ensemble.continuation),
                  n_unit = layout->n_run / unit;
    const int64_t wanted = *n / unit + (*n % unit > 0), most = wanted < n_unit ? wanted : n_unit;
    int64_t *runs = malloc((size_t)(most * unit) * sizeof *runs);
    *n = runs ? verify_draw_units(seed, n_unit, most, runs) * unit : 0;
    for (int64_t i = *n - 1; i >= 0; i--) /* from behind: a unit lies before its runs */
        runs[i] = ml_layout_run(layout, runs[i / unit] * unit + i % unit);
    return runs;
}

static enum ml_status compare_sample(struct ml_source *source, const struct ml_inverse_task *task,
                                     const struct ml_verify_options *options,
                                     struct ml_verify_report *report, struct ml_error *err)
{
    int64_t n = options->n_run;
    int64_t *runs = verify_draw(&source->layout, options->seed, &n);
    if (!runs)
        return ML_E_MEMORY;
    struct recompute r = {.source = source, .task = task, .runs = runs, .n_run = n, .err = err};
    enum ml_status status =
        recompute(&r, options->n_thread, (struct ml_stop){options->stop, options->context}, err);
    report->runs_computed = n - r.n_missing;
    report->runs_differing = r.n_differing;
    free(runs);
    return status == ML_OK && r.n_differing > 0 ? ML_E_FILE : status; /* already in the message */
}

/* Numbers that an older version computed by another definition, which are not compared. */
static int64_t mark_older(const struct ml_source *source, struct ml_accuracy *accuracy)
{
    const struct ml_results *results = &source->layout.results;
    int64_t n_older = 0;
    for (int o = 0; o < results->n_output; o++) {
        if (!source->older[o])
            continue;
        n_older++;
        for (int k = 0; k < accuracy->n_output; k++)
            accuracy->outputs[k].is_older |=
                strcmp(accuracy->outputs[k].name, results->outputs[o].name) == 0;
    }
    return n_older;
}

/* The runs that were computed with smaller steps too. */
static enum ml_status compare_accuracy(const struct ml_source *source,
                                       const struct ml_verify_options *options,
                                       struct ml_verify_report *report, struct ml_error *err)
{
    const struct ml_ensemble_options how = {.n_thread = options->n_thread,
                                            .stop = {options->stop, options->context}};
    struct ml_accuracy accuracy;
    enum ml_status status = ml_accuracy_read_file(options->path, &accuracy, err);
    if (status == ML_OK)
        report->outputs_older = mark_older(source, &accuracy);
    if (status == ML_OK)
        status = ml_verify_accuracy(options->path, &accuracy, &source->layout.study->ensemble,
                                    options->n_run, &how, err);
    ml_accuracy_free(&accuracy);
    return status;
}

static enum ml_status verify_one_result(const struct ml_verify_options *options,
                                        const struct ml_origin *origin,
                                        struct ml_verify_report *report, struct ml_error *err)
{
    struct ml_restored of;
    struct ml_source source;
    const struct ml_restoring how = {options->study, options->plugin, options->no_native,
                                     options->motion};
    enum ml_status status = ml_restore_result(options->path, origin, &how, &of, err);
    if (status != ML_OK ||
        ml_shard_blocks(origin->shard, ml_ensemble_blocks(&of.shape->ensemble)) == 0) {
        ml_restored_free(&of); /* of a shard without runs, the seal is all that there is */
        return status;
    }
    status = ml_source_open(&source, options->path, of.kind, of.shape, origin->shard, err);
    report->runs = source.layout.n_run;
    if (status == ML_OK)
        status = read_all(&source, (struct ml_stop){options->stop, options->context}, report, err);
    if (status == ML_OK)
        status = compare_sample(&source, of.is_inverse ? &of.task : NULL, options, report, err);
    if (status == ML_OK && !of.is_inverse)
        status = compare_accuracy(&source, options, report, err);
    ml_source_close(&source);
    ml_restored_free(&of);
    return status;
}

static enum ml_status verify_open(const struct ml_verify_options *options,
                                  struct ml_verify_report *report, struct ml_error *err)
{
    struct ml_origin origin;
    const double start = omp_get_wtime();
    enum ml_status status = ml_origin_read(&origin, options->path, err);
    if (status == ML_OK)
        status = verify_one_result(options, &origin, report, err);
    ml_origin_free(&origin);
    report->seconds = omp_get_wtime() - start;
    return status;
}

enum ml_status ml_verify(const struct ml_verify_options *options, struct ml_verify_report *report,
                         struct ml_error *err)
{
    struct ml_verify_options own_options;
    struct ml_verify_report own_report = {0};
    enum ml_status status =
        ml_sized_read(&own_options, sizeof own_options, options, "ml_verify_options", err);
    if (status == ML_OK)
        status =
            ml_sized_check_numbers(ML_SIZED_NUMBERS({"n_run", own_options.n_run, 0, INT64_MAX},
                                                    {"n_thread", own_options.n_thread, 0, INT_MAX}),
                                   "ml_verify_options", err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_verify_report", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    status = verify_open(&own_options, &own_report, err);
    ml_numeric_env_restore(&before);
    ml_sized_write(report, &own_report, sizeof own_report);
    return status;
}
