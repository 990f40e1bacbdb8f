/* Memory for arrays of one owner in a single allocation: sizes are summed first, then pointers
 * given out. */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

size_t ml_product(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* a + b rounded up to the alignment, or SIZE_MAX if that is too large. */
static size_t arena_add(size_t a, size_t b)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum) || sum > SIZE_MAX - ALIGNMENT)
        return SIZE_MAX;
    return (sum + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *ml_arena_take(struct ml_arena *arena, size_t count, size_t size)
{
    char *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used = arena_add(arena->used, ml_product(count, size));
    assert(!arena->base || arena->used <= arena->size);
    return piece;
}

int ml_arena_reserve(struct ml_arena *arena)
{
    arena->size = arena->used > 0 ? arena->used : ALIGNMENT;
    arena->used = 0;
    /* No allocator gives PTRDIFF_MAX bytes either. */
    arena->base = arena->size < PTRDIFF_MAX ? aligned_alloc(ALIGNMENT, arena->size) : NULL;
    return arena->base != NULL;
}

void ml_arena_free(struct ml_arena *arena)
{
    free(arena->base);
    *arena = (struct ml_arena){0};
}
