/* Writes a result file from finished blocks: reserves, writes groups and attributes, seals it. */
#include "store/result.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "manylink/fail.h"
#include "manylink/version.h"
#include "store/result_h5.h"
#include "store/seal.h"

void ml_result_file_begin(struct ml_result_file *result, const struct ml_layout *layout,
                          const char *path, struct ml_error *err)
{
    struct ml_pool *pool = &result->pool;
    const size_t n_output = (size_t)layout->results.n_output;
    const size_t n_record = (size_t)ml_layout_records(layout);
    *result = (struct ml_result_file){.layout = layout, .file = -1, .n_thread = 1};
    result->summary = ml_pool_take(pool, n_output, sizeof *result->summary);
    result->has_positive = ml_pool_take(pool, n_output, sizeof *result->has_positive);
    result->trajectory = ml_pool_take(pool, n_record, sizeof *result->trajectory);
    result->checksum = ml_pool_take(pool, n_record, sizeof *result->checksum);
    result->offsets.address = ml_pool_take(pool, n_record, sizeof *result->offsets.address);
    ml_h5_begin(&result->h5, path, err);
    ml_h5_need(&result->h5, !pool->is_short);
}

void ml_result_file_free(struct ml_result_file *result) { ml_pool_free(&result->pool); }

void ml_result_begin_entry(struct ml_result_file *result, const char *first)
{
    const struct ml_study *study = result->layout->study;
    struct ml_h5 *h5 = &result->h5;
    int format = ML_RESULT_FORMAT;
    ml_h5_text_attribute(h5, result->file, "NX_class", "NXroot");
    ml_h5_text_attribute(h5, result->file, "default", "study");
    ml_h5_text_attribute(h5, result->file, "creator", "manylink " ML_VERSION);
    ml_h5_numbers_attribute(h5, result->file, "manylink_format", H5T_NATIVE_INT, 0, &format);
    result->entry = ml_h5_group(h5, result->file, "study", "NXentry");
    ml_h5_text_attribute(h5, result->entry, "default", first);
    if (result->layout->shard.count > 1) {
        const int64_t shard[] = {result->layout->shard.index, result->layout->shard.count,
                                 study->ensemble.block_runs, study->ensemble.n_run};
        ml_h5_numbers_attribute(h5, result->entry, ML_SHARD_ATTRIBUTE, H5T_NATIVE_INT64, 4, shard);
    }
    ml_h5_text(h5, result->entry, "title", ml_result_title(study));
    ml_h5_text(h5, result->entry, "definition", study->spec.definition);
    ml_h5_text(h5, result->entry, "resolved", study->resolved);
}

/* It is its own scale: readers want one on every dimension. */
static void place_seal(struct ml_result_file *result, hid_t provenance)
{
    const struct ml_h5_field field = {
        .name = "seal",
        .type = H5T_NATIVE_UINT64,
        .unit = "1",
        .doc = "size of the file and XXH3 (128 bits) of all of it but the trajectories: changed "
               "when the file is",
        .extent = ml_h5_extent(&result->h5, result->seal),
        .is_scale = true};
    ml_h5_place(&result->h5, provenance, result->seal, &field);
}

static void write_integer(struct ml_h5 *h5, hid_t group, const char *name, hid_t type,
                          const void *value)
{
    const struct ml_h5_field field = {.name = name, .type = type};
    ml_h5_dataset(h5, group, &field, type, value);
}

void ml_result_write_provenance(struct ml_result_file *result,
                                const struct ml_provenance *provenance)
{
    struct ml_h5 *h5 = &result->h5;
    hid_t group = ml_h5_group(h5, result->entry, "provenance", "NXcollection");
    ml_h5_text(h5, group, "study", provenance->study);
    ml_h5_text(h5, group, "overrides", provenance->overrides);
    ml_h5_text(h5, group, "options", provenance->options);
    ml_h5_text(h5, group, "version", provenance->version);
    ml_h5_text(h5, group, "compiler", provenance->compiler);
    ml_h5_text(h5, group, "isa", provenance->isa);
    ml_h5_text(h5, group, "kernel", provenance->kernel);
    ml_h5_text(h5, group, "host", provenance->host);
    write_integer(h5, group, "threads", H5T_NATIVE_INT, &provenance->threads);
    ml_h5_text(h5, group, "start_time", provenance->start_time);
    ml_h5_text(h5, group, "end_time", provenance->end_time);
    ml_h5_text(h5, group, "motion", provenance->motion);
    if (provenance->motion)
        write_integer(h5, group, "not_finite", H5T_NATIVE_INT64, &provenance->not_finite);
    ml_h5_text(h5, group, "notes", provenance->notes);
    if (!result->is_in_memory)
        place_seal(result, group);
}

void ml_result_create(struct ml_result_file *result, const struct ml_layout *layout,
                      const char *path, const char *first, struct ml_error *err)
{
    ml_result_file_begin(result, layout, path, err);
    result->file = ml_h5_create(&result->h5);
    ml_offsets_seal(&result->h5, result->file, 0, &result->seal, &result->offsets);
    ml_result_begin_entry(result, first);
}

enum ml_status ml_result_finish(struct ml_result_file *result,
                                const struct ml_provenance *provenance, const char *path,
                                struct ml_error *err)
{
    ml_result_write_provenance(result, provenance);
    ml_h5_close(&result->h5, result->file);
    const enum ml_status status = ml_h5_end(&result->h5);
    const uint64_t seal = result->offsets.seal;
    ml_result_file_free(result);
    return status == ML_OK ? ml_seal_write(path, seal, 0, NULL, err) : status;
}

/* The offsets are the same for every file of a study, or the trajectories would be elsewhere. */
static void result_reserve(struct ml_result_file *result, const struct ml_offsets *offsets)
{
    const struct ml_offsets *own = &result->offsets;
    const size_t n_record = (size_t)ml_layout_records(result->layout);
    ml_offsets_reserve(&result->h5, result->file, result->layout, &result->seal, result->trajectory,
                       &result->offsets);
    if (result->h5.status == ML_OK && offsets && n_record > 0 &&
        (own->seal != offsets->seal ||
         memcmp(own->address, offsets->address, n_record * sizeof *own->address) != 0))
        ml_h5_fail(&result->h5, ML_E_FILE, "HDF5 puts the trajectories elsewhere than before");
}

static void begin_groups(struct ml_result_file *result)
{
    ml_result_begin_runs(result);
    ml_result_begin_summary(result);
    const hid_t trajectories = ml_result_begin_trajectories(result);
    if (trajectories >= 0 && !result->is_in_memory)
        ml_result_begin_motion_views(result, trajectories);
}

static void result_begin(struct ml_result_file *result, const struct ml_offsets *offsets,
                         const struct ml_provenance *provenance)
{
    result->file =
        result->h5.is_sketch ? ml_h5_create_in_memory(&result->h5) : ml_h5_create(&result->h5);
    result_reserve(result, offsets);
    ml_result_begin_entry(result, NULL);
    ml_result_write_provenance(result, provenance);
    begin_groups(result);
}

void ml_result_begin_in_memory(struct ml_result_file *result)
{
    result->is_in_memory = true;
    result->file = ml_h5_create_in_memory(&result->h5);
    ml_offsets_trajectories(&result->h5, result->file, result->layout, result->trajectory,
                            &result->offsets);
    ml_result_begin_entry(result, NULL);
    begin_groups(result);
}

void ml_result_close_datasets(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    const hid_t runs[] = {result->outcome, result->end_time, result->steps};
    for (int i = 0; i < 3; i++)
        ml_h5_close_dataset(&result->h5, runs[i]);
    for (int i = 0; i < layout->results.n_output; i++)
        ml_h5_close_dataset(&result->h5, result->summary[i]);
    ml_h5_close_dataset(&result->h5, result->outcome_grid);
    ml_h5_close_dataset(&result->h5, result->wrapped);
    for (int k = 0; k < ml_layout_records(layout); k++)
        ml_h5_close_dataset(&result->h5, result->trajectory[k]);
}

/* A part that was read, and its failure. */
struct part_read {
    struct ml_part part;
    enum ml_status status;
    struct ml_error err;
};

static void add_part(struct ml_result_file *result, const struct part_read *read)
{
    if (result->h5.status == ML_OK && read->status != ML_OK)
        result->h5.status = ml_fail(result->h5.err, read->status, "%s",
                                    read->err.text ? read->err.text : ml_status_text(read->status));
    if (result->h5.status != ML_OK)
        return;
    ml_result_add_runs(result, &read->part);
    ml_result_add_summary(result, &read->part);
    ml_result_add_checksums(result, &read->part);
}

/* Reads `count` parts from the j-th block on, each by one thread, and adds them in their order. */
static void add_parts(struct ml_result_file *result, const struct ml_result_content *content,
                      int64_t j, int64_t count, struct part_read *parts)
{
    const struct ml_layout *layout = result->layout;
#pragma omp parallel for num_threads(result->n_thread) schedule(dynamic)
    for (int64_t i = 0; i < count; i++) {
        parts[i] = (struct part_read){.status = ML_OK};
        parts[i].status = content->read(content->context, ml_layout_block(layout, j + i),
                                        &parts[i].part, &parts[i].err);
    }
    for (int64_t i = 0; i < count; i++) {
        add_part(result, &parts[i]);
        ml_part_close(&parts[i].part);
        ml_error_clear(&parts[i].err);
    }
}

static void add_all_parts(struct ml_result_file *result, const struct ml_result_content *content)
{
    const int64_t n = result->layout->n_block, most = result->n_thread;
    struct part_read *parts = ml_pool_take(&result->pool, (size_t)most, sizeof *parts);
    (void)ml_h5_need(&result->h5, parts);
    ml_h5_team_begin(&result->h5, result->n_thread);
    for (int64_t j = 0; j < n && result->h5.status == ML_OK; j += most)
        add_parts(result, content, j, n - j < most ? n - j : most, parts);
    ml_h5_team_end(&result->h5);
}

static enum ml_status seal(struct ml_result_file *result, const char *path, struct ml_error *err)
{
    const int n = ml_layout_records(result->layout);
    struct ml_seal_range *skipped = ml_pool_take(&result->pool, (size_t)n, sizeof *skipped);
    if (!skipped)
        return ML_E_MEMORY;
    for (int k = 0; k < n; k++)
        skipped[k] = (struct ml_seal_range){result->offsets.address[k],
                                            ml_trajectories_bytes(result->layout, k)};
    return ml_seal_write(path, result->offsets.seal, n, skipped, err);
}

/* Writes the parts that depend on all runs. */
static void result_end(struct ml_result_file *result)
{
    const struct ml_ensemble *e = &result->layout->study->ensemble;
    const double labels = 3e4 * ml_events_labelled(e->n_event, e->events);
    if (result->h5.is_sketch) { /* the size of their tables depends on the runs */
        result->h5.counted += labels;
        result->h5.most += labels;
    } else {
        ml_result_write_attractors(result);
    }
    ml_result_write_views(result);
    ml_result_write_sensitivity(result);
    ml_result_write_statistics(result);
    ml_result_write_accuracy(result);
}

/* Counts the numbers of runs computed again, without the first, which is in the sketch. */
static void sketch_accuracy(struct ml_result_file *result, int n)
{
    const double columns = 8.0 * (ML_N_ACCURACY + 1) + 3.0; /* run; outcomes and chaotic */
    double rows = result->layout->results.n_output;         /* observed_order */
    for (int i = 0; i < result->layout->results.n_output; i++)
        rows += (double)ML_N_ACCURACY * (double)ml_layout_output_rows(result->layout, i);
    result->h5.counted += (8.0 * rows + columns) * (double)(n - 1);
    result->h5.most += (8.0 * rows + columns) * (double)(n - 1);
}

static enum ml_status sketch(const struct ml_layout *layout, const struct ml_accuracy *accuracy,
                             int n_accuracy, struct ml_result_bytes *bytes, struct ml_error *err)
{
    static const char time[] = "2000-01-01T00:00:00Z", kernel[] = "made (a compiler, its version)";
    const struct ml_study *study = layout->study;
    const struct ml_provenance provenance = {.study = study->spec.name,
                                             .overrides = study->spec.overrides,
                                             .version = ML_VERSION,
                                             .compiler = ml_provenance_compiler(),
                                             .isa = study->ensemble.kernels->isa,
                                             .kernel = kernel,
                                             .host = "the name of a host",
                                             .start_time = time,
                                             .end_time = time};
    struct ml_result_file result;
    *bytes = (struct ml_result_bytes){0};
    ml_result_file_begin(&result, layout, study->spec.name, err);
    result.accuracy = accuracy;
    result.h5.is_sketch = true;
    result_begin(&result, NULL, &provenance);
    if (layout->n_run > 0)
        result_end(&result);
    if (accuracy)
        sketch_accuracy(&result, n_accuracy);
    const double about = ml_h5_sketch_bytes(&result.h5, result.file);
    ml_h5_close(&result.h5, result.file);
    ml_result_file_free(&result);
    const enum ml_status status = ml_h5_end(&result.h5);
    if (status == ML_OK)
        *bytes = (struct ml_result_bytes){about + result.h5.counted, about + result.h5.most};
    return status == ML_E_MEMORY ? ML_OK : status;
}

enum ml_status ml_result_sketch(const struct ml_layout *layout, int n_accuracy,
                                struct ml_result_bytes *bytes, struct ml_error *err)
{
    struct ml_accuracy accuracy = {0};
    const bool has_accuracy = n_accuracy > 0 &&
                              ml_accuracy_describe(&accuracy, &layout->study->ensemble) &&
                              ml_accuracy_take(&accuracy, 1);
    const enum ml_status status =
        sketch(layout, has_accuracy ? &accuracy : NULL, n_accuracy, bytes, err);
    ml_accuracy_free(&accuracy);
    return status;
}

enum ml_status ml_result_write(const struct ml_layout *layout,
                               const struct ml_result_content *content, const char *path,
                               struct ml_tally *tally, struct ml_error *err)
{
    struct ml_result_file result;
    ml_result_file_begin(&result, layout, path, err);
    result.accuracy = content->accuracy;
    result.missing = content->missing;
    result.n_thread = content->n_thread > 1 ? content->n_thread : 1;
    result.written = content->trajectories;
    result_begin(&result, content->offsets, content->provenance);
    add_all_parts(&result, content);
    if (layout->n_run > 0) /* there is something to show */
        result_end(&result);
    ml_h5_close(&result.h5, result.file);
    *tally = result.tally;
    enum ml_status status = ml_h5_end(&result.h5);
    if (status == ML_OK)
        status = seal(&result, path, err);
    ml_result_file_free(&result);
    return status;
}

#if defined __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

void ml_provenance_time(char out[ML_TIME_LENGTH])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(out, ML_TIME_LENGTH, "%Y-%m-%dT%H:%M:%SZ", &parts))
        out[0] = '\0';
}

void ml_provenance_host(char out[ML_HOST_LENGTH])
{
    if (gethostname(out, ML_HOST_LENGTH) != 0)
        out[0] = '\0';
    out[ML_HOST_LENGTH - 1] = '\0';
}

const char *ml_provenance_compiler(void) { return COMPILER; }
