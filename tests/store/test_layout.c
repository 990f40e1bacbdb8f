#include "store/layout.h"

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
                for (; ml_layout_next_box(&extents[i], &at, &left, &start, &count); boxes++)
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
                 {599, {1, 19, 30}},   {29, {1, 1, 29}},    {1, {1, 1, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_CASE("limit %llu", cases[i].limit);
        struct ml_extent chunk = ml_layout_chunk(&extent, cases[i].limit);
        for (int k = 0; k < 3; k++)
            CHECK(chunk.size[k] == cases[i].expected[k]);
    }
}

/* A study with trajectories of n_sample samples, block_runs runs per block. */
static struct ml_study study_with(int64_t n_run, int64_t block_runs, int64_t run_every,
                                  int64_t run_first, int64_t n_sample)
{
    const struct ml_kernels *kernels = ml_kernels_at(0);
    struct ml_study study = {.resolved = (char *)""};
    study.ensemble = (struct ml_ensemble){.kernels = kernels,
                                          .system = kernels->registry->systems[0],
                                          .shape = {.n = 2},
                                          .n_step = n_sample - 1,
                                          .n_run = n_run,
                                          .block_runs = block_runs,
                                          .saving = {1, run_every, run_first, 1}};
    return study;
}

static void blocks_hold_all_saved_runs_in_order(void)
{
    static const int64_t runs[] = {1, 7, 64, 1000}, everies[] = {1, 2, 3, 8, 100},
                         firsts[] = {1, 5, 64, 100000};
    for (int i = 0; i < 4 * 5 * 4; i++) {
        int64_t n_run = runs[i % 4], every = everies[i / 4 % 5], first = firsts[i / 20];
        struct ml_study study = study_with(n_run, 24, every, first, 5);
        struct ml_layout layout;
        CHECK_CASE("%lld runs every %lld below %lld", (long long)n_run, (long long)every,
                   (long long)first);
        ml_layout_init(&layout, &study);
        int64_t saved = 0, most = 0;
        for (int64_t b = 0; b < layout.n_block; b++) {
            int64_t here = ml_layout_block_saved(&layout, b);
            CHECK(ml_layout_saved_before(&layout, b) == saved);
            for (int64_t k = 0; k < here; k++) {
                int64_t run = ml_layout_block_saved_run(&layout, b, k);
                CHECK(ml_layout_saved_run(&layout, saved + k) == run);
                CHECK(ml_saving_keeps(&study.ensemble.saving, run) && run / 24 == b);
                CHECK(ml_saving_index(&study.ensemble.saving, run) == saved + k);
            }
            saved += here;
            most = here > most ? here : most;
        }
        CHECK(saved == layout.n_saved);
        CHECK(ml_layout_block_most_saved(&layout) >= most);
        CHECK(ml_layout_block_most_saved(&layout) <= 24);
    }
}

/* Every block is in one shard, every lot of blocks in all of them, and rows follow one another. */
static void shards_share_out_all_blocks(void)
{
    static const int64_t counts[] = {2, 3, 4, 7, 40, 90};
    for (int c = 0; c < 6; c++) {
        const int64_t n = counts[c];
        struct ml_study study = study_with(1000, 24, 7, 900, 5); /* 42 blocks */
        int taken[42] = {0};
        int64_t n_run = 0, n_saved = 0;
        for (int64_t i = 0; i < n; i++) {
            struct ml_layout layout;
            CHECK_CASE("shard %lld of %lld", (long long)i, (long long)n);
            CHECK(ml_layout_init_shard(&layout, &study, (struct ml_shard){i, n}));
            CHECK(layout.n_block == 42 / n || layout.n_block == 42 / n + 1);
            int64_t row = 0, saved = 0;
            for (int64_t j = 0; j < layout.n_block; j++) {
                const int64_t block = ml_layout_block(&layout, j);
                CHECK(block / n == j && block < 42 && ml_layout_has_block(&layout, block));
                CHECK(ml_shard_of_block(n, block) == i);
                taken[block]++;
                CHECK(ml_layout_block_row(&layout, block) == row);
                for (int64_t k = 0; k < ml_layout_block_runs(&layout, block); k++, row++)
                    CHECK(ml_layout_run(&layout, row) == 24 * block + k);
                CHECK(ml_layout_saved_before(&layout, block) == saved);
                for (int64_t k = 0; k < ml_layout_block_saved(&layout, block); k++, saved++)
                    CHECK(ml_layout_saved_run(&layout, saved) ==
                          ml_layout_block_saved_run(&layout, block, k));
            }
            CHECK(row == layout.n_run && saved == layout.n_saved);
            n_run += row;
            n_saved += saved;
            ml_layout_free(&layout);
        }
        CHECK(n_run == 1000 && n_saved == 129);
        for (int b = 0; b < 42; b++)
            CHECK(taken[b] == 1);
    }
}

/* What a damaged or forged file says of its shard is looked at before anything grows with it. */
static void shards_that_cannot_be_are_none(void)
{
    static const struct ml_shard bad[] = {
        {0, 0}, {-1, 4}, {4, 4}, {0, ML_RUN_MAX_SHARDS + 1}, {0, INT64_MAX}};
    CHECK(ml_shard_is_possible((struct ml_shard){ML_RUN_MAX_SHARDS - 1, ML_RUN_MAX_SHARDS}, 16,
                               1000));
    CHECK(!ml_shard_is_possible((struct ml_shard){0, 2}, 0, 1000));
    CHECK(!ml_shard_is_possible((struct ml_shard){0, 2}, 1, INT64_MAX));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_CASE("shard %lld of %lld", (long long)bad[i].index, (long long)bad[i].count);
        CHECK(!ml_shard_is_one(bad[i]) && !ml_shard_is_possible(bad[i], 16, 1000));
    }
}

/* A grid whose rows are as long as there are shards gives no shard a column of its own. */
static void shards_do_not_get_columns(void)
{
    for (int64_t n = 3; n < 70; n++) {
        int in_column = 0;
        CHECK_CASE("%lld shards", (long long)n);
        for (int64_t j = 0; j < n; j++)
            in_column += ml_shard_block((struct ml_shard){1, n}, j) % n == 0;
        CHECK(in_column <= n / 2);
    }
}

int main(void)
{
    shards_share_out_all_blocks();
    shards_that_cannot_be_are_none();
    shards_do_not_get_columns();
    boxes_cover_a_range_in_row_order();
    chunks_are_consecutive_ranges_below_the_limit();
    blocks_hold_all_saved_runs_in_order();
    return check_done();
}
