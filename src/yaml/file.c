/* Reads a whole file into memory, with an upper bound of its size. */
#include "yaml/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/open.h"

char *ml_file_read(struct ml_pool *pool, const char *path, size_t most, size_t *length)
{
    FILE *file = ml_open_stream(path);
    if (!file)
        return NULL;
    struct stat status; /* a guess: one read, and no copy, if it stays right */
    const bool is_known = fstat(fileno(file), &status) == 0 && status.st_size > 0;
    const size_t first =
        is_known && (size_t)status.st_size <= most ? (size_t)status.st_size : 65535;
    char *text = NULL;
    size_t size = 0, n = 0;
    *length = 0;
    do {
        size = size ? 2 * size : first + 1;
        char *larger = ml_pool_take(pool, size, 1);
        if (larger && *length)
            memcpy(larger, text, *length);
        text = larger;
        n = text ? fread(text + *length, 1, size - *length, file) : 0;
        *length += n;
    } while (n > 0 && *length == size && size <= most);
    int error = ferror(file) ? errno : *length > most ? EFBIG : 0;
    (void)fclose(file);
    errno = error;
    return error ? NULL : text;
}
