#include "h5/h5.h"

#include "check.h"

/* Marks each element of the box; elements are met in row order iff `next` counts up. */
static unsigned long long mark(const struct ml_extent *e, const struct ml_extent *start,
                               const struct ml_extent *count, unsigned long long next)
{
    unsigned long long n = 1;
    for (int k = 0; k < e->rank; k++) {
        CHECK(start->size[k] + count->size[k] <= e->size[k]);
        n *= count->size[k];
    }
    for (unsigned long long i = 0; i < n; i++) {
        unsigned long long rest = i, linear = 0, stride = 1;
        for (int k = e->rank - 1; k >= 0; k--) {
            linear += (start->size[k] + rest % count->size[k]) * stride;
            rest /= count->size[k];
            stride *= e->size[k];
        }
        CHECK(linear == next);
        next++;
    }
    return next;
}

static void boxes_cover_a_range_in_row_order(void)
{
    struct ml_extent extents[] = {{0, {0}}, {1, {7}}, {2, {3, 5}}, {3, {3, 4, 5}}, {3, {4, 1, 3}}};
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        unsigned long long all = 1;
        for (int k = 0; k < extents[i].rank; k++)
            all *= extents[i].size[k];
        for (unsigned long long first = 0; first < all; first++)
            for (unsigned long long n = 1; first + n <= all; n++) {
                CHECK_CASE("extent %zu, %llu from %llu", i, n, first);
                unsigned long long at = first, left = n, next = first;
                int boxes = 0;
                struct ml_extent start, count;
                for (; ml_extent_next_box(&extents[i], &at, &left, &start, &count); boxes++)
                    next = mark(&extents[i], &start, &count, next);
                CHECK(next == first + n && at == first + n);
                CHECK(boxes <= 2 * extents[i].rank - 1 || extents[i].rank == 0);
            }
    }
}

static void chunks_are_consecutive_ranges_below_the_limit(void)
{
    struct ml_extent extent = {3, {10, 20, 30}};
    struct {
        unsigned long long limit, expected[3];
    } cases[] = {{6000, {10, 20, 30}}, {1300, {2, 20, 30}}, {600, {1, 20, 30}},
                 {599, {1, 10, 30}},   {29, {1, 1, 15}},    {1, {1, 1, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_CASE("limit %llu", cases[i].limit);
        struct ml_extent chunk = ml_extent_chunk(&extent, cases[i].limit);
        for (int k = 0; k < 3; k++)
            CHECK(chunk.size[k] == cases[i].expected[k]);
    }
}

/* Chunks are stored whole: what the last ones have beyond the dataset is lost. */
static void chunks_waste_little(void)
{
    static const struct ml_extent extents[] = {
        {1, {32769}}, {1, {100000}},   {2, {100, 32769}}, {3, {3, 128, 128}}, {2, {60, 601}},
        {1, {98303}}, {2, {7, 16384}}, {2, {1000, 33}},   {1, {1000003}}};
    for (size_t i = 0; i < sizeof extents / sizeof *extents; i++) {
        const struct ml_extent chunk = ml_extent_chunk(&extents[i], 32768);
        double stored = 1.0, size = 1.0;
        for (int k = 0; k < chunk.rank; k++) {
            const double c = (double)chunk.size[k], all = (double)extents[i].size[k];
            stored *= ceil(all / c) * c;
            size *= all;
        }
        CHECK_CASE("extent %zu", i);
        CHECK_ERROR(stored / size - 1.0, 0.02);
    }
}

int main(void)
{
    chunks_waste_little();
    boxes_cover_a_range_in_row_order();
    chunks_are_consecutive_ranges_below_the_limit();
    return check_done();
}
