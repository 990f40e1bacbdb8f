/* Whether a result is sound: its checksums, and the bits of a sample of its runs. */
#include "manylink/verify.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "design/philox.h"
#include "run/accuracy.h"
#include "run/recompute.h"
#include "run/restore.h"
#include "store/result_h5.h"

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

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
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
    qsort(units, (size_t)n, sizeof *units, ascending);
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
    const int64_t wanted = (*n + unit - 1) / unit, most = wanted < n_unit ? wanted : n_unit;
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
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    struct ml_recompute r = {.source = source, .task = task, .runs = runs, .n_run = n, .err = err};
    enum ml_status status =
        ml_recompute(&r, options->n_thread, (struct ml_stop){options->stop, options->context}, err);
    report->runs_computed = n - r.n_missing;
    report->runs_differing = r.n_differing;
    free(runs);
    return status == ML_OK && r.n_differing > 0 ? ML_E_FILE : status; /* already told */
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
    struct ml_numeric_env before;
    if (!ml_numeric_env_set(&before))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    status = verify_open(&own_options, &own_report, err);
    ml_numeric_env_restore(&before);
    ml_sized_write(report, &own_report, sizeof own_report);
    return status;
}
