/* /study/trajectories: [run, segment, ..., time] per record, of the saved runs. */
#include <math.h>
#include <stdlib.h>

#include "store/result.h"

static void time_scale(struct ml_result_file *result, hid_t group)
{
    const struct ml_ensemble *ensemble = &result->layout->study->ensemble;
    int64_t n = result->layout->results.n_sample;
    double *values = malloc((size_t)n * sizeof *values);
    if (!values) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < n; i++)
        values[i] = fma((double)(i * ensemble->saving.every), ensemble->step, ensemble->start);
    struct ml_h5_field field = {.name = "time",
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = "s",
                                .doc = "time",
                                .extent = {.rank = 1, .size = {(unsigned long long)n}},
                                .is_scale = true};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    hid_t id = ml_h5_field(&result->h5, group, &field);
    ml_h5_write_range(&result->h5, id, &field.extent, H5T_NATIVE_DOUBLE, 0, field.extent.size[0],
                      values);
    ml_h5_close_dataset(&result->h5, id);
    free(values);
}

struct ml_h5_field ml_result_record_field(const struct ml_layout *layout, int i)
{
    const struct ml_quantity *record = ml_ensemble_record(&layout->study->ensemble, i);
    struct ml_h5_field field = {.name = record->name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = record->unit,
                                .doc = record->doc,
                                .extent = ml_layout_record(layout, i, layout->n_saved),
                                .scales = {"run"}};
    int rank = 1;
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (record->dim[k] != ML_DIM_NONE)
            field.scales[rank++] = ml_layout_dim_name(record->dim[k]);
    field.scales[rank] = "time";
    return field;
}

static void begin_record(struct ml_result_file *result, hid_t group, int i)
{
    const struct ml_ensemble *ensemble = &result->layout->study->ensemble;
    const struct ml_quantity *record = ml_ensemble_record(ensemble, i);
    const struct ml_h5_field field = ml_result_record_field(result->layout, i);
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (record->dim[k] != ML_DIM_NONE)
            ml_result_dim_scale(result, group, record->dim[k], NULL,
                                ml_record_size(ensemble, record->dim[k]));
    ml_h5_place(&result->h5, group, result->trajectory[i], &field);
    ml_h5_text_attribute(&result->h5, result->trajectory[i], "interpretation", "spectrum");
}

/* Readers look for scales in the dataset's own group, so there is one more of the runs. */
static void begin_checksums(struct ml_result_file *result, hid_t trajectories)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    hid_t group = ml_h5_group(&result->h5, trajectories, "checksums", "NXcollection");
    ml_result_run_scale(result, group, ML_SAVED_RUNS);
    for (int i = 0; i < ml_ensemble_records(ensemble); i++) {
        struct ml_h5_field field = {
            .name = ml_ensemble_record(ensemble, i)->name,
            .type = H5T_NATIVE_UINT64,
            .unit = "1",
            .doc = "XXH3 (64 bits) of the bytes of each run",
            .extent = {.rank = 1, .size = {(unsigned long long)layout->n_saved}},
            .scales = {"run"}};
        field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
        result->checksum[i] =
            ml_layout_keeps(layout, i) ? ml_h5_field(&result->h5, group, &field) : -1;
    }
}

void ml_result_begin_trajectories(struct ml_result_file *result)
{
    const struct ml_layout *layout = result->layout;
    if (!ml_layout_has_trajectories(layout))
        return;
    hid_t group = ml_h5_group(&result->h5, result->entry, "trajectories", "NXcollection");
    ml_result_run_scale(result, group, ML_SAVED_RUNS);
    time_scale(result, group);
    for (int i = 0; i < ml_ensemble_records(&layout->study->ensemble); i++)
        if (ml_layout_keeps(layout, i))
            begin_record(result, group, i);
    if (result->is_in_memory)
        return;
    begin_checksums(result, group);
    ml_result_begin_motion_views(result, group);
}

void ml_result_add_trajectories(struct ml_result_file *result, const struct ml_block *block)
{
    const struct ml_layout *layout = result->layout;
    for (int i = 0; i < ML_MAX_RECORDS && block->n_saved > 0; i++) {
        if (result->trajectory[i] < 0)
            continue;
        const struct ml_extent all = ml_layout_record(layout, i, layout->n_saved);
        const unsigned long long numbers = ml_layout_run_bytes(layout, i) / sizeof(double);
        const unsigned long long row =
            (unsigned long long)ml_layout_saved_before(layout, block->index);
        ml_h5_write_range(&result->h5, result->trajectory[i], &all, H5T_NATIVE_DOUBLE,
                          row * numbers, (unsigned long long)block->n_saved * numbers,
                          block->records[i]);
    }
}

void ml_result_add_checksums(struct ml_result_file *result, const struct ml_part *part)
{
    const struct ml_layout *layout = result->layout;
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)layout->n_saved}};
    if (!ml_layout_has_trajectories(layout) || part->n_saved == 0)
        return;
    for (int i = 0; i < ml_ensemble_records(&layout->study->ensemble); i++) {
        if (!ml_layout_keeps(layout, i))
            continue;
        ml_h5_write_range(&result->h5, result->checksum[i], &all, H5T_NATIVE_UINT64,
                          (unsigned long long)ml_layout_saved_before(layout, part->block),
                          (unsigned long long)part->n_saved, part->checksums.of[i]);
    }
}
