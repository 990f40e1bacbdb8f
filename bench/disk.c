#include "disk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int write_all(int fd, const char *data, int64_t size, int64_t bytes)
{
    const int64_t piece = size < (8 << 20) ? size : 8 << 20;
    int64_t from = 0;
    while (bytes > 0) {
        int64_t length = bytes < piece ? bytes : piece;
        ssize_t done = write(fd, data + from, (size_t)length);
        if (done <= 0)
            return -1;
        bytes -= done;
        from = from + 2 * piece <= size ? from + piece : 0;
    }
    return fsync(fd);
}

int ml_bench_disk_write(const char *directory, const char *data, int64_t size, int64_t bytes)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/bench_XXXXXX", directory);
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    (void)unlink(path);
    int status = write_all(fd, data, size, bytes);
    return close(fd) == 0 ? status : -1;
}
