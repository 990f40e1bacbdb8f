#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "store/part.h"

static void check_identity(struct ml_part *part)
{
    long long seen[3] = {0};
    unsigned long long study = 0;
    ml_h5_read_attribute(&part->h5, part->file, "study", H5T_NATIVE_ULLONG, &study);
    ml_h5_read_attribute(&part->h5, part->file, "part", H5T_NATIVE_LLONG, seen);
    if (study != part->layout->identity)
        ml_h5_fail(&part->h5, ML_E_FILE, "is a part of another study");
    else if (seen[0] != part->block ||
             seen[1] != ml_layout_block_first(part->layout, part->block) || seen[2] != part->n_run)
        ml_h5_fail(&part->h5, ML_E_FILE, "holds other runs than its name says");
}

void ml_part_open(struct ml_part *part, const struct ml_layout *layout, int64_t block,
                  const char *path, struct ml_error *err)
{
    *part = (struct ml_part){
        .layout = layout,
        .block = block,
        .n_run = ml_layout_block_runs(layout, block),
        .n_saved = ml_layout_block_saved(layout, block),
    };
    ml_h5_begin(&part->h5, path, err);
    part->file = ml_h5_open(&part->h5);
    check_identity(part);
}

enum ml_status ml_part_close(struct ml_part *part)
{
    ml_h5_close(&part->h5, part->file);
    if (ml_h5_end(&part->h5) == ML_E_FILE)
        (void)ml_fail(part->h5.err, ML_E_FILE,
                      "%s: is missing or damaged; delete it if it is there and run the same "
                      "command again",
                      part->h5.path);
    return part->h5.status;
}

/* A dataset of n rows of `width` numbers. */
static void read_whole(struct ml_part *part, const char *name, hid_t type, int64_t rows, int width,
                       void *values)
{
    struct ml_h5 *h5 = &part->h5;
    if (h5->status != ML_OK)
        return;
    hid_t id = ml_h5_check(h5, H5Dopen2(part->file, name, H5P_DEFAULT), name);
    struct ml_extent extent = ml_h5_extent(h5, id);
    unsigned long long n = (unsigned long long)rows, m = (unsigned long long)width;
    if (h5->status == ML_OK &&
        (extent.size[0] != n || (extent.rank == 2 ? extent.size[1] : 1) != m))
        ml_h5_fail(h5, ML_E_FILE, "has a dataset of another shape");
    ml_h5_read_range(h5, id, &extent, type, 0, n * m, values);
    (void)H5Dclose(id);
}

void ml_part_read_outcome(struct ml_part *part, int8_t *outcome)
{
    read_whole(part, "outcome", H5T_NATIVE_INT8, part->n_run, 1, outcome);
}

void ml_part_read_steps(struct ml_part *part, int64_t *steps)
{
    read_whole(part, "steps", H5T_NATIVE_INT64, part->n_run, 1, steps);
}

void ml_part_read_end_time(struct ml_part *part, double *end_time)
{
    read_whole(part, "end_time", H5T_NATIVE_DOUBLE, part->n_run, 1, end_time);
}

/* "group/name" of a dataset. */
enum { LINK_LENGTH = 256 };

void ml_part_read_output(struct ml_part *part, int i_output, double *rows)
{
    char name[LINK_LENGTH];
    (void)snprintf(name, sizeof name, "summary/%s", part->layout->results.outputs[i_output].name);
    read_whole(part, name, H5T_NATIVE_DOUBLE, part->n_run,
               ml_layout_output_rows(part->layout, i_output), rows);
}

void ml_part_read_checksums(struct ml_part *part, int i_record, uint64_t *checksums)
{
    char name[LINK_LENGTH];
    const struct ml_system *system = part->layout->study->ensemble.system;
    (void)snprintf(name, sizeof name, "checksums/%s", system->records[i_record].name);
    read_whole(part, name, H5T_NATIVE_UINT64, part->n_saved, 1, checksums);
}

/* Fails at the first saved run whose bytes in a record are not those that were hashed. */
static void check_record(struct ml_part *part, const struct ml_trajectories *trajectories,
                         int i_record, uint64_t *expected)
{
    ml_part_read_checksums(part, i_record, expected);
    const uint64_t *seen = trajectories->checksums.of[i_record];
    for (int64_t i = 0; i < part->n_saved && part->h5.status == ML_OK; i++)
        if (seen[i] != expected[i])
            part->h5.status = ml_fail(
                part->h5.err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                trajectories->path, part->layout->study->ensemble.system->records[i_record].name,
                (long long)ml_layout_saved_run(part->layout, part->block, i));
}

void ml_part_check_trajectories(struct ml_part *part, struct ml_trajectories *trajectories)
{
    if (part->h5.status != ML_OK || part->n_saved == 0)
        return;
    uint64_t *expected = calloc((size_t)part->n_saved, sizeof *expected);
    if (expected)
        part->h5.status = ml_trajectories_get(trajectories, part->block, part->h5.err);
    else
        ml_h5_fail(&part->h5, ML_E_MEMORY, "out of memory");
    for (int i = 0; i < part->layout->study->ensemble.system->n_record; i++)
        if (ml_layout_keeps(part->layout, i))
            check_record(part, trajectories, i, expected);
    free(expected);
}
