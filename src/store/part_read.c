#include <stdio.h>
#include <string.h>

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

static void read_whole(struct ml_part *part, const char *name, hid_t type, int rows, void *values)
{
    struct ml_h5 *h5 = &part->h5;
    if (h5->status != ML_OK)
        return;
    hid_t id = ml_h5_check(h5, H5Dopen2(part->file, name, H5P_DEFAULT), name);
    struct ml_extent extent = ml_h5_extent(h5, id);
    unsigned long long n = (unsigned long long)part->n_run, width = (unsigned long long)rows;
    if (h5->status == ML_OK &&
        (extent.size[0] != n || (extent.rank == 2 ? extent.size[1] : 1) != width))
        ml_h5_fail(h5, ML_E_FILE, "has a dataset of another shape");
    ml_h5_read_range(h5, id, &extent, type, 0, n * width, values);
    (void)H5Dclose(id);
}

void ml_part_read_outcome(struct ml_part *part, int8_t *outcome)
{
    read_whole(part, "outcome", H5T_NATIVE_INT8, 1, outcome);
}

void ml_part_read_steps(struct ml_part *part, int64_t *steps)
{
    read_whole(part, "steps", H5T_NATIVE_INT64, 1, steps);
}

void ml_part_read_end_time(struct ml_part *part, double *end_time)
{
    read_whole(part, "end_time", H5T_NATIVE_DOUBLE, 1, end_time);
}

/* "group/name" of a dataset. */
enum { LINK_LENGTH = 256 };

void ml_part_read_output(struct ml_part *part, int i_output, double *rows)
{
    char name[LINK_LENGTH];
    (void)snprintf(name, sizeof name, "summary/%s", part->layout->results.outputs[i_output].name);
    read_whole(part, name, H5T_NATIVE_DOUBLE, ml_layout_output_rows(part->layout, i_output), rows);
}

static bool equal(struct ml_extent a, struct ml_extent b)
{
    return a.rank == b.rank && memcmp(a.size, b.size, sizeof a.size[0] * (size_t)a.rank) == 0;
}

static struct ml_extent chunk_of(struct ml_h5 *h5, hid_t dataset)
{
    struct ml_extent chunk = {0};
    hid_t list = H5Dget_create_plist(dataset);
    chunk.rank = H5Pget_chunk(list, ML_MAX_RANK, chunk.size);
    ml_h5_check(h5, chunk.rank, "chunks of a trajectory");
    (void)H5Pclose(list);
    return chunk;
}

hid_t ml_part_open_record(struct ml_part *part, int i_record)
{
    struct ml_h5 *h5 = &part->h5;
    if (h5->status != ML_OK)
        return -1;
    char name[LINK_LENGTH];
    const struct ml_system *system = part->layout->study->ensemble.system;
    (void)snprintf(name, sizeof name, "trajectories/%s", system->records[i_record].name);
    hid_t id = ml_h5_check(h5, H5Dopen2(part->file, name, H5P_DEFAULT), name);
    if (h5->status == ML_OK &&
        (!equal(ml_h5_extent(h5, id), ml_layout_record(part->layout, i_record, part->n_saved)) ||
         !equal(chunk_of(h5, id), ml_layout_record_chunk(part->layout, i_record))))
        ml_h5_fail(h5, ML_E_FILE, "has a trajectory of another shape");
    return id;
}

/* The Fletcher checksum of HDF5's filter: sums modulo 65535 of big-endian 16-bit words. */
static uint32_t fletcher32(const unsigned char *bytes, size_t size)
{
    enum { SAFE_WORDS = 360 }; /* before the sums overflow 32 bits */
    uint32_t low = 0, high = 0;
    for (size_t words = size / 2; words > 0;) {
        size_t n = words < SAFE_WORDS ? words : SAFE_WORDS;
        words -= n;
        for (; n > 0; n--, bytes += 2) {
            low += (uint32_t)bytes[0] << 8 | bytes[1];
            high += low;
        }
        low = (low & 0xffff) + (low >> 16);
        high = (high & 0xffff) + (high >> 16);
    }
    low = (low & 0xffff) + (low >> 16);
    high = (high & 0xffff) + (high >> 16);
    return high << 16 | low;
}

static uint32_t little_endian32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void ml_part_read_chunk(struct ml_part *part, hid_t record, const struct ml_extent *offset,
                        void *bytes, size_t size)
{
    struct ml_h5 *h5 = &part->h5;
    if (h5->status != ML_OK)
        return;
    hsize_t stored = 0;
    uint32_t skipped_filters = 0;
    ml_h5_check(h5, H5Dget_chunk_storage_size(record, offset->size, &stored), "trajectory");
    if (h5->status == ML_OK && stored != size)
        ml_h5_fail(h5, ML_E_FILE, "lacks a piece of a trajectory");
    if (h5->status != ML_OK)
        return;
    ml_h5_check(h5, H5Dread_chunk(record, H5P_DEFAULT, offset->size, &skipped_filters, bytes),
                "trajectory");
    const unsigned char *data = bytes;
    size_t n = size - ML_CHECKSUM_BYTES;
    if (h5->status == ML_OK &&
        (skipped_filters || fletcher32(data, n) != little_endian32(data + n)))
        ml_h5_fail(h5, ML_E_FILE, "trajectory: checksum does not match");
}
