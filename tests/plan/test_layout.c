#include "plan/layout.h"

#include "check.h"

/* A study with trajectories of n_sample samples, block_runs runs per block. */
static struct ml_study study_with(int64_t n_run, int64_t block_runs, int64_t run_every,
                                  int64_t run_first, int64_t n_sample)
{
    static const int first = 0;
    static int64_t no_rows[1];
    const struct ml_kernels *kernels = ml_kernels_at(0);
    struct ml_study study = {.resolved = (char *)""};
    study.ensemble =
        (struct ml_ensemble){.method = ml_methods[0],
                             .kernels = kernels,
                             .model = {.system = kernels->registry->systems[0], .n = 2},
                             .time.n_step = n_sample - 1,
                             .n_run = n_run,
                             .block_runs = block_runs,
                             .saving = {1, run_every, run_first, &first, 1}};
    study.results.first = no_rows;
    study.results.n_sample = n_sample;
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
    blocks_hold_all_saved_runs_in_order();
    return check_done();
}
