/* A part is what was written, or it is refused. */
#include "store/part.h"

#include "check.h"
#include "fixture.h"

/* Block 1 of a grid, of runs 8 .. 15, every second of which is saved. */
struct written {
    struct fixture f;
    struct ml_layout layout;
    struct ml_block block;
    uint64_t sums[FIXTURE_RECORDS * 4];
};

static void write_part(struct written *w, struct ml_part *part)
{
    fixture_init(&w->f, FIXTURE_GRID);
    fixture_save(&w->f, 2, INT64_MAX);
    ml_layout_init(&w->layout, &w->f.study);
    w->block = fixture_block(&w->f, 1);
    for (int i = 0; i < FIXTURE_RECORDS * 4; i++)
        w->sums[i] = 0x0123456789abcdefu * (uint64_t)(i + 1);
    CHECK(ml_part_init(part, &w->layout, 1));
    ml_part_fill(part, &w->block, w->sums);
}

static void free_part(struct written *w, struct ml_part *part)
{
    fixture_block_free(&w->block);
    fixture_remove(&w->f);
    ml_part_close(part);
}

static void what_was_written_is_read(void)
{
    struct written w;
    struct ml_part part;
    struct ml_part_head head;
    write_part(&w, &part);
    CHECK(part.size % ML_PART_ALIGNMENT == 0 && !ml_part_damage(&part));
    memcpy(&head, part.bytes, sizeof head);
    CHECK(ml_part_is_head(&head) && ml_part_is_head_of(&w.layout, &head));
    CHECK(part.n_run == 8 && part.n_saved == 4);
    CHECK(memcmp(part.outcome, w.block.outcome, 8) == 0);
    CHECK(memcmp(part.steps, w.block.steps, 8 * sizeof *part.steps) == 0);
    CHECK(memcmp(part.end_time, w.block.end_time, 8 * sizeof *part.end_time) == 0);
    for (int i = 0; i < w.layout.results.n_output; i++)
        CHECK(memcmp(part.summary[i], w.block.summary[i],
                     8 * sizeof(double) * (size_t)ml_layout_output_rows(&w.layout, i)) == 0);
    const int n_record = ml_layout_records(&w.layout);
    CHECK(n_record == ml_saving_records(&w.f.study.ensemble.saving));
    CHECK(memcmp(part.sums, w.sums, (size_t)n_record * 4 * sizeof *w.sums) == 0);
    part.block = 2;
    CHECK(ml_part_damage(&part));
    w.layout.identity++;
    CHECK(!ml_part_is_head_of(&w.layout, &head));
    free_part(&w, &part);
}

static void every_flipped_bit_is_found(void)
{
    struct written w;
    struct ml_part part;
    write_part(&w, &part);
    for (size_t i = 0; i < 8 * part.size; i++) {
        CHECK_CASE("bit %zu of %zu bytes", i, part.size);
        part.bytes[i / 8] ^= (char)(1 << i % 8);
        CHECK(ml_part_damage(&part));
        part.bytes[i / 8] ^= (char)(1 << i % 8);
    }
    CHECK(!ml_part_damage(&part));
    free_part(&w, &part);
}

int main(void)
{
    what_was_written_is_read();
    every_flipped_bit_is_found();
    return check_done();
}
