/* How far results are, whatever is beside them. */
#include <sys/stat.h>

#include "check.h"
#include "fixture.h"
#include "manylink/result.h"

/* Begins a shard of a fixture's study at `path`; to be closed, which removes what has no block. */
static struct ml_store *begin(const struct fixture *f, struct ml_shard shard, const char *path)
{
    const struct ml_store_options options = {.shard = shard};
    struct ml_store *store;
    enum ml_store_state state;
    CHECK(ml_store_open(&f->study, path, &options, &store, &state, NULL) == ML_OK);
    return store;
}

static void says(const char *path, const char *words)
{
    char *text;
    CHECK(ml_result_status(path, &text, NULL) == ML_OK);
    CHECK(text && strstr(text, words));
    if (text && !strstr(text, words))
        (void)fputs(text, stderr);
    free(text);
}

static void shards_of_a_larger_study_do_not_count(void)
{
    struct fixture small, large;
    char path[160];
    fixture_init(&small, FIXTURE_GRID); /* 11 blocks */
    fixture_init(&large, FIXTURE_LONG);
    (void)snprintf(path, sizeof path, "%s/out.shard-0-of-2.h5", small.folder);
    struct ml_store *first = begin(&small, (struct ml_shard){0, 2}, path);
    (void)snprintf(path, sizeof path, "%s/out.shard-1-of-2.h5", small.folder);
    struct ml_store *second = begin(&large, (struct ml_shard){1, 2}, path);
    says(small.path, "0 of 11 blocks are done");
    ml_store_close(first);
    ml_store_close(second);
    fixture_remove(&large);
    fixture_remove(&small);
}

/* Neither are so many blocks counted, nor do their numbers overflow. */
static void sizes_that_no_study_has_are_not_believed(void)
{
    static const char *const sizes[] = {"1 of 900000000", "16 of 9223372036854775807", "0 of 84",
                                        "8 of 0", "8 of -84"};
    struct fixture f;
    char command[320];
    fixture_init(&f, FIXTURE_GRID);
    struct ml_store *store = begin(&f, ML_UNSHARDED, f.path);
    says(f.path, "0 of 11 blocks are done");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK_CASE("%s", sizes[i]);
        (void)snprintf(command, sizeof command,
                       "sed -i '2s/.*/# blocks of %s runs/' %s.parts/*.yaml", sizes[i], f.path);
        CHECK(system(command) == 0);
        says(f.path, "0 of 0 blocks are done");
    }
    ml_store_close(store);
    fixture_remove(&f);
}

/* A list of all of them would not fit. */
static void names_of_too_many_shards_are_not_believed(void)
{
    struct fixture f;
    char path[160];
    char *text = NULL;
    fixture_init(&f, FIXTURE_GRID);
    (void)snprintf(path, sizeof path, "%s/out.shard-0-of-1048576.h5.parts", f.folder);
    CHECK(mkdir(path, 0777) == 0);
    says(f.path, "0 of 1048576 shards are finished");
    CHECK(rmdir(path) == 0);
    (void)snprintf(path, sizeof path, "%s/out.shard-0-of-1048577.h5.parts", f.folder);
    CHECK(mkdir(path, 0777) == 0);
    CHECK(ml_result_status(f.path, &text, NULL) == ML_E_INPUT); /* nothing of it, and no study */
    CHECK(!text);
    free(text);
    CHECK(rmdir(path) == 0);
    fixture_remove(&f);
}

int main(void)
{
    shards_of_a_larger_study_do_not_count();
    sizes_that_no_study_has_are_not_believed();
    names_of_too_many_shards_are_not_believed();
    return check_done();
}
