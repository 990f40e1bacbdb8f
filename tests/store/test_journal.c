/* A journal gives back what was put, and what is damaged in it is not there. */
#include "store/journal.h"

#include <sys/stat.h>

#include "check.h"
#include "fixture.h"

enum { N_BLOCK = 11 };

static void put_all(struct fixture *f, struct ml_layout *layout)
{
    struct ml_journal journal;
    fixture_init(f, FIXTURE_GRID);
    ml_layout_init(layout, &f->study);
    CHECK(ml_journal_open(&journal, layout, f->folder, NULL) == ML_OK);
    for (int64_t i = 0; i < N_BLOCK; i++) {
        struct ml_block block = fixture_block(f, i);
        CHECK(!ml_journal_has(&journal, i));
        CHECK(ml_journal_write(&journal, &block, NULL, NULL) == ML_OK);
        CHECK(ml_journal_has(&journal, i));
        fixture_block_free(&block);
    }
    CHECK(ml_journal_sync(&journal, NULL) == ML_OK);
    ml_journal_close(&journal);
}

/* The bytes of the only journal in the folder, to be freed, and its path. */
static char *read_journal(const struct fixture *f, char path[256], size_t *size)
{
    char command[256];
    (void)snprintf(command, sizeof command, "ls %s/blocks-*", f->folder);
    FILE *list = popen(command, "r");
    CHECK(list && fgets(path, 256, list) && pclose(list) == 0);
    path[strcspn(path, "\n")] = '\0';
    struct stat about = {0};
    CHECK(stat(path, &about) == 0);
    *size = (size_t)about.st_size;
    char *bytes = malloc(*size);
    FILE *file = fopen(path, "rb");
    CHECK(bytes && file && fread(bytes, 1, *size, file) == *size && fclose(file) == 0);
    return bytes;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* How many blocks are there, every one of them whole. */
static int count(const struct fixture *f, const struct ml_layout *layout, int64_t *n_damaged)
{
    struct ml_journal journal;
    int n = 0;
    CHECK(ml_journal_open(&journal, layout, f->folder, NULL) == ML_OK);
    for (int64_t i = 0; i < N_BLOCK; i++) {
        struct ml_part part;
        if (!ml_journal_has(&journal, i))
            continue;
        struct ml_block block = fixture_block(f, i);
        CHECK(ml_journal_get(&journal, i, &part, NULL) == ML_OK);
        CHECK(memcmp(part.steps, block.steps, (size_t)block.n_run * sizeof *block.steps) == 0);
        CHECK(memcmp(part.summary[0], block.summary[0], (size_t)block.n_run * sizeof(double)) == 0);
        ml_part_close(&part);
        fixture_block_free(&block);
        n++;
    }
    *n_damaged = journal.n_damaged;
    ml_journal_close(&journal);
    return n;
}

static void what_was_put_is_there(void)
{
    struct fixture f;
    struct ml_layout layout;
    int64_t n_damaged;
    put_all(&f, &layout);
    CHECK(count(&f, &layout, &n_damaged) == N_BLOCK && n_damaged == 0);
    fixture_remove(&f);
}

/* Of a cut journal the parts before the cut are there, of one with a flipped bit all others. */
static void only_what_is_damaged_is_missing(void)
{
    struct fixture f;
    struct ml_layout layout;
    char path[256];
    size_t size;
    int64_t n_damaged;
    put_all(&f, &layout);
    char *bytes = read_journal(&f, path, &size);
    struct ml_part part;
    CHECK(ml_part_init(&part, &layout, 0));
    const size_t one = part.size; /* of all blocks but the last, which is short */
    ml_part_close(&part);
    for (size_t n = 0; n < size; n += 37) {
        CHECK_CASE("%zu of %zu bytes", n, size);
        write_file(path, bytes, n);
        CHECK(count(&f, &layout, &n_damaged) == (int)(n / one) && n_damaged == (n % one > 0));
    }
    for (size_t i = 0; i < 8 * size; i += 101) {
        CHECK_CASE("bit %zu of %zu bytes", i, size);
        bytes[i / 8] ^= (char)(1 << i % 8);
        write_file(path, bytes, size);
        CHECK(count(&f, &layout, &n_damaged) == N_BLOCK - 1 && n_damaged == 1);
        bytes[i / 8] ^= (char)(1 << i % 8);
    }
    /* What is inserted or left out shifts the parts after it. */
    for (size_t gap = 8; gap < 3 * one; gap += 904) {
        char *more = calloc(1, size + gap);
        CHECK_CASE("%zu bytes inserted", gap);
        memcpy(more, bytes, 2 * one);
        memcpy(more + 2 * one + gap, bytes + 2 * one, size - 2 * one);
        write_file(path, more, size + gap);
        CHECK(count(&f, &layout, &n_damaged) == N_BLOCK && n_damaged == 1);
        free(more);
    }
    free(bytes);
    fixture_remove(&f);
    CHECK_CASE("%s", "");
}

/* Several processes' journals are read together. */
static void journals_add_up(void)
{
    struct fixture f;
    struct ml_layout layout;
    char path[256], other[300];
    size_t size;
    int64_t n_damaged;
    put_all(&f, &layout);
    char *bytes = read_journal(&f, path, &size);
    const size_t half = size / 16 * 8;
    (void)snprintf(other, sizeof other, "%s-2", path);
    write_file(path, bytes, half);
    write_file(other, bytes + half, size - half);
    CHECK(count(&f, &layout, &n_damaged) == N_BLOCK - 1 && n_damaged == 2);
    write_file(other, bytes, size);
    CHECK(count(&f, &layout, &n_damaged) == N_BLOCK && n_damaged == 1);
    free(bytes);
    fixture_remove(&f);
}

static void a_journal_that_is_removed_is_missed(void)
{
    struct fixture f;
    struct ml_layout layout;
    struct ml_journal journal;
    struct ml_error err = {0};
    char command[300];
    fixture_init(&f, FIXTURE_GRID);
    ml_layout_init(&layout, &f.study);
    CHECK(ml_journal_open(&journal, &layout, f.folder, NULL) == ML_OK);
    struct ml_block block = fixture_block(&f, 3);
    CHECK(ml_journal_write(&journal, &block, NULL, &err) == ML_OK);
    (void)snprintf(command, sizeof command, "rm %s/blocks-*", f.folder);
    CHECK(system(command) == 0);
    CHECK(ml_journal_write(&journal, &block, NULL, &err) == ML_E_FILE);
    CHECK(err.text && strstr(err.text, "was removed while it was written"));
    ml_error_clear(&err);
    fixture_block_free(&block);
    ml_journal_close(&journal);
    fixture_remove(&f);
}

int main(void)
{
    what_was_put_is_there();
    only_what_is_damaged_is_missing();
    journals_add_up();
    a_journal_that_is_removed_is_missed();
    return check_done();
}
