/* Makes blocks of NaN and the outcome "missing", for a merge without all shards. */
#include "store/missing_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the largest dataset of a block. */
static size_t most_numbers(const struct ml_layout *layout)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    size_t most = (size_t)e->block_runs;
    for (int i = 0; i < layout->results.n_output; i++) {
        const size_t n = (size_t)e->block_runs * (size_t)ml_layout_output_rows(layout, i);
        most = n > most ? n : most;
    }
    for (int i = 0; ml_layout_has_trajectories(layout) && i < ml_ensemble_records(e); i++) {
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
    block->summary = calloc(ML_MAX_OUTPUT, sizeof *block->summary);
    block->records = calloc(ML_MAX_RECORDS, sizeof *block->records);
    if (!missing->nan || !block->outcome || !block->steps || !block->summary || !block->records)
        return false;
    for (size_t i = 0; i < n; i++)
        missing->nan[i] = (double)NAN;
    memset(block->outcome, ML_MISSING, n_run * sizeof *block->outcome);
    block->end_time = missing->nan;
    for (int i = 0; i < ML_MAX_OUTPUT; i++)
        block->summary[i] = missing->nan;
    for (int i = 0; i < ML_MAX_RECORDS; i++)
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
