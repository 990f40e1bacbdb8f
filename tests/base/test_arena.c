#include "base/arena.h"

#include <stdint.h>

#include "check.h"

static void pieces_are_aligned_and_apart(void)
{
    struct ml_arena arena = {0};
    char *first = NULL, *second = NULL;
    CHECK_CASE("two pieces");
    for (int pass = 0; pass < 2; pass++) {
        first = ml_arena_take(&arena, 3, 5);
        second = ml_arena_take(&arena, 1, 100);
        if (pass == 0) {
            CHECK(!first && !second && arena.used == 64 + 128);
            CHECK(ml_arena_reserve(&arena));
        }
    }
    CHECK((uintptr_t)first % 64 == 0 && second - first == 64);
    ml_arena_free(&arena);
    CHECK(!arena.base && arena.size == 0);
}

/* A size that wraps would give a small piece for a large use. */
static void what_cannot_be_counted_cannot_be_reserved(void)
{
    const size_t half = SIZE_MAX / 2 + 1;
    CHECK_CASE("overflow");
    CHECK(ml_product(half, 2) == SIZE_MAX && ml_product(3, 4) == 12);
    struct ml_arena product = {0}, sum = {0};
    (void)ml_arena_take(&product, half, 2);
    (void)ml_arena_take(&product, 1, 1);
    CHECK(!ml_arena_reserve(&product));
    (void)ml_arena_take(&sum, half, 1);
    (void)ml_arena_take(&sum, half, 1);
    CHECK(!ml_arena_reserve(&sum));
}

int main(void)
{
    pieces_are_aligned_and_apart();
    what_cannot_be_counted_cannot_be_reserved();
    return check_done();
}
