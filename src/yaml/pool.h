/* Memory that only grows and is freed at once: nodes, texts and tables made while reading. */
#ifndef ML_YAML_POOL_H
#define ML_YAML_POOL_H

#include <stddef.h>

struct ml_pool_chunk;

/* Initialise with {0}. */
struct ml_pool {
    struct ml_pool_chunk *chunks;
    int is_short; /* some request could not be met */
};

/* `count` elements of `size` bytes, zeroed, aligned for any type; NULL without memory. */
void *ml_pool_take(struct ml_pool *pool, size_t count, size_t size);

/* Copy of `length` bytes of text with a NUL after it. */
char *ml_pool_text(struct ml_pool *pool, const char *text, size_t length);

/* As printf. */
char *ml_pool_format(struct ml_pool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ml_pool_free(struct ml_pool *pool);

/* All of a file, owned by `pool`; NULL and errno if it cannot be read or is larger than `most`, or
 * without memory, which the pool says. */
char *ml_file_read(struct ml_pool *pool, const char *path, size_t most, size_t *length);

#endif
