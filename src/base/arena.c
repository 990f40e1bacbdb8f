#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

void *ml_arena_take(struct ml_arena *arena, size_t count, size_t size)
{
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used += bytes;
    assert(!arena->base || arena->used <= arena->size);
    return piece;
}

int ml_arena_reserve(struct ml_arena *arena)
{
    arena->size = arena->used > 0 ? arena->used : ALIGNMENT;
    arena->used = 0;
    arena->base = aligned_alloc(ALIGNMENT, arena->size);
    return arena->base != NULL;
}

void ml_arena_free(struct ml_arena *arena)
{
    free(arena->base);
    *arena = (struct ml_arena){0};
}
