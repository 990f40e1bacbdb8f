/* Reads a result block by block and checks the checksums, for merge and verify. */
#include "store/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "manylink/fail.h"
#include "plan/datasets.h"

/* Which motion the torques are of. */
static void source_read_motion(struct ml_h5 *h5, hid_t file, struct ml_origin *origin)
{
    static const char options[] = "/study/provenance/options", id[] = "/study/provenance/motion";
    hid_t group = ml_h5_find_group(h5, file, "/study/inverse");
    origin->motion = ml_h5_find_text(h5, group, "motion");
    if (h5->status == ML_OK && ml_h5_has(file, options))
        origin->options = ml_h5_read_text(h5, file, options);
    origin->motion_id = ml_h5_read_text(h5, file, id);
    if (h5->status == ML_OK && !origin->motion)
        ml_h5_fail(h5, ML_E_FILE, "does not say which motion it is of");
    if (group >= 0)
        (void)H5Gclose(group);
}

enum ml_status ml_origin_read(struct ml_origin *origin, const char *path, struct ml_error *err)
{
    static const char study[] = "/study/provenance/study";
    static const char overrides[] = "/study/provenance/overrides";
    struct ml_h5 h5;
    *origin = (struct ml_origin){0};
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    origin->is_inverse = h5.status == ML_OK && ml_h5_has(file, "/study/inverse");
    if (h5.status == ML_OK && !origin->is_inverse && !ml_h5_has(file, "/study/runs"))
        ml_h5_fail(&h5, ML_E_INPUT,
                   "has no runs, as results of `fit` and `compare`; give a result of `run` or "
                   "`inverse`");
    const struct ml_result_h5_shard about = ml_result_h5_shard(&h5, file);
    origin->shard = about.shard;
    origin->block_runs = about.block_runs;
    origin->n_run = about.n_run;
    if (h5.status == ML_OK && ml_h5_has(file, study))
        origin->study = ml_h5_read_text(&h5, file, study);
    if (h5.status == ML_OK && ml_h5_has(file, overrides))
        origin->overrides = ml_h5_read_text(&h5, file, overrides);
    if (origin->is_inverse)
        source_read_motion(&h5, file, origin);
    origin->title = ml_h5_read_text(&h5, file, "/study/title");
    origin->definition = ml_h5_read_text(&h5, file, "/study/definition");
    origin->resolved = ml_h5_read_text(&h5, file, "/study/resolved");
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}

void ml_origin_free(struct ml_origin *origin)
{
    free(origin->study);
    free(origin->overrides);
    free(origin->title);
    free(origin->definition);
    free(origin->resolved);
    free(origin->options);
    free(origin->motion);
    free(origin->motion_id);
    *origin = (struct ml_origin){0};
}

/* A dataset of numbers, which must have this shape. */
static hid_t open_at(struct ml_source *source, const char *path, hid_t type,
                     struct ml_extent expected)
{
    if (source->h5.status != ML_OK)
        return -1;
    hid_t id = ml_h5_open_dataset(&source->h5, source->file, path);
    ml_h5_expect(&source->h5, id, type, &expected);
    return id;
}

static hid_t open_dataset(struct ml_source *source, const char *group, const char *name, hid_t type,
                          struct ml_extent expected)
{
    char path[ML_DATASET_PATH];
    (void)snprintf(path, sizeof path, "/study/%s/%s", group, name);
    return open_at(source, path, type, expected);
}

static struct ml_extent vector(int64_t n)
{
    return (struct ml_extent){.rank = 1, .size = {(unsigned long long)n}};
}

static void open_runs(struct ml_source *source)
{
    const struct ml_extent runs = vector(source->layout.n_run);
    source->outcome =
        open_dataset(source, "runs", ml_dataset_name(ML_DATA_RUNS_OUTCOME), H5T_NATIVE_INT8, runs);
    source->end_time = open_dataset(source, "runs", ml_dataset_name(ML_DATA_RUNS_END_TIME),
                                    H5T_NATIVE_DOUBLE, runs);
    source->steps =
        open_dataset(source, "runs", ml_dataset_name(ML_DATA_RUNS_STEPS), H5T_NATIVE_INT64, runs);
}

/* The description of a dataset, if it differs from today's; else NULL. */
static const char *find_older(struct ml_source *source, hid_t dataset, const char *today)
{
    char *doc = ml_h5_find_text(&source->h5, dataset, "description");
    const char *older =
        doc && strcmp(doc, today) != 0 ? ml_pool_text(&source->pool, doc, strlen(doc)) : NULL;
    free(doc);
    return older;
}

static void open_datasets(struct ml_source *source)
{
    const struct ml_result_kind *kind = source->kind;
    const struct ml_layout *layout = &source->layout;
    struct ml_outputs at = {.ensemble = &layout->study->ensemble};
    char path[ML_DATASET_PATH];
    if (kind->has_runs)
        open_runs(source);
    for (int i = 0; i < layout->results.n_output; i++) {
        const struct ml_extent extent = kind->find(kind->context, layout, i, path);
        source->summary[i] = open_at(source, path, H5T_NATIVE_DOUBLE, extent);
        if (kind->has_runs && ml_outputs_next(&at))
            source->older[i] = find_older(source, source->summary[i], at.output.doc);
    }
    for (int i = 0; i < ml_layout_records(layout); i++) {
        const char *name = ml_layout_quantity(layout, i)->name;
        source->record[i] = open_dataset(source, "trajectories", name, H5T_NATIVE_DOUBLE,
                                         ml_layout_record(layout, i, layout->n_saved));
        source->checksum[i] = open_dataset(source, "trajectories/checksums", name,
                                           H5T_NATIVE_UINT64, vector(layout->n_saved));
    }
}

/* Memory for the largest block; false without. */
static bool source_allocate(struct ml_source *source)
{
    const struct ml_layout *layout = &source->layout;
    struct ml_block *block = &source->block;
    struct ml_pool *pool = &source->pool;
    const int n_output = layout->results.n_output, n_record = ml_layout_records(layout);
    const size_t n = (size_t)layout->study->ensemble.block_runs;
    const size_t n_saved = n_record > 0 ? (size_t)ml_layout_block_most_saved(layout) : 0;
    source->summary = ml_pool_take(pool, (size_t)n_output, sizeof *source->summary);
    source->older = ml_pool_take(pool, (size_t)n_output, sizeof *source->older);
    source->record = ml_pool_take(pool, (size_t)n_record, sizeof *source->record);
    source->checksum = ml_pool_take(pool, (size_t)n_record, sizeof *source->checksum);
    source->sums = ml_pool_take(pool, n_saved, sizeof *source->sums);
    block->outcome = ml_pool_take(pool, n, sizeof *block->outcome);
    block->steps = ml_pool_take(pool, n, sizeof *block->steps);
    block->end_time = ml_pool_take(pool, n, sizeof *block->end_time);
    block->summary = ml_pool_take(pool, (size_t)n_output, sizeof *block->summary);
    block->records = ml_pool_take(pool, (size_t)n_record, sizeof *block->records);
    for (int i = 0; block->summary && i < n_output; i++)
        block->summary[i] =
            ml_pool_take(pool, n * (size_t)ml_layout_output_rows(layout, i), sizeof(double));
    for (int i = 0; block->records && i < n_record; i++)
        block->records[i] = ml_pool_take(pool, n_saved, ml_layout_run_bytes(layout, i));
    return !pool->is_short;
}

enum ml_status ml_source_open(struct ml_source *source, const char *path,
                              const struct ml_result_kind *kind, const struct ml_study *study,
                              struct ml_shard shard, struct ml_error *err)
{
    *source =
        (struct ml_source){.kind = kind, .file = -1, .outcome = -1, .end_time = -1, .steps = -1};
    ml_h5_begin(&source->h5, path, err);
    ml_h5_need(&source->h5, ml_result_kind_lay_out(kind, study, shard, &source->layout) &&
                                source_allocate(source));
    source->file = ml_h5_open(&source->h5);
    if (source->h5.status == ML_OK)
        open_datasets(source);
    ml_h5_leave(&source->h5);
    return source->h5.status;
}

void ml_source_close(struct ml_source *source)
{
    ml_pool_free(&source->pool);
    ml_layout_free(&source->layout);
    ml_h5_enter(&source->h5);
    ml_h5_close(&source->h5, source->file);
    (void)ml_h5_end(&source->h5); /* read only */
}

static void source_read_rows(struct ml_source *source, hid_t dataset, struct ml_extent extent,
                             hid_t type, int64_t first, int64_t n, void *values)
{
    ml_h5_read_range(&source->h5, dataset, &extent, type, (unsigned long long)first,
                     (unsigned long long)n, values);
}

/* Reads the saved runs of a record and checks each. */
static void read_record(struct ml_source *source, int i)
{
    const struct ml_layout *layout = &source->layout;
    const struct ml_block *block = &source->block;
    const int64_t row = ml_layout_saved_before(layout, block->index);
    const size_t size = ml_layout_run_bytes(layout, i);
    const int64_t numbers = (int64_t)(size / sizeof(double));
    source_read_rows(source, source->record[i], ml_layout_record(layout, i, layout->n_saved),
                     H5T_NATIVE_DOUBLE, row * numbers, block->n_saved * numbers, block->records[i]);
    source_read_rows(source, source->checksum[i], vector(layout->n_saved), H5T_NATIVE_UINT64, row,
                     block->n_saved, source->sums);
    for (int64_t k = 0; k < block->n_saved && source->h5.status == ML_OK; k++)
        if (XXH3_64bits((const char *)block->records[i] + (size_t)k * size, size) !=
            source->sums[k])
            source->h5.status = ml_fail(
                source->h5.err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                source->h5.path, ml_layout_quantity(layout, i)->name,
                (long long)ml_layout_block_saved_run(layout, block->index, k));
}

/* How the runs of a block ended; a kind without outcomes has the allocated value, finished.
 */
static void source_read_runs(struct ml_source *source, int64_t row)
{
    const int64_t n_run = source->layout.n_run, n = source->block.n_run;
    const struct ml_extent runs = vector(n_run);
    const struct ml_block *block = &source->block;
    if (!source->kind->has_runs)
        return;
    ml_result_h5_read_outcomes(&source->h5, source->outcome, (unsigned long long)n_run,
                               (unsigned long long)row, (unsigned long long)n, block->outcome);
    source_read_rows(source, source->end_time, runs, H5T_NATIVE_DOUBLE, row, n, block->end_time);
    source_read_rows(source, source->steps, runs, H5T_NATIVE_INT64, row, n, block->steps);
}

static void read_block(struct ml_source *source, int64_t index)
{
    const struct ml_result_kind *kind = source->kind;
    const struct ml_layout *layout = &source->layout;
    const int64_t row = ml_layout_block_row(layout, index);
    struct ml_block *block = &source->block;
    char path[ML_DATASET_PATH];
    block->index = index;
    block->first = ml_layout_block_first(layout, index);
    block->n_run = ml_layout_block_runs(layout, index);
    block->n_saved = ml_layout_has_trajectories(layout) ? ml_layout_block_saved(layout, index) : 0;
    const int64_t n = block->n_run;
    source_read_runs(source, row);
    for (int i = 0; i < layout->results.n_output; i++) {
        const int64_t rows = ml_layout_output_rows(layout, i);
        source_read_rows(source, source->summary[i], kind->find(kind->context, layout, i, path),
                         H5T_NATIVE_DOUBLE, row * rows, n * rows, block->summary[i]);
    }
    for (int i = 0; i < ml_layout_records(layout) && block->n_saved > 0; i++)
        read_record(source, i);
}

enum ml_status ml_source_read(struct ml_source *source, int64_t index, struct ml_error *err)
{
    source->h5.err = err;
    ml_h5_enter(&source->h5);
    read_block(source, index);
    ml_h5_leave(&source->h5);
    return source->h5.status;
}
