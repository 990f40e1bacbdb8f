/* Writes the samples of a block to their final offset in the file, and checks them. HDF5 says
 * where that is: space for seal and trajectories is reserved before anything else in the file. */
#include "store/trajectories.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/open.h"
#include "base/path.h"
#include "manylink/fail.h"
#include "store/seal.h"

/* Whole runs are read back in pieces of about this size, bytes, that stay in the cache. */
static const size_t piece_bytes = 1 << 18;

static enum ml_status trajectories_fail(const struct ml_trajectories *t, const char *what,
                                        struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s: %s", t->path, what,
                   errno ? ml_open_reason(errno) : "it ends before");
}

uint64_t ml_trajectories_bytes(const struct ml_layout *layout, int k)
{
    return (uint64_t)layout->n_saved * ml_layout_run_bytes(layout, k);
}

/* Saved runs of `size` bytes that are moved at a time. */
static int64_t runs_per_piece(size_t size)
{
    return size < piece_bytes ? (int64_t)(piece_bytes / size) : 1;
}

/* Where saved run `i` of a block is in record k, from the start of the file. */
static off_t position(const struct ml_trajectories *t, int64_t block, int k, int64_t i)
{
    return (off_t)t->offsets.address[k] + (off_t)(ml_layout_saved_before(t->layout, block) + i) *
                                              (off_t)ml_layout_run_bytes(t->layout, k);
}

static void trajectories_hash(const void *bytes, size_t size, int64_t n, uint64_t *sums)
{
    for (int64_t i = 0; i < n; i++)
        sums[i] = XXH3_64bits((const char *)bytes + (size_t)i * size, size);
}

/* Memory for the checksums of a block and for a piece that is read. */
static bool trajectories_allocate(struct ml_trajectories *t)
{
    const size_t n_record = (size_t)ml_layout_records(t->layout);
    size_t most_saved = (size_t)ml_layout_block_most_saved(t->layout), most_bytes = piece_bytes;
    for (int k = 0; k < ml_layout_records(t->layout); k++) {
        const size_t size = ml_layout_run_bytes(t->layout, k);
        most_bytes = size > most_bytes ? size : most_bytes;
    }
    t->offsets.address = calloc(n_record, sizeof *t->offsets.address);
    t->sums = calloc(n_record * most_saved, sizeof *t->sums);
    t->buffer = malloc(most_bytes);
    return t->offsets.address && t->sums && t->buffer;
}

static enum ml_status trajectories_open_file(struct ml_trajectories *t, bool must_be_there,
                                             struct ml_error *err)
{
    t->file = ml_open_file(t->path, O_RDWR | O_NOFOLLOW | (must_be_there ? 0 : O_CREAT));
    if (t->file < 0 && errno == ENOENT && must_be_there)
        return ml_fail(err, ML_E_FILE,
                       "%s: is missing, and with it the trajectories of the blocks that are "
                       "finished; --restart starts over",
                       t->path);
    if (t->file < 0)
        return trajectories_fail(t, "cannot be opened", err);
    return ml_direct_io_open(&t->direct, t->file, t->path) ? ML_OK : ML_E_MEMORY;
}

enum ml_status ml_trajectories_open(struct ml_trajectories *t, const struct ml_layout *layout,
                                    const char *folder, bool must_be_there, struct ml_error *err)
{
    *t = (struct ml_trajectories){.layout = layout, .file = -1};
    t->path = ml_path("%s/" ML_TRAJECTORIES_NAME, folder);
    if (!t->path || !trajectories_allocate(t))
        return ML_E_MEMORY;
    enum ml_status status = ml_offsets_find(layout, folder, &t->offsets, err);
    return status == ML_OK ? trajectories_open_file(t, must_be_there, err) : status;
}

void ml_trajectories_close(struct ml_trajectories *t)
{
    ml_direct_io_close(&t->direct);
    if (t->path && t->file >= 0)
        (void)close(t->file); /* trajectories put so far are synced */
    free(t->offsets.address);
    free(t->sums);
    free(t->buffer);
    free(t->path);
    *t = (struct ml_trajectories){0};
}

static bool write_record(struct ml_trajectories *t, const struct ml_block *block, int k)
{
    const size_t size = ml_layout_run_bytes(t->layout, k);
    trajectories_hash(block->records[k], size, block->n_saved, t->sums + k * block->n_saved);
    return ml_direct_io_write(&t->direct, position(t, block->index, k, 0), block->records[k],
                              (size_t)block->n_saved * size);
}

enum ml_status ml_trajectories_write(struct ml_trajectories *t, const struct ml_block *block,
                                     struct ml_error *err)
{
    if (block->n_saved == 0)
        return ML_OK;
    for (int k = 0; k < ml_layout_records(t->layout); k++)
        if (!write_record(t, block, k))
            return trajectories_fail(t, "cannot be written", err);
    return ml_io_has_name(t->file)
               ? ML_OK
               : ml_fail(err, ML_E_FILE, "%s: was removed while it was written", t->path);
}

enum ml_status ml_trajectories_sync(struct ml_trajectories *t, struct ml_error *err)
{
    if (!t->path || fdatasync(t->file) == 0)
        return ML_OK;
    return trajectories_fail(t, "cannot be synced to disk", err);
}

static bool get_record(struct ml_trajectories *t, int64_t block, int k)
{
    const int64_t n_saved = ml_layout_block_saved(t->layout, block);
    const size_t size = ml_layout_run_bytes(t->layout, k);
    for (int64_t i = 0, n; i < n_saved; i += n) {
        n = runs_per_piece(size) < n_saved - i ? runs_per_piece(size) : n_saved - i;
        if (!ml_io_read(t->file, position(t, block, k, i), t->buffer, (size_t)n * size))
            return false;
        trajectories_hash(t->buffer, size, n, t->sums + k * n_saved + i);
    }
    return true;
}

static enum ml_status trajectories_compare(const struct ml_trajectories *t, int64_t block, int k,
                                           const uint64_t *expected, struct ml_error *err)
{
    const int64_t n_saved = ml_layout_block_saved(t->layout, block);
    for (int64_t i = 0; i < n_saved; i++)
        if (t->sums[k * n_saved + i] != expected[k * n_saved + i])
            return ml_fail(err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                           t->path, ml_layout_quantity(t->layout, k)->name,
                           (long long)ml_layout_block_saved_run(t->layout, block, i));
    return ML_OK;
}

enum ml_status ml_trajectories_check(struct ml_trajectories *t, int64_t block,
                                     const uint64_t *expected, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int k = 0; k < ml_layout_records(t->layout) && status == ML_OK; k++)
        status = get_record(t, block, k) ? trajectories_compare(t, block, k, expected, err)
                                         : trajectories_fail(t, "cannot be read", err);
    return status;
}

enum ml_status ml_trajectories_read(const struct ml_trajectories *t, int k, int64_t row,
                                    int64_t first, int64_t n, double *values, struct ml_error *err)
{
    const off_t at = (off_t)t->offsets.address[k] +
                     (off_t)row * (off_t)ml_layout_run_bytes(t->layout, k) +
                     (off_t)first * (off_t)sizeof *values;
    return ml_io_read(t->file, at, values, (size_t)n * sizeof *values)
               ? ML_OK
               : trajectories_fail(t, "cannot be read", err);
}

/* The record whose trajectories begin at `at` or next after it; -1: none. */
static int next_record(const struct ml_trajectories *t, unsigned long long at)
{
    int next = -1;
    for (int i = 0; i < ml_layout_records(t->layout); i++)
        if (t->offsets.address[i] >= at &&
            (next < 0 || t->offsets.address[i] < t->offsets.address[next]))
            next = i;
    return next;
}

static enum ml_status copy(const struct ml_trajectories *t, int from, int to, off_t at, off_t end,
                           struct ml_error *err)
{
    for (size_t n; at < end; at += (off_t)n) {
        n = end - at < (off_t)piece_bytes ? (size_t)(end - at) : piece_bytes;
        if (!ml_io_read(from, at, t->buffer, n))
            return trajectories_fail(t, "the rest of the result cannot be read", err);
        if (!ml_io_write(to, at, t->buffer, n))
            return trajectories_fail(t, "cannot be written", err);
    }
    return ML_OK;
}

/* Copies `from` to `to`, but not where the trajectories are. */
static enum ml_status copy_rest(const struct ml_trajectories *t, int from, int to,
                                struct ml_error *err)
{
    const off_t end = lseek(from, 0, SEEK_END);
    enum ml_status status =
        end < 0 ? trajectories_fail(t, "the rest of the result cannot be read", err) : ML_OK;
    for (off_t at = 0; status == ML_OK && at < end;) {
        int i = next_record(t, (unsigned long long)at);
        off_t next = i < 0 ? end : (off_t)t->offsets.address[i];
        status = copy(t, from, to, at, next, err);
        at = i < 0 ? end : next + (off_t)ml_trajectories_bytes(t->layout, i);
    }
    if (status == ML_OK && ftruncate(to, end) != 0)
        return trajectories_fail(t, "cannot be written", err);
    return status;
}

enum ml_status ml_trajectories_copy_metadata(const struct ml_trajectories *t, const char *rest,
                                             struct ml_error *err)
{
    int from = ml_open_file(rest, O_RDONLY | O_NOFOLLOW);
    if (from < 0)
        return ml_fail(err, ML_E_FILE, "%s: cannot be opened: %s", rest, ml_open_reason(errno));
    /* By its name: the file of that name may be another process's by now, or gone. */
    int to = ml_open_file(t->path, O_WRONLY | O_NOFOLLOW);
    enum ml_status status =
        to < 0 ? trajectories_fail(t, "cannot be opened", err) : copy_rest(t, from, to, err);
    if (to >= 0 && close(to) != 0 && status == ML_OK)
        status = trajectories_fail(t, "cannot be written", err);
    (void)close(from); /* read only */
    return status;
}

void ml_offsets_seal(struct ml_h5 *h5, hid_t file, int n_record, hid_t *seal,
                     struct ml_offsets *offsets)
{
    const struct ml_extent words = {.rank = 1, .size = {ml_seal_words(n_record)}};
    *seal = ml_h5_reserve(h5, file, H5T_NATIVE_UINT64, &words);
    offsets->seal = ml_h5_address(h5, *seal);
}

void ml_offsets_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                        hid_t *datasets, struct ml_offsets *offsets)
{
    ml_offsets_seal(h5, file, ml_layout_records(layout), seal, offsets);
    ml_offsets_trajectories(h5, file, layout, datasets, offsets);
}

void ml_offsets_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                             hid_t *datasets, struct ml_offsets *offsets)
{
    for (int k = 0; k < ml_layout_records(layout) && h5->status == ML_OK; k++) {
        struct ml_extent extent = ml_layout_record(layout, k, layout->n_saved);
        datasets[k] = ml_h5_reserve(h5, file, H5T_NATIVE_DOUBLE, &extent);
        offsets->address[k] = ml_h5_address(h5, datasets[k]);
    }
}

static enum ml_status offsets_find(const struct ml_layout *layout, const char *path,
                                   struct ml_offsets *offsets, struct ml_error *err)
{
    struct ml_h5 h5;
    hid_t seal, *datasets = calloc((size_t)ml_layout_records(layout) + 1, sizeof *datasets);
    if (!datasets)
        return ML_E_MEMORY;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_create(&h5);
    ml_offsets_reserve(&h5, file, layout, &seal, datasets, offsets);
    ml_h5_close(&h5, file);
    (void)unlink(path); /* it may not exist */
    free(datasets);
    return ml_h5_end(&h5);
}

enum ml_status ml_offsets_find(const struct ml_layout *layout, const char *folder,
                               struct ml_offsets *offsets, struct ml_error *err)
{
    char *name = ml_path("%s/offsets", folder), *path = name ? ml_path_temporary(name) : NULL;
    enum ml_status status = path ? offsets_find(layout, path, offsets, err) : ML_E_MEMORY;
    free(path);
    free(name);
    return status;
}
