/* Computes the checksum of a result file over everything but trajectories, and compares it. */
#include "store/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/io.h"
#include "base/open.h"
#include "manylink/fail.h"

/* "\nmlseal3"; of format 4, and of format 3 and older */
static const uint64_t magic = 0x336c6165736c6d0a, magic_4 = 0x326c6165736c6d0a,
                      magic_3 = 0x316c6165736c6d0a;

enum {
    PIECE = 1 << 20,  /* bytes that are read at a time */
    SOUGHT = 1 << 15, /* bytes at the beginning of a file that the head of the seal is in */
    OLD_RANGES = 32,  /* of a seal of format 4 and older, whose head does not count its ranges:
                         those behind the last have size 0 */
};

/* A file that is read for its checksum. */
struct reading {
    const char *path;
    int file;
    uint64_t size, own; /* of the file; where the seal is */
    uint64_t *seal;     /* [n_word] */
    size_t n_word;
    const struct ml_seal_range *skipped; /* [n_skipped] in it */
    size_t n_skipped;
    XXH3_state_t *state;
    char *piece; /* [PIECE] */
};

static enum ml_status seal_fail(const struct reading *r, const char *what, struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s: %s", r->path, what,
                   errno ? ml_open_reason(errno) : "it ends early");
}

/* The first range from `at` on that is left out; `at` of none is the end of the file. */
static struct ml_seal_range next_left_out(const struct reading *r, uint64_t at)
{
    struct ml_seal_range next = {.at = r->size};
    if (r->own >= at)
        next = (struct ml_seal_range){r->own, r->n_word * sizeof *r->seal};
    for (size_t i = 0; i < r->n_skipped; i++)
        if (r->skipped[i].size > 0 && r->skipped[i].at >= at && r->skipped[i].at < next.at)
            next = r->skipped[i];
    return next;
}

/* A viewer that opens a file to write and is killed leaves a flag in the superblock, and the
 * superblock's own checksum, which HDF5 checks: these bytes count as 0. */
static void clear_open_flag(const struct reading *r, uint64_t at)
{
    static const uint64_t flag[] = {11, 44, 45, 46, 47};
    for (size_t i = 0; i < sizeof flag / sizeof *flag && r->seal[ML_SEAL_MAGIC] != magic_3; i++)
        if (at == 0 && flag[i] < r->size)
            r->piece[flag[i]] = 0;
}

static bool hash_range(struct reading *r, uint64_t at, uint64_t end)
{
    for (size_t n; at < end; at += n) {
        n = end - at < PIECE ? (size_t)(end - at) : PIECE;
        if (!ml_io_read(r->file, (off_t)at, r->piece, n))
            return false;
        clear_open_flag(r, at);
        (void)XXH3_128bits_update(r->state, r->piece, n);
    }
    return true;
}

/* false with errno set, 0 if the ranges are none of this file. */
static bool seal_hash(struct reading *r, XXH128_hash_t *out)
{
    const uint64_t low = r->seal[ML_SEAL_LOW], high = r->seal[ML_SEAL_HIGH];
    (void)XXH3_128bits_reset(r->state);
    for (uint64_t at = 0; at < r->size;) {
        const struct ml_seal_range left_out = next_left_out(r, at);
        if (!hash_range(r, at, left_out.at))
            return false;
        at = left_out.at + left_out.size;
        errno = 0;
        if (at < left_out.at || at > r->size)
            return false;
    }
    r->seal[ML_SEAL_LOW] = r->seal[ML_SEAL_HIGH] = 0;
    (void)XXH3_128bits_update(r->state, r->seal, r->n_word * sizeof *r->seal);
    r->seal[ML_SEAL_LOW] = low;
    r->seal[ML_SEAL_HIGH] = high;
    *out = XXH3_128bits_digest(r->state);
    return true;
}

static enum ml_status seal_begin(struct reading *r, const char *path, int flags,
                                 struct ml_error *err)
{
    struct stat about;
    *r = (struct reading){.path = path, .file = ml_open_file(path, flags)};
    if (r->file < 0 || fstat(r->file, &about) != 0)
        return seal_fail(r, "cannot be read", err);
    r->size = (uint64_t)about.st_size;
    r->state = XXH3_createState();
    r->piece = malloc(PIECE);
    return r->state && r->piece ? ML_OK : ML_E_MEMORY;
}

static void seal_end(struct reading *r)
{
    free(r->piece);
    free(r->seal);
    (void)XXH3_freeState(r->state);
    if (r->file >= 0)
        (void)close(r->file); /* read only, or to be synced by its name */
}

/* Room for a seal with n ranges; false without memory. */
static bool seal_take(struct reading *r, uint64_t magic_there, uint64_t n)
{
    const size_t head = magic_there == magic ? ML_SEAL_HEAD : ML_SEAL_SKIPPED;
    r->n_skipped = (size_t)n;
    r->n_word = head + 2 * r->n_skipped;
    r->seal = calloc(r->n_word, sizeof *r->seal);
    r->skipped = r->seal ? (const struct ml_seal_range *)(r->seal + head) : NULL;
    return r->seal;
}

enum ml_status ml_seal_write(const char *path, uint64_t at, int n,
                             const struct ml_seal_range *skipped, struct ml_error *err)
{
    struct reading r;
    XXH128_hash_t sum = {0};
    enum ml_status status = seal_begin(&r, path, O_RDWR, err);
    r.own = at;
    if (status == ML_OK && !seal_take(&r, magic, (uint64_t)n))
        status = ML_E_MEMORY;
    if (status == ML_OK) {
        r.seal[ML_SEAL_MAGIC] = magic;
        r.seal[ML_SEAL_SIZE] = r.size;
        r.seal[ML_SEAL_SKIPPED] = (uint64_t)n;
        if (n > 0)
            memcpy(r.seal + ML_SEAL_HEAD, skipped, (size_t)n * sizeof *skipped);
    }
    if (status == ML_OK && !seal_hash(&r, &sum))
        status = seal_fail(&r, "cannot be read", err);
    if (status == ML_OK) {
        r.seal[ML_SEAL_LOW] = sum.low64;
        r.seal[ML_SEAL_HIGH] = sum.high64;
        if (!ml_io_write(r.file, (off_t)at, r.seal, r.n_word * sizeof *r.seal))
            status = seal_fail(&r, "cannot be written", err);
    }
    seal_end(&r);
    return status;
}

/* Finds the seal and its head; false without a seal. */
static bool seal_find(struct reading *r, uint64_t head[ML_SEAL_HEAD])
{
    const size_t n = r->size < SOUGHT ? (size_t)r->size : SOUGHT,
                 size = ML_SEAL_HEAD * sizeof *head;
    if (!ml_io_read(r->file, 0, r->piece, n))
        return false;
    for (size_t i = 0; i + size <= n; i++) {
        memcpy(head, r->piece + i, size);
        r->own = i;
        if (head[ML_SEAL_MAGIC] == magic || head[ML_SEAL_MAGIC] == magic_4 ||
            head[ML_SEAL_MAGIC] == magic_3)
            return true;
    }
    return false;
}

/* ML_OK if the file is as the seal of this head says; ML_E_MEMORY, or ML_E_FILE if it is not. */
static enum ml_status seal_compare(struct reading *r, const uint64_t head[ML_SEAL_HEAD])
{
    XXH128_hash_t sum;
    const uint64_t n = head[ML_SEAL_MAGIC] == magic ? head[ML_SEAL_SKIPPED] : OLD_RANGES;
    if (head[ML_SEAL_SIZE] != r->size || n > r->size / sizeof *r->skipped)
        return ML_E_FILE;
    if (!seal_take(r, head[ML_SEAL_MAGIC], n))
        return ML_E_MEMORY;
    const bool fits = ml_io_read(r->file, (off_t)r->own, r->seal, r->n_word * sizeof *r->seal) &&
                      seal_hash(r, &sum) && sum.low64 == head[ML_SEAL_LOW] &&
                      sum.high64 == head[ML_SEAL_HIGH];
    return fits ? ML_OK : ML_E_FILE;
}

enum ml_status ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err)
{
    struct reading r;
    uint64_t head[ML_SEAL_HEAD];
    enum ml_status status = seal_begin(&r, path, O_RDONLY, err);
    const bool is_found = status == ML_OK && seal_find(&r, head);
    if (is_found)
        status = seal_compare(&r, head);
    if (is_found && status == ML_E_FILE)
        status = ml_fail(err, ML_E_FILE,
                         "%s: its checksum does not match: it is damaged, or was changed by "
                         "another program; `info` and `plot` read it all the same with --changed",
                         path);
    if (is_sealed)
        *is_sealed = is_found;
    seal_end(&r);
    return status;
}
