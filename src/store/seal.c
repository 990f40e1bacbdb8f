/* Computes the checksum of a result file over everything but trajectories, and compares it. */
#include "store/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/fail.h"
#include "base/io.h"
#include "base/open.h"

static const uint64_t magic = 0x326c6165736c6d0a;       /* "\nmlseal2" */
static const uint64_t magic_first = 0x316c6165736c6d0a; /* "\nmlseal1", of format 3 and older */

enum {
    PIECE = 1 << 20,  /* bytes that are read at a time */
    SOUGHT = 1 << 15, /* bytes at the beginning of a file that the seal is in */
};

/* A file that is read for its checksum. */
struct reading {
    const char *path;
    int file;
    uint64_t size, own; /* of the file; where the seal is */
    struct ml_seal seal;
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
        next = (struct ml_seal_range){r->own, sizeof r->seal};
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        if (r->seal.skipped[i].size > 0 && r->seal.skipped[i].at >= at &&
            r->seal.skipped[i].at < next.at)
            next = r->seal.skipped[i];
    return next;
}

/* A viewer that opens a file to write and is killed leaves a flag in the superblock, and the
 * superblock's own checksum, which HDF5 checks: these bytes count as 0. */
static void clear_open_flag(const struct reading *r, uint64_t at)
{
    static const uint64_t flag[] = {11, 44, 45, 46, 47};
    for (size_t i = 0; i < sizeof flag / sizeof *flag && r->seal.magic == magic; i++)
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
    struct ml_seal seal = r->seal;
    seal.low = seal.high = 0;
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
    (void)XXH3_128bits_update(r->state, &seal, sizeof seal);
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
    return r->state && r->piece ? ML_OK : ml_fail(err, ML_E_MEMORY, "out of memory");
}

static void seal_end(struct reading *r)
{
    free(r->piece);
    (void)XXH3_freeState(r->state);
    if (r->file >= 0)
        (void)close(r->file); /* read only, or to be synced by its name */
}

enum ml_status ml_seal_write(const char *path, uint64_t at, const struct ml_seal_range *skipped,
                             struct ml_error *err)
{
    struct reading r;
    XXH128_hash_t sum = {0};
    enum ml_status status = seal_begin(&r, path, O_RDWR, err);
    r.own = at;
    r.seal = (struct ml_seal){.magic = magic, .size = r.size};
    if (skipped)
        memcpy(r.seal.skipped, skipped, sizeof r.seal.skipped);
    if (status == ML_OK && !seal_hash(&r, &sum))
        status = seal_fail(&r, "cannot be read", err);
    if (status == ML_OK) {
        r.seal.low = sum.low64;
        r.seal.high = sum.high64;
        if (!ml_io_write(r.file, (off_t)at, &r.seal, sizeof r.seal))
            status = seal_fail(&r, "cannot be written", err);
    }
    seal_end(&r);
    return status;
}

/* Reads the seal; false without a seal. */
static bool seal_find(struct reading *r)
{
    const size_t n = r->size < SOUGHT ? (size_t)r->size : SOUGHT;
    if (!ml_io_read(r->file, 0, r->piece, n))
        return false;
    for (size_t i = 0; i + sizeof r->seal <= n; i++)
        if (memcmp(r->piece + i, &magic, sizeof magic) == 0 ||
            memcmp(r->piece + i, &magic_first, sizeof magic_first) == 0) {
            r->own = i;
            memcpy(&r->seal, r->piece + i, sizeof r->seal);
            return true;
        }
    return false;
}

enum ml_status ml_seal_check(const char *path, bool *is_sealed, struct ml_error *err)
{
    struct reading r;
    XXH128_hash_t sum;
    enum ml_status status = seal_begin(&r, path, O_RDONLY, err);
    const bool is_found = status == ML_OK && seal_find(&r);
    if (is_found && !(r.seal.size == r.size && seal_hash(&r, &sum) && sum.low64 == r.seal.low &&
                      sum.high64 == r.seal.high))
        status = ml_fail(err, ML_E_FILE,
                         "%s: its checksum does not match: it is damaged, or was changed by "
                         "another program; `info` and `plot` read it all the same with --changed",
                         path);
    if (is_sealed)
        *is_sealed = is_found;
    seal_end(&r);
    return status;
}
