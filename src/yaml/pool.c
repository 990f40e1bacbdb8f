/* Allocates from chunks that grow, and formats text into them. */
#include "yaml/pool.h"

#include <errno.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/open.h"
#include "base/text.h"

struct ml_pool_chunk {
    struct ml_pool_chunk *next;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

/* 0 gives every piece memory of its own, whose end the address sanitizer watches. */
#ifndef ML_POOL_CHUNK_BYTES
#define ML_POOL_CHUNK_BYTES 16384
#endif

enum { ALIGNMENT = alignof(max_align_t) };

static struct ml_pool_chunk *grow(struct ml_pool *pool, size_t bytes)
{
    size_t size = bytes > ML_POOL_CHUNK_BYTES ? bytes : ML_POOL_CHUNK_BYTES;
    struct ml_pool_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        return NULL;
    chunk->size = size;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    return chunk;
}

void *ml_pool_take(struct ml_pool *pool, size_t count, size_t size)
{
    struct ml_pool_chunk *chunk = pool->chunks;
    if (size > 0 && count > SIZE_MAX / 2 / size) {
        pool->is_short = 1;
        return NULL;
    }
    size_t bytes = count * size;
    size_t used = chunk ? (chunk->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : 0;
    if (!chunk || used > chunk->size || chunk->size - used < bytes) {
        chunk = grow(pool, bytes);
        used = 0;
    }
    if (!chunk) {
        pool->is_short = 1;
        return NULL;
    }
    chunk->used = used + bytes;
    return chunk->bytes + used;
}

char *ml_pool_text(struct ml_pool *pool, const char *text, size_t length)
{
    char *copy = ml_pool_take(pool, length + 1, 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *ml_pool_format(struct ml_pool *pool, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = ml_vformat(format, args),
         *copy = text ? ml_pool_text(pool, text, strlen(text)) : NULL;
    va_end(args);
    free(text);
    pool->is_short |= !copy;
    return copy;
}

void ml_pool_free(struct ml_pool *pool)
{
    while (pool->chunks) {
        struct ml_pool_chunk *chunk = pool->chunks;
        pool->chunks = chunk->next;
        free(chunk);
    }
}

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
