/* Complete reads and writes at an offset: pread and pwrite, repeated until all bytes have moved;
 * and large ranges with O_DIRECT through an aligned buffer, with their unaligned ends written
 * normally. */
#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open.h"

bool ml_io_write(int file, off_t at, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t n = pwrite(file, from, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        from += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool ml_io_read(int file, off_t at, void *bytes, size_t size)
{
    char *to = bytes;
    while (size > 0) {
        ssize_t n = pread(file, to, size, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = 0;
        if (n <= 0)
            return false;
        to += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

bool ml_io_has_name(int file)
{
    struct stat about;
    return fstat(file, &about) == 0 && about.st_nlink > 0;
}

/* Bytes. O_DIRECT takes file offsets, sizes and addresses that are multiples of the first, which
 * suits every disk; one call writes as many as the second. */
enum { DIRECT_IO_ALIGNMENT = 4096, DIRECT_IO_PIECE = 1 << 20 };

bool ml_direct_io_open(struct ml_direct_io *direct, int file, const char *path)
{
    *direct = (struct ml_direct_io){
        .file = file, .past = -1, .aligned = aligned_alloc(DIRECT_IO_ALIGNMENT, DIRECT_IO_PIECE)};
    if (direct->aligned)
        direct->past = ml_open_file(path, O_WRONLY | O_DIRECT | O_NOFOLLOW);
    return direct->aligned;
}

void ml_direct_io_close(struct ml_direct_io *direct)
{
    if (direct->aligned && direct->past >= 0)
        (void)close(direct->past); /* written bytes are synced */
    free(direct->aligned);
    *direct = (struct ml_direct_io){0};
}

/* Writes through the cache where the disk refuses to write past it. */
static bool direct_io_write_piece(struct ml_direct_io *direct, off_t at, const char *bytes,
                                  size_t size)
{
    memcpy(direct->aligned, bytes, size);
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(direct->past, direct->aligned + done, size - done, at + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EINVAL)
            return false;
        if (n <= 0)
            return ml_io_write(direct->file, at + (off_t)done, bytes + done, size - done);
        done += (size_t)n;
    }
    return true;
}

static size_t direct_io_least(size_t a, size_t b) { return a < b ? a : b; }

bool ml_direct_io_write(struct ml_direct_io *direct, off_t at, const void *bytes, size_t size)
{
    const char *from = bytes;
    size_t head = direct_io_least((size_t)(-at & (DIRECT_IO_ALIGNMENT - 1)), size);
    size_t middle =
        direct->past < 0 ? 0 : (size - head) / DIRECT_IO_ALIGNMENT * DIRECT_IO_ALIGNMENT;
    bool is_good = ml_io_write(direct->file, at, from, head);
    for (size_t done = 0, n; is_good && done < middle; done += n) {
        n = direct_io_least(middle - done, DIRECT_IO_PIECE);
        is_good = direct_io_write_piece(direct, at + (off_t)(head + done), from + head + done, n);
    }
    return is_good && ml_io_write(direct->file, at + (off_t)(head + middle), from + head + middle,
                                  size - head - middle);
}
