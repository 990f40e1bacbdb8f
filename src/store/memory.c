/* A result in memory is a file that HDF5 keeps there: it has the datasets of one on disk because
 * the same functions write them. It has no seal and no checksums, which are for disks. */
#include "store/memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/opened.h"

enum ml_status ml_memory_begin(struct ml_memory *memory, const struct ml_study *study,
                               struct ml_error *err)
{
    struct ml_result_file *file = &memory->file;
    *memory = (struct ml_memory){.file = {.file = -1}};
    ml_layout_init(&memory->layout, study);
    struct ml_result_bytes bytes;
    const enum ml_status status = /* names that the end of a sample adds are checked before it */
        study->spec.runs.sample ? ml_result_sketch(&memory->layout, 0, &bytes, err) : ML_OK;
    if (status != ML_OK)
        return status;
    ml_result_file_begin(file, &memory->layout, study->spec.name, err);
    memory->is_there = calloc((size_t)memory->layout.n_block, sizeof *memory->is_there);
    ml_h5_need(&file->h5, memory->is_there);
    ml_result_begin_in_memory(file);
    ml_h5_leave(&file->h5);
    return file->h5.status;
}

/* The block as a part, without checksums; its pointers are borrowed from the block. */
static struct ml_part memory_part(const struct ml_memory *memory, const struct ml_block *block)
{
    return (struct ml_part){
        .layout = &memory->layout,
        .block = block->index,
        .n_run = block->n_run,
        .n_saved = block->n_saved,
        .end_time = block->end_time,
        .steps = block->steps,
        .outcome = block->outcome,
        .summary = block->summary,
    };
}

static enum ml_status memory_write(void *context, const struct ml_block *block,
                                   struct ml_error *err)
{
    struct ml_memory *memory = context;
    struct ml_result_file *file = &memory->file;
    const struct ml_part part = memory_part(memory, block);
    ml_h5_enter(&file->h5);
    file->h5.err = err;
    ml_result_add_runs(file, &part);
    ml_result_add_summary(file, &part);
    ml_result_add_trajectories(file, block);
    ml_h5_leave(&file->h5);
    memory->is_there[block->index] = file->h5.status == ML_OK;
    return file->h5.status;
}

struct ml_sink ml_memory_sink(struct ml_memory *memory)
{
    return (struct ml_sink){.context = memory, .put = memory_write};
}

struct ml_tally ml_memory_tally(const struct ml_memory *memory) { return memory->file.tally; }

static enum ml_status memory_fill(struct ml_memory *memory, struct ml_error *err)
{
    struct ml_missing_block missing;
    enum ml_status status = ml_missing_block_init(&missing, &memory->layout) ? ML_OK : ML_E_MEMORY;
    for (int64_t b = 0; status == ML_OK && b < memory->layout.n_block; b++)
        if (!memory->is_there[b])
            status = memory_write(memory, ml_missing_block_of(&missing, b), err);
    ml_missing_block_free(&missing);
    return status;
}

enum ml_status ml_memory_finish(struct ml_memory *memory, const struct ml_provenance *provenance,
                                struct ml_result **out, struct ml_error *err)
{
    struct ml_result_file *file = &memory->file;
    char path[160];
    *out = NULL;
    enum ml_status status = memory_fill(memory, err);
    if (status != ML_OK)
        return status;
    ml_h5_enter(&file->h5);
    file->h5.err = err;
    ml_result_write_provenance(file, provenance);
    ml_result_write_attractors(file);
    ml_result_write_sensitivity(file);
    ml_result_write_statistics(file);
    ml_result_write_accuracy(file);
    ml_result_close_datasets(file);
    ml_h5_leave(&file->h5);
    if (file->h5.status != ML_OK)
        return file->h5.status;
    const hid_t handed_over = file->file;
    file->file = -1;
    (void)snprintf(path, sizeof path, "result of %.120s", file->h5.path);
    return ml_opened_make(&file->h5, handed_over, path, out, err);
}

void ml_memory_end(struct ml_memory *memory)
{
    struct ml_result_file *file = &memory->file;
    if (file->file >= 0) {
        ml_h5_enter(&file->h5);
        (void)H5Fclose(file->file); /* and all that is open in it */
        (void)ml_h5_end(&file->h5);
    }
    ml_result_file_free(file);
    free(memory->is_there);
    ml_layout_free(&memory->layout);
}
