/* A part is what was written, or it is refused. */
#include "store/part.h"

#include "check.h"
#include "fixture.h"

static const char path[] = "test_part.bin";

/* Block 1 of a grid, of runs 8 .. 15, every second of which is saved. */
struct written {
    struct fixture f;
    struct ml_layout layout;
    struct ml_block block;
    uint64_t sums[4];
    struct ml_checksums checksums;
};

static void write_part(struct written *w)
{
    fixture_init(&w->f, FIXTURE_GRID);
    fixture_remove(&w->f); /* only its numbers are used */
    fixture_save(&w->f, 2, INT64_MAX);
    ml_layout_init(&w->layout, &w->f.study);
    w->block = fixture_block(&w->f, 1);
    for (int i = 0; i < 4; i++)
        w->sums[i] = 0x0123456789abcdefu * (uint64_t)(i + 1);
    for (int i = 0; i < ML_MAX_RECORDS; i++)
        w->checksums.of[i] = w->sums;
    CHECK(ml_part_write(&w->layout, &w->block, &w->checksums, path, NULL) == ML_OK);
}

static void free_part(struct written *w)
{
    fixture_block_free(&w->block);
    CHECK(unlink(path) == 0);
}

static enum ml_status open_part(const struct written *w, int64_t block)
{
    struct ml_part part;
    enum ml_status status = ml_part_open(&part, &w->layout, block, path, NULL);
    ml_part_close(&part);
    return status;
}

static void what_was_written_is_read(void)
{
    struct written w;
    struct ml_part part;
    write_part(&w);
    CHECK(ml_part_open(&part, &w.layout, 1, path, NULL) == ML_OK);
    CHECK(part.n_run == 8 && part.n_saved == 4);
    CHECK(memcmp(part.outcome, w.block.outcome, 8) == 0);
    CHECK(memcmp(part.steps, w.block.steps, 8 * sizeof *part.steps) == 0);
    CHECK(memcmp(part.end_time, w.block.end_time, 8 * sizeof *part.end_time) == 0);
    for (int i = 0; i < w.layout.results.n_output; i++)
        CHECK(memcmp(part.summary[i], w.block.summary[i],
                     8 * sizeof(double) * (size_t)ml_layout_output_rows(&w.layout, i)) == 0);
    for (int i = 0; i < w.f.study.ensemble.system->n_record; i++)
        CHECK(memcmp(part.checksums.of[i], w.sums, sizeof w.sums) == 0);
    ml_part_close(&part);
    CHECK(open_part(&w, 2) == ML_E_FILE);
    w.layout.identity++;
    CHECK(open_part(&w, 1) == ML_E_FILE);
    free_part(&w);
}

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Every bit, every length. */
static void a_damaged_part_is_refused(void)
{
    struct written w;
    static char bytes[1 << 16];
    write_part(&w);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    CHECK(file && fclose(file) == 0 && size > 500 && size < sizeof bytes);
    for (size_t i = 0; i < 8 * size; i++) {
        CHECK_CASE("bit %zu of %zu bytes", i, size);
        bytes[i / 8] ^= (char)(1 << i % 8);
        write_file(bytes, size);
        CHECK(open_part(&w, 1) == ML_E_FILE);
        bytes[i / 8] ^= (char)(1 << i % 8);
    }
    for (size_t n = 0; n <= size + 1; n++) {
        CHECK_CASE("%zu of %zu bytes", n, size);
        write_file(bytes, n);
        CHECK(open_part(&w, 1) == (n == size ? ML_OK : ML_E_FILE));
    }
    free_part(&w);
}

int main(void)
{
    what_was_written_is_read();
    a_damaged_part_is_refused();
    return check_done();
}
