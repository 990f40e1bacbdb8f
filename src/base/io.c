/* Complete reads and writes at an offset: pread and pwrite, repeated until all bytes have moved. */
#include "base/io.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

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
