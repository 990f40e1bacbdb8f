/* One block of memory cut into 64-byte aligned pieces. A layout function is run twice: on an arena
 * whose `base` is NULL it only counts, then on one of that size it places. */
#ifndef ML_BASE_ARENA_H
#define ML_BASE_ARENA_H

#include <stddef.h>

struct ml_arena {
    char *base;        /* NULL: counting only */
    size_t used, size; /* bytes */
};

/* a b, or SIZE_MAX if that is too large. */
size_t ml_product(size_t a, size_t b);

/* `count` elements of `size` bytes; NULL when counting. The owner made the arena large enough. What
 * is too large to count makes ml_arena_reserve fail. */
void *ml_arena_take(struct ml_arena *arena, size_t count, size_t size);

/* Allocates arena->used bytes for an arena that has counted, and resets `used`; false if there is
 * not enough memory. Free with ml_arena_free. */
int ml_arena_reserve(struct ml_arena *arena);

void ml_arena_free(struct ml_arena *arena);

#endif
