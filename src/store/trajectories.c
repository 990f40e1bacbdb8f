/* Writes the samples of a block to their final offset in the file, and checks them. HDF5 says
 * where that is: space for seal and trajectories is reserved before anything else in the file. */
#include "store/trajectories.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/fail.h"
#include "base/io.h"
#include "base/open.h"
#include "base/path.h"
#include "store/seal.h"

/* Whole runs are read back in pieces of about this size, bytes, that stay in the cache. */
static const size_t piece_bytes = 1 << 18;

static enum ml_status trajectories_fail(const struct ml_trajectories *t, const char *what,
                                        struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s: %s", t->path, what,
                   errno ? ml_open_reason(errno) : "it ends before");
}

uint64_t ml_trajectories_bytes(const struct ml_layout *layout, int i_record)
{
    return (uint64_t)layout->n_saved * ml_layout_run_bytes(layout, i_record);
}

/* Saved runs of `size` bytes that are moved at a time. */
static int64_t runs_per_piece(size_t size)
{
    return size < piece_bytes ? (int64_t)(piece_bytes / size) : 1;
}

static int n_record(const struct ml_layout *layout)
{
    return ml_ensemble_records(&layout->study->ensemble);
}

/* Where saved run `i` of a block is in a record, from the start of the file. */
static off_t position(const struct ml_trajectories *t, int64_t block, int i_record, int64_t i)
{
    return (off_t)t->offsets.address[i_record] +
           (off_t)(ml_layout_saved_before(t->layout, block) + i) *
               (off_t)ml_layout_run_bytes(t->layout, i_record);
}

static void trajectories_hash(const void *bytes, size_t size, int64_t n, uint64_t *sums)
{
    for (int64_t i = 0; i < n; i++)
        sums[i] = XXH3_64bits((const char *)bytes + (size_t)i * size, size);
}

/* Memory for the checksums of a block and for a piece that is read. */
static bool trajectories_allocate(struct ml_trajectories *t)
{
    size_t most_saved = (size_t)ml_layout_block_most_saved(t->layout), most_bytes = piece_bytes;
    for (int i = 0; i < n_record(t->layout); i++) {
        if (!ml_layout_keeps(t->layout, i))
            continue;
        size_t size = ml_layout_run_bytes(t->layout, i);
        most_bytes = size > most_bytes ? size : most_bytes;
        t->checksums.of[i] = calloc(most_saved, sizeof(uint64_t));
        if (!t->checksums.of[i])
            return false;
    }
    t->buffer = malloc(most_bytes);
    return t->buffer;
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
    return ml_direct_io_open(&t->direct, t->file, t->path)
               ? ML_OK
               : ml_fail(err, ML_E_MEMORY, "out of memory");
}

enum ml_status ml_trajectories_open(struct ml_trajectories *t, const struct ml_layout *layout,
                                    const char *folder, bool must_be_there, struct ml_error *err)
{
    *t = (struct ml_trajectories){.layout = layout, .file = -1};
    t->path = ml_path("%s/" ML_TRAJECTORIES_NAME, folder);
    if (!t->path || !trajectories_allocate(t))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = ml_offsets_find(layout, folder, &t->offsets, err);
    return status == ML_OK ? trajectories_open_file(t, must_be_there, err) : status;
}

void ml_trajectories_close(struct ml_trajectories *t)
{
    ml_direct_io_close(&t->direct);
    if (t->path && t->file >= 0)
        (void)close(t->file); /* what was put is synced */
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        free(t->checksums.of[i]);
    free(t->buffer);
    free(t->path);
    *t = (struct ml_trajectories){0};
}

static bool put_record(struct ml_trajectories *t, const struct ml_block *block, int i_record)
{
    const size_t size = ml_layout_run_bytes(t->layout, i_record);
    trajectories_hash(block->records[i_record], size, block->n_saved, t->checksums.of[i_record]);
    return ml_direct_io_write(&t->direct, position(t, block->index, i_record, 0),
                              block->records[i_record], (size_t)block->n_saved * size);
}

enum ml_status ml_trajectories_put(struct ml_trajectories *t, const struct ml_block *block,
                                   struct ml_error *err)
{
    if (block->n_saved == 0)
        return ML_OK;
    for (int i = 0; i < n_record(t->layout); i++)
        if (ml_layout_keeps(t->layout, i) && !put_record(t, block, i))
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

static bool get_record(struct ml_trajectories *t, int64_t block, int i_record)
{
    const int64_t n_saved = ml_layout_block_saved(t->layout, block);
    const size_t size = ml_layout_run_bytes(t->layout, i_record);
    for (int64_t i = 0, n; i < n_saved; i += n) {
        n = runs_per_piece(size) < n_saved - i ? runs_per_piece(size) : n_saved - i;
        if (!ml_io_read(t->file, position(t, block, i_record, i), t->buffer, (size_t)n * size))
            return false;
        trajectories_hash(t->buffer, size, n, t->checksums.of[i_record] + i);
    }
    return true;
}

static enum ml_status trajectories_compare(const struct ml_trajectories *t, int64_t block,
                                           int i_record, const uint64_t *expected,
                                           struct ml_error *err)
{
    for (int64_t k = 0; k < ml_layout_block_saved(t->layout, block); k++)
        if (t->checksums.of[i_record][k] != expected[k])
            return ml_fail(err, ML_E_FILE, "%s: %s of run %lld: the checksum does not match",
                           t->path, ml_ensemble_record(&t->layout->study->ensemble, i_record)->name,
                           (long long)ml_layout_block_saved_run(t->layout, block, k));
    return ML_OK;
}

enum ml_status ml_trajectories_check(struct ml_trajectories *t, int64_t block,
                                     const struct ml_checksums *expected, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int i = 0; i < n_record(t->layout) && status == ML_OK; i++) {
        if (!ml_layout_keeps(t->layout, i))
            continue;
        status = get_record(t, block, i) ? trajectories_compare(t, block, i, expected->of[i], err)
                                         : trajectories_fail(t, "cannot be read", err);
    }
    return status;
}

/* The record whose trajectories begin at `at` or next after it; -1: none. */
static int next_record(const struct ml_trajectories *t, unsigned long long at)
{
    int next = -1;
    for (int i = 0; i < n_record(t->layout); i++)
        if (ml_layout_keeps(t->layout, i) && t->offsets.address[i] >= at &&
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

enum ml_status ml_trajectories_surround(const struct ml_trajectories *t, const char *rest,
                                        struct ml_error *err)
{
    int from = ml_open_file(rest, O_RDONLY | O_NOFOLLOW);
    if (from < 0)
        return ml_fail(err, ML_E_FILE, "%s: cannot be opened: %s", rest, ml_open_reason(errno));
    /* By its name: what it names may be another's by now, or gone. */
    int to = ml_open_file(t->path, O_WRONLY | O_NOFOLLOW);
    enum ml_status status =
        to < 0 ? trajectories_fail(t, "cannot be opened", err) : copy_rest(t, from, to, err);
    if (to >= 0 && close(to) != 0 && status == ML_OK)
        status = trajectories_fail(t, "cannot be written", err);
    (void)close(from); /* read only */
    return status;
}

void ml_offsets_seal(struct ml_h5 *h5, hid_t file, hid_t *seal, struct ml_offsets *offsets)
{
    const struct ml_extent words = {.rank = 1, .size = {ML_SEAL_WORDS}};
    *offsets = (struct ml_offsets){0};
    *seal = ml_h5_reserve(h5, file, H5T_NATIVE_UINT64, &words);
    offsets->seal = ml_h5_address(h5, *seal);
}

void ml_offsets_reserve(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout, hid_t *seal,
                        hid_t *datasets, struct ml_offsets *offsets)
{
    ml_offsets_seal(h5, file, seal, offsets);
    ml_offsets_trajectories(h5, file, layout, datasets, offsets);
}

void ml_offsets_trajectories(struct ml_h5 *h5, hid_t file, const struct ml_layout *layout,
                             hid_t *datasets, struct ml_offsets *offsets)
{
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        datasets[i] = -1;
    if (!ml_layout_has_trajectories(layout))
        return;
    for (int i = 0; i < ml_ensemble_records(&layout->study->ensemble); i++) {
        if (!ml_layout_keeps(layout, i))
            continue;
        struct ml_extent extent = ml_layout_record(layout, i, layout->n_saved);
        datasets[i] = ml_h5_reserve(h5, file, H5T_NATIVE_DOUBLE, &extent);
        offsets->address[i] = ml_h5_address(h5, datasets[i]);
    }
}

static enum ml_status offsets_find(const struct ml_layout *layout, const char *path,
                                   struct ml_offsets *offsets, struct ml_error *err)
{
    struct ml_h5 h5;
    hid_t seal, datasets[ML_MAX_RECORDS];
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_h5_create(&h5);
    ml_offsets_reserve(&h5, file, layout, &seal, datasets, offsets);
    ml_h5_close(&h5, file);
    (void)unlink(path); /* it may not exist */
    return ml_h5_end(&h5);
}

enum ml_status ml_offsets_find(const struct ml_layout *layout, const char *folder,
                               struct ml_offsets *offsets, struct ml_error *err)
{
    char *name = ml_path("%s/offsets", folder), *path = name ? ml_path_temporary(name) : NULL;
    enum ml_status status = path ? offsets_find(layout, path, offsets, err)
                                 : ml_fail(err, ML_E_MEMORY, "out of memory");
    free(path);
    free(name);
    return status;
}
