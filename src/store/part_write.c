#include "store/durable.h"
#include "store/part.h"

/* Memory is added in pieces of this size, bytes. */
static const size_t growth = 1 << 18;

static void write_whole(struct ml_h5 *h5, hid_t at, struct ml_h5_field field, const void *values)
{
    unsigned long long n = 1;
    for (int k = 0; k < field.extent.rank; k++)
        n *= field.extent.size[k];
    if (field.chunk.rank == 0)
        field.chunk = field.extent;
    hid_t id = ml_h5_field(h5, at, &field);
    ml_h5_write_range(h5, id, &field.extent, field.type, 0, n, values);
    ml_h5_close_dataset(h5, id);
}

static void write_identity(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                           const struct ml_block *block)
{
    long long part[] = {block->index, block->first, block->n_run};
    unsigned long long study = layout->identity;
    ml_h5_numbers_attribute(h5, file, "study", H5T_NATIVE_ULLONG, 0, &study);
    ml_h5_numbers_attribute(h5, file, "part", H5T_NATIVE_LLONG, 3, part);
}

static void write_summary(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                          const struct ml_block *block)
{
    struct ml_extent runs = {.rank = 1, .size = {(unsigned long long)block->n_run}};
    write_whole(h5, file,
                (struct ml_h5_field){.name = "outcome", .type = H5T_NATIVE_INT8, .extent = runs},
                block->outcome);
    write_whole(h5, file,
                (struct ml_h5_field){.name = "steps", .type = H5T_NATIVE_INT64, .extent = runs},
                block->steps);
    write_whole(h5, file,
                (struct ml_h5_field){.name = "end_time", .type = H5T_NATIVE_DOUBLE, .extent = runs},
                block->end_time);
    hid_t group = ml_h5_group(h5, file, "summary", NULL);
    for (int i = 0; i < layout->results.n_output; i++) {
        struct ml_h5_field field = {.name = layout->results.outputs[i].name,
                                    .type = H5T_NATIVE_DOUBLE};
        field.extent.rank = 2;
        field.extent.size[0] = runs.size[0];
        field.extent.size[1] = (unsigned long long)ml_layout_output_rows(layout, i);
        write_whole(h5, group, field, block->summary[i]);
    }
}

static void write_checksums(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                            const struct ml_block *block, const struct ml_checksums *checksums)
{
    const struct ml_system *system = layout->study->ensemble.system;
    hid_t group = ml_h5_group(h5, file, "checksums", NULL);
    for (int i = 0; i < system->n_record; i++) {
        if (!ml_layout_keeps(layout, i))
            continue;
        struct ml_h5_field field = {
            .name = system->records[i].name,
            .type = H5T_NATIVE_UINT64,
            .extent = {.rank = 1, .size = {(unsigned long long)block->n_saved}},
        };
        write_whole(h5, group, field, checksums->of[i]);
    }
}

/* The bytes of an HDF5 file built in memory, borrowed from it. (The copy H5Fget_file_image
 * gives has a wrong checksum in its first block with 1.10.8.) */
static const void *bytes_of(struct ml_h5 *h5, hid_t file, size_t *size)
{
    if (h5->status != ML_OK)
        return NULL;
    void **memory = NULL;
    hsize_t length = 0;
    ml_h5_check(h5, H5Fflush(file, H5F_SCOPE_GLOBAL), "cannot be built");
    ml_h5_check(h5, H5Fget_filesize(file, &length), "cannot be built");
    ml_h5_check(h5, H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&memory), "cannot be built");
    *size = length;
    return h5->status == ML_OK ? *memory : NULL;
}

enum ml_status ml_part_write(const struct ml_layout *layout, const struct ml_block *block,
                             const struct ml_checksums *checksums, const char *path,
                             struct ml_error *err)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_create_in_memory(&h5, growth);
    write_identity(&h5, file, layout, block);
    write_summary(&h5, file, layout, block);
    if (ml_layout_has_trajectories(layout) && block->n_saved > 0)
        write_checksums(&h5, file, layout, block, checksums);
    size_t size = 0;
    const void *bytes = bytes_of(&h5, file, &size);
    if (h5.status == ML_OK)
        h5.status = ml_durable_write(path, bytes, size, err);
    ml_h5_close(&h5, file);
    return ml_h5_end(&h5);
}
