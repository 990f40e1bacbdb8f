/* Compares runs that were computed again with the numbers that a result has of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "plan/datasets.h"
#include "run/donor.h"

enum { MOST_NAMED = 8 }; /* datasets */

/* Runs in which a dataset differs. */
struct donor_count {
    const char *name;
    int64_t n, first;
};

/* One comparison: outcome, steps and end_time, then the study's outputs and records. */
struct donor_comparison {
    struct ml_donor *donor;
    struct ml_layout layout; /* of the whole study */
    struct donor_count *counts;
    int n_count;
    int64_t n_run;
};

enum { COUNT_OUTCOME, COUNT_STEPS, COUNT_END_TIME, FIRST_OUTPUT };

static void count_difference(struct donor_count *count, bool differs, int64_t run)
{
    count->first = differs && count->n == 0 ? run : count->first;
    count->n += differs;
}

/* NaN and all. */
static bool has_other_bits(const double *a, const double *b, int64_t n)
{
    return memcmp((const void *)a, (const void *)b, (size_t)n * sizeof *a) != 0;
}

/* Compares the trajectories of a run that both keep, by their checksums. */
static void compare_records(struct donor_comparison *c, const struct ml_part *part, int64_t run)
{
    const struct ml_donor *donor = c->donor;
    const struct ml_block *from = &donor->source.block;
    const struct ml_saving *saving = &donor->study->ensemble.saving;
    const struct ml_saving *saving_there = &donor->of.study->ensemble.saving;
    if (!ml_saving_keeps(saving, run) || !ml_saving_keeps(saving_there, donor->run[run]))
        return;
    const int64_t first = ml_layout_block_first(part->layout, part->block);
    const int64_t i = ml_saving_index(saving, run) - ml_saving_index(saving, first);
    const int64_t j =
        ml_saving_index(saving_there, donor->run[run]) - ml_saving_index(saving_there, from->first);
    for (int k = 0; k < ml_layout_records(&c->layout); k++) {
        const size_t size = ml_layout_run_bytes(&c->layout, k);
        const int at = donor->record[k];
        struct donor_count *count = &c->counts[FIRST_OUTPUT + donor->study->results.n_output + k];
        if (at >= 0)
            count_difference(count,
                             XXH3_64bits((const char *)from->records[at] + (size_t)j * size,
                                         size) != part->sums[k * part->n_saved + i],
                             run);
    }
}

/* Compares a run with the donor's, which is loaded. */
static void compare_run(struct donor_comparison *c, const struct ml_part *part, int64_t run)
{
    const struct ml_donor *donor = c->donor;
    const struct ml_block *from = &donor->source.block;
    const struct ml_ensemble *e = &donor->study->ensemble;
    const int64_t j = donor->run[run] - from->first;
    const int64_t i = run - ml_layout_block_first(part->layout, part->block);
    c->n_run++;
    count_difference(&c->counts[COUNT_OUTCOME], part->outcome[i] != from->outcome[j], run);
    count_difference(&c->counts[COUNT_STEPS], part->steps[i] != from->steps[j], run);
    count_difference(&c->counts[COUNT_END_TIME],
                     has_other_bits(&part->end_time[i], &from->end_time[j], 1), run);
    for (int o = 0; o < donor->study->results.n_output; o++) {
        const char *name = donor->study->results.outputs[o].name;
        const int64_t n = ml_layout_output_rows(&c->layout, o);
        const int at = donor->output[o];
        if (at < 0 || donor->source.older[at] || ml_event_is_label(e->n_event, e->events, name))
            continue;
        count_difference(&c->counts[FIRST_OUTPUT + o],
                         has_other_bits(part->summary[o] + i * n, from->summary[at] + j * n, n),
                         run);
    }
    compare_records(c, part, run);
}

static enum ml_status compare_block(struct donor_comparison *c, const struct ml_store *store,
                                    int64_t block, struct ml_error *err)
{
    struct ml_part part;
    const int64_t first = ml_layout_block_first(&c->layout, block);
    enum ml_status status = ml_store_read(store, block, &part, err);
    for (int64_t i = 0; status == ML_OK && i < part.n_run; i++) {
        if (c->donor->run[first + i] < 0)
            continue;
        status = ml_donor_load(c->donor, c->donor->run[first + i], err);
        if (status == ML_OK)
            compare_run(c, &part, first + i);
    }
    ml_part_close(&part);
    return status;
}

/* "end_angle in 3 runs, the first is run 7"; NULL without differences or memory. */
static char *describe(const struct donor_comparison *c)
{
    char text[MOST_NAMED * 2 * ML_NAME_LENGTH] = "";
    size_t used = 0;
    int n = 0;
    for (int i = 0; i < c->n_count; i++) {
        const struct donor_count *count = &c->counts[i];
        if (count->n == 0 || n++ >= MOST_NAMED)
            continue;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%s in %lld run%s (%s%lld)", n > 1 ? ", " : "",
            count->name, (long long)count->n, count->n > 1 ? "s" : "",
            count->n > 1 ? "the first is run " : "run ", (long long)count->first);
        used = used < sizeof text ? used : sizeof text - 1;
    }
    if (n > MOST_NAMED)
        (void)snprintf(text + used, sizeof text - used, ", and %d more datasets", n - MOST_NAMED);
    return n > 0 ? strdup(text) : NULL;
}

static bool comparison_begin(struct donor_comparison *c, struct ml_donor *donor)
{
    const char *const own[] = {ml_dataset_name(ML_DATA_RUNS_OUTCOME),
                               ml_dataset_name(ML_DATA_RUNS_STEPS),
                               ml_dataset_name(ML_DATA_RUNS_END_TIME)};
    const int n_output = donor->study->results.n_output;
    *c = (struct donor_comparison){.donor = donor};
    ml_layout_init(&c->layout, donor->study);
    c->n_count = FIRST_OUTPUT + n_output + ml_layout_records(&c->layout);
    c->counts = calloc((size_t)c->n_count, sizeof *c->counts);
    for (int i = 0; c->counts && i < c->n_count; i++)
        c->counts[i].name = i < FIRST_OUTPUT ? own[i]
                            : i < FIRST_OUTPUT + n_output
                                ? donor->study->results.outputs[i - FIRST_OUTPUT].name
                                : ml_layout_quantity(&c->layout, i - FIRST_OUTPUT - n_output)->name;
    return c->counts != NULL;
}

enum ml_status ml_donor_compare(struct ml_donor *donor, const struct ml_store *store,
                                struct ml_shard shard, int64_t *n, char **differences,
                                struct ml_error *err)
{
    struct donor_comparison c;
    enum ml_status status = comparison_begin(&c, donor) ? ML_OK : ML_E_MEMORY;
    const int64_t n_block = ml_ensemble_blocks(&donor->study->ensemble);
    const int64_t n_own = ml_shard_blocks(shard, n_block);
    for (int64_t j = 0; status == ML_OK && j < n_own; j++)
        status = compare_block(&c, store, ml_shard_block(shard, j), err);
    *differences = status == ML_OK ? describe(&c) : NULL;
    *n = c.n_run;
    free(c.counts);
    ml_layout_free(&c.layout);
    return status;
}
