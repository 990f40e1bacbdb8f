#include "store/result.h"

#include <stdlib.h>
#include <string.h>

#include "manylink/version.h"

const char *ml_result_default(const struct ml_layout *layout)
{
    bool has_maps = layout->results.n_output > 0;
    if (ml_layout_has_trajectories(layout) && (!has_maps || layout->runs.rank == 0))
        return "trajectories"; /* of a single run they say more than one number per output */
    return has_maps ? "summary" : NULL;
}

void ml_result_begin_entry(struct ml_result *result, const char *first)
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
    ml_h5_text(h5, result->entry, "title", study->title[0] ? study->title : study->name);
    ml_h5_text(h5, result->entry, "definition", study->definition);
    ml_h5_text(h5, result->entry, "resolved", study->resolved);
}

void ml_result_write_provenance(struct ml_result *result, const struct ml_provenance *provenance)
{
    struct ml_h5 *h5 = &result->h5;
    hid_t group = ml_h5_group(h5, result->entry, "provenance", "NXcollection");
    ml_h5_text(h5, group, "version", provenance->version);
    ml_h5_text(h5, group, "compiler", provenance->compiler);
    ml_h5_text(h5, group, "isa", provenance->isa);
    ml_h5_text(h5, group, "host", provenance->host);
    struct ml_h5_field threads = {.name = "threads", .type = H5T_NATIVE_INT};
    hid_t id = ml_h5_field(h5, group, &threads);
    ml_h5_write_range(h5, id, &threads.extent, H5T_NATIVE_INT, 0, 1, &provenance->threads);
    ml_h5_close_dataset(h5, id);
    ml_h5_text(h5, group, "start_time", provenance->start_time);
    ml_h5_text(h5, group, "end_time", provenance->end_time);
}

/* The places are the same for every file of a study, or the trajectories would be elsewhere. */
static void reserve(struct ml_result *result, const struct ml_places *places)
{
    struct ml_places here;
    ml_place_reserve(&result->h5, result->file, result->layout, result->trajectory, &here);
    if (result->h5.status == ML_OK && memcmp(&here, places, sizeof here) != 0)
        ml_h5_fail(&result->h5, ML_E_FILE, "HDF5 puts the trajectories elsewhere than before");
}

static void begin(struct ml_result *result, const struct ml_places *places,
                  const struct ml_provenance *provenance)
{
    result->file = ml_h5_create(&result->h5);
    reserve(result, places);
    ml_result_begin_entry(result, ml_result_default(result->layout));
    ml_result_write_provenance(result, provenance);
    ml_result_begin_runs(result);
    ml_result_begin_summary(result);
    ml_result_begin_trajectories(result);
}

static void add_part(struct ml_result *result, int64_t block, const char *path)
{
    struct ml_part part;
    if (!path) {
        ml_h5_fail(&result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    enum ml_status status = ml_part_open(&part, result->layout, block, path, result->h5.err);
    if (status == ML_OK) {
        ml_result_add_runs(result, &part);
        ml_result_add_summary(result, &part);
        ml_result_add_checksums(result, &part);
    } else {
        result->h5.status = status; /* already reported */
    }
    ml_part_close(&part);
}

enum ml_status ml_result_write(const struct ml_layout *layout, const struct ml_places *places,
                               char *(*part_path)(const void *context, int64_t block),
                               const void *context, const struct ml_provenance *provenance,
                               const char *path, struct ml_tally *tally, struct ml_error *err)
{
    struct ml_result result = {.layout = layout, .file = -1};
    ml_h5_begin(&result.h5, path, err);
    begin(&result, places, provenance);
    for (int64_t i = 0; i < layout->n_block && result.h5.status == ML_OK; i++) {
        char *name = part_path(context, i);
        add_part(&result, i, name);
        free(name);
    }
    ml_h5_close(&result.h5, result.file);
    *tally = result.tally;
    return ml_h5_end(&result.h5);
}
