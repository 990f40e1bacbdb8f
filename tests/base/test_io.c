/* What goes past the cache arrives, wherever it begins and ends, and nothing beside it changes. */
#include "base/io.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 3 << 20 };

static const char path[] = "test_direct.bin";

/* Writes [at, at + size) over bytes of another kind and reads the whole file back. */
static void check_range(struct ml_direct_io *direct, char *bytes, char *observed, size_t at,
                        size_t size)
{
    CHECK_CASE("%zu bytes at %zu%s", size, at, direct->past < 0 ? ", by the cache" : "");
    memset(observed, 7, SIZE);
    CHECK(ml_io_write(direct->file, 0, observed, SIZE));
    CHECK(ml_direct_io_write(direct, (off_t)at, bytes + at, size));
    CHECK(ml_io_read(direct->file, 0, observed, SIZE));
    CHECK(memcmp(observed + at, bytes + at, size) == 0);
    for (size_t i = 0; i < SIZE; i++)
        if ((i < at || i >= at + size) && observed[i] != 7) {
            CHECK(!"a byte beside the range has changed");
            break;
        }
}

static void every_range_arrives(int is_past)
{
    static const size_t starts[] = {0, 1, 8, 2048, 4095, 4096, 5000},
                        sizes[] = {0,    1,       8,           4095,          4096,
                                   4097, 1 << 20, 1000 * 1000, (1 << 20) + 8, (2 << 20) + 4096};
    char *bytes = malloc(SIZE), *observed = malloc(SIZE);
    struct ml_direct_io direct;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(bytes && observed && file >= 0 && ml_direct_io_open(&direct, file, path));
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 2654435761u >> 13 | 8); /* never 7 */
    if (!is_past && direct.past >= 0) {
        CHECK(close(direct.past) == 0);
        direct.past = -1;
    }
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            check_range(&direct, bytes, observed, starts[i], sizes[k]);
    ml_direct_io_close(&direct);
    CHECK(close(file) == 0 && unlink(path) == 0);
    free(observed);
    free(bytes);
}

int main(void)
{
    every_range_arrives(1);
    every_range_arrives(0);
    return check_done();
}
