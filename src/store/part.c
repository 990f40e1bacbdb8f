/* Packs a finished block into contiguous bytes with a checksum, checks it when it is read, and
 * makes blocks of runs that are missing. */
#include "store/part.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint64_t magic = 0x32747261706c6d; /* "mlpart2" */

/* Places `count` elements of `size` bytes, a multiple of 8 in all but the last, or counts them. */
static void *part_take(struct ml_part *part, int64_t count, size_t size)
{
    char *piece = part->bytes ? part->bytes + part->size : NULL;
    part->size += (size_t)count * size;
    return piece;
}

static void part_take_output(struct ml_part *part, int i)
{
    const int64_t n = part->n_run * ml_layout_output_rows(part->layout, i);
    double *piece = part_take(part, n, sizeof *piece);
    if (part->summary)
        part->summary[i] = piece;
}

/* Run twice: without memory it only counts. Ends with the checksum of the preceding bytes. */
static void part_lay_out(struct ml_part *part)
{
    const struct ml_layout *layout = part->layout;
    part->size = 0;
    (void)part_take(part, 1, sizeof(struct ml_part_head));
    part->end_time = part_take(part, part->n_run, sizeof *part->end_time);
    part->steps = part_take(part, part->n_run, sizeof *part->steps);
    for (int i = 0; i < layout->results.n_output; i++)
        part_take_output(part, i);
    part->sums = part_take(part, ml_layout_records(layout) * part->n_saved, sizeof *part->sums);
    part->outcome = part_take(part, part->n_run, sizeof *part->outcome);
    (void)part_take(part, -part->n_run & (ML_PART_ALIGNMENT - 1), 1);
    (void)part_take(part, 1, sizeof(XXH64_hash_t));
}

/* A part without memory. */
static void part_begin(struct ml_part *part, const struct ml_layout *layout, int64_t block)
{
    *part = (struct ml_part){
        .layout = layout,
        .block = block,
        .n_run = ml_layout_block_runs(layout, block),
        .n_saved = ml_layout_has_trajectories(layout) ? ml_layout_block_saved(layout, block) : 0,
    };
    part_lay_out(part);
}

bool ml_part_init(struct ml_part *part, const struct ml_layout *layout, int64_t block)
{
    part_begin(part, layout, block);
    part->bytes = calloc(1, part->size);
    part->summary = calloc((size_t)layout->results.n_output + 1, sizeof *part->summary);
    if (!part->bytes || !part->summary)
        return false;
    part_lay_out(part);
    return true;
}

void ml_part_close(struct ml_part *part)
{
    free(part->bytes);
    free(part->summary);
    *part = (struct ml_part){0};
}

static struct ml_part_head head_of(const struct ml_part *part, bool is_missing)
{
    return (struct ml_part_head){
        .magic = magic,
        .study = part->layout->identity,
        .size = part->size,
        .block = part->block,
        .first = ml_layout_block_first(part->layout, part->block),
        .n_run = part->n_run,
        .n_saved = part->n_saved,
        .is_missing = is_missing,
    };
}

static XXH64_hash_t checksum_of(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size - sizeof(XXH64_hash_t));
}

void ml_part_fill(struct ml_part *part, const struct ml_block *block, const uint64_t *sums)
{
    const struct ml_layout *layout = part->layout;
    const struct ml_part_head head = head_of(part, block->outcome[0] == ML_MISSING);
    const size_t n_run = (size_t)part->n_run;
    memcpy(part->bytes, &head, sizeof head);
    memcpy(part->outcome, block->outcome, n_run * sizeof *block->outcome);
    memcpy(part->steps, block->steps, n_run * sizeof *block->steps);
    memcpy(part->end_time, block->end_time, n_run * sizeof *block->end_time);
    for (int i = 0; i < layout->results.n_output; i++)
        memcpy(part->summary[i], block->summary[i],
               n_run * (size_t)ml_layout_output_rows(layout, i) * sizeof(double));
    if (part->n_saved > 0)
        memcpy(part->sums, sums,
               (size_t)(ml_layout_records(layout) * part->n_saved) * sizeof *sums);
    const XXH64_hash_t sum = checksum_of(part->bytes, part->size);
    memcpy(part->bytes + part->size - sizeof sum, &sum, sizeof sum);
}

bool ml_part_is_head(const struct ml_part_head *head)
{
    return head->magic == magic && head->size % ML_PART_ALIGNMENT == 0 &&
           head->size > sizeof *head && head->size < INT64_MAX / 2;
}

bool ml_part_is_head_of(const struct ml_layout *layout, const struct ml_part_head *head)
{
    struct ml_part part;
    if (!ml_part_is_head(head) || !ml_layout_has_block(layout, head->block))
        return false;
    part_begin(&part, layout, head->block);
    const struct ml_part_head expected = head_of(&part, head->is_missing);
    return memcmp(head, &expected, sizeof expected) == 0;
}

bool ml_part_is_whole(const void *bytes, size_t size)
{
    XXH64_hash_t sum;
    memcpy(&sum, (const char *)bytes + size - sizeof sum, sizeof sum);
    return sum == checksum_of(bytes, size);
}

const char *ml_part_damage(const struct ml_part *part)
{
    struct ml_part_head head;
    memcpy(&head, part->bytes, sizeof head);
    if (head.block != part->block || !ml_part_is_head_of(part->layout, &head))
        return "it holds other runs than it should";
    return ml_part_is_whole(part->bytes, part->size) ? NULL : "its checksum does not match";
}

/* Numbers of the largest dataset of a block. */
static size_t most_numbers(const struct ml_layout *layout)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    size_t most = (size_t)e->block_runs;
    for (int i = 0; i < layout->results.n_output; i++) {
        const size_t n = (size_t)e->block_runs * (size_t)ml_layout_output_rows(layout, i);
        most = n > most ? n : most;
    }
    for (int i = 0; i < ml_layout_records(layout); i++) {
        const size_t n = (size_t)ml_layout_block_most_saved(layout) *
                         ml_layout_run_bytes(layout, i) / sizeof(double);
        most = n > most ? n : most;
    }
    return most;
}

bool ml_missing_block_init(struct ml_missing_block *missing, const struct ml_layout *layout)
{
    const size_t n_run = (size_t)layout->study->ensemble.block_runs, n = most_numbers(layout);
    struct ml_block *block = &missing->block;
    *missing = (struct ml_missing_block){.layout = layout};
    missing->nan = malloc(n * sizeof *missing->nan);
    block->outcome = malloc(n_run * sizeof *block->outcome);
    block->steps = calloc(n_run, sizeof *block->steps);
    block->summary = calloc((size_t)layout->results.n_output + 1, sizeof *block->summary);
    block->records = calloc((size_t)ml_layout_records(layout) + 1, sizeof *block->records);
    if (!missing->nan || !block->outcome || !block->steps || !block->summary || !block->records)
        return false;
    for (size_t i = 0; i < n; i++)
        missing->nan[i] = (double)NAN;
    memset(block->outcome, ML_MISSING, n_run * sizeof *block->outcome);
    block->end_time = missing->nan;
    for (int i = 0; i < layout->results.n_output; i++)
        block->summary[i] = missing->nan;
    for (int i = 0; i < ml_layout_records(layout); i++)
        block->records[i] = missing->nan;
    return true;
}

void ml_missing_block_free(struct ml_missing_block *missing)
{
    free(missing->nan);
    free(missing->block.outcome);
    free(missing->block.steps);
    free(missing->block.summary);
    free(missing->block.records);
    *missing = (struct ml_missing_block){0};
}

const struct ml_block *ml_missing_block_of(struct ml_missing_block *missing, int64_t index)
{
    const struct ml_layout *layout = missing->layout;
    struct ml_block *block = &missing->block;
    block->index = index;
    block->first = ml_layout_block_first(layout, index);
    block->n_run = ml_layout_block_runs(layout, index);
    block->n_saved = ml_layout_has_trajectories(layout) ? ml_layout_block_saved(layout, index) : 0;
    return block;
}
