/* Finds the runs of a study in a finished result by their values, and copies or compares their
 * numbers. The bits of a run follow from its values alone, whatever runs are beside it. */
#include "run/donor.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/fail.h"
#include "base/path.h"
#include "plan/study_change.h"
#include "store/result_h5.h"

/* Values of runs of both studies, of the numbers that both have. */
struct donor_values {
    const struct ml_study *donor, *study;
    int n;               /* numbers that both have */
    int *of_donor, *own; /* [n] their slots */
    double *values;      /* [slots of the larger] scratch */
    double *a, *b;       /* [n] */
};

/* Runs of the donor by their values: open addressing. */
struct donor_table {
    struct donor_entry {
        uint64_t hash;
        int64_t run; /* -1: empty */
        bool is_used;
    } * entries;
    size_t size; /* a power of two, at least twice the runs */
    int64_t n;   /* different runs */
};

static void donor_gather(const struct ml_study *study, const int *slots, int n, int64_t run,
                         double *values, double *out)
{
    study->ensemble.values(study->ensemble.context, run, values);
    for (int i = 0; i < n; i++)
        out[i] = values[slots[i]];
}

/* Slot of a name, near a guess if possible; -1: none. */
static int find_slot(const struct ml_study_spec *spec, const char *name, int guess)
{
    if (guess < spec->n_value && strcmp(spec->value_names[guess], name) == 0)
        return guess;
    for (int i = 0; i < spec->n_value; i++)
        if (strcmp(spec->value_names[i], name) == 0)
            return i;
    return -1;
}

static bool values_begin(struct donor_values *v, struct ml_pool *pool, const struct ml_study *donor,
                         const struct ml_study *study)
{
    const size_t n_own = (size_t)study->spec.n_value, n_donor = (size_t)donor->spec.n_value;
    *v = (struct donor_values){.donor = donor, .study = study};
    v->of_donor = ml_pool_take(pool, n_own + 1, sizeof *v->of_donor);
    v->own = ml_pool_take(pool, n_own + 1, sizeof *v->own);
    v->values = ml_pool_take(pool, (n_own > n_donor ? n_own : n_donor) + 1, sizeof *v->values);
    v->a = ml_pool_take(pool, n_own + 1, sizeof *v->a);
    v->b = ml_pool_take(pool, n_own + 1, sizeof *v->b);
    if (pool->is_short)
        return false;
    for (int i = 0, shift = 0; i < study->spec.n_value; i++) {
        const int slot = find_slot(&donor->spec, study->spec.value_names[i], i + shift);
        shift = slot < 0 ? shift - 1 : slot - i;
        shift = i + 1 + shift < 0 ? -i - 1 : shift;
        if (slot < 0)
            continue;
        v->of_donor[v->n] = slot;
        v->own[v->n++] = i;
    }
    return true;
}

static bool has_values(const struct donor_values *v, int64_t donor_run, const double *values)
{
    donor_gather(v->donor, v->of_donor, v->n, donor_run, v->values, v->b);
    return memcmp(v->b, values, (size_t)v->n * sizeof *values) == 0;
}

/* The entry of a run with these values, or the empty one where it belongs. */
static struct donor_entry *table_find(const struct donor_table *table, const struct donor_values *v,
                                      const double *values, uint64_t hash)
{
    assert(table->entries);
    size_t at = (size_t)hash & (table->size - 1);
    while (table->entries[at].run >= 0 &&
           !(table->entries[at].hash == hash && has_values(v, table->entries[at].run, values)))
        at = (at + 1) & (table->size - 1);
    return &table->entries[at];
}

static struct donor_entry *table_look_up(const struct donor_table *table,
                                         const struct donor_values *v, uint64_t *hash)
{
    *hash = XXH3_64bits(v->a, (size_t)v->n * sizeof *v->a);
    return table_find(table, v, v->a, *hash);
}

static bool table_make(struct donor_table *table, int64_t n)
{
    *table = (struct donor_table){.size = 2};
    while (table->size < 2 * (size_t)n)
        table->size *= 2;
    table->entries = malloc(table->size * sizeof *table->entries);
    for (size_t i = 0; table->entries && i < table->size; i++)
        table->entries[i] = (struct donor_entry){.run = -1};
    return table->entries != NULL;
}

/* Outcomes of all runs in the donor; to be freed, NULL after a failure. */
static int8_t *read_outcomes(struct ml_donor *donor, struct ml_error *err)
{
    struct ml_source *source = &donor->source;
    const unsigned long long n = (unsigned long long)source->layout.n_run;
    int8_t *outcomes = calloc((size_t)n + 1, 1);
    if (!outcomes) {
        (void)ml_fail(err, ML_E_MEMORY, "out of memory");
        return NULL;
    }
    source->h5.err = err;
    ml_h5_enter(&source->h5);
    if (n > 0)
        ml_result_h5_read_outcomes(&source->h5, source->outcome, n, 0, n, outcomes);
    ml_h5_leave(&source->h5);
    if (source->h5.status == ML_OK)
        return outcomes;
    free(outcomes);
    return NULL;
}

static void table_fill(struct donor_table *table, const struct donor_values *v,
                       const struct ml_layout *layout, const int8_t *outcomes)
{
    assert(v->donor && v->study);
    for (int64_t row = 0; row < layout->n_run; row++) {
        const int64_t run = ml_layout_run(layout, row);
        uint64_t hash;
        if (outcomes[row] == ML_MISSING)
            continue;
        donor_gather(v->donor, v->of_donor, v->n, run, v->values, v->a);
        struct donor_entry *entry = table_look_up(table, v, &hash);
        if (entry->run >= 0)
            continue;
        *entry = (struct donor_entry){.hash = hash, .run = run};
        table->n++;
    }
}

/* Finds every run of the study in the donor. */
static void match_runs(struct ml_donor *donor, const struct donor_table *table,
                       const struct donor_values *v)
{
    int64_t n_used = 0;
    assert(donor->run && v->study);
    for (int64_t run = 0; run < donor->study->ensemble.n_run; run++) {
        uint64_t hash;
        donor_gather(v->study, v->own, v->n, run, v->values, v->a);
        struct donor_entry *entry = table_look_up(table, v, &hash);
        donor->run[run] = entry->run;
        if (entry->run >= 0 && !entry->is_used) {
            entry->is_used = true;
            n_used++;
        }
    }
    donor->n_lost = table->n - n_used;
    donor->n_found = n_used;
}

static enum ml_status find_runs(struct ml_donor *donor, struct ml_error *err)
{
    struct ml_pool pool = {0};
    struct donor_values values = {0};
    struct donor_table table = {0};
    int8_t *outcomes = read_outcomes(donor, err);
    enum ml_status status = outcomes ? ML_OK : ML_E_FILE;
    donor->run = malloc((size_t)donor->study->ensemble.n_run * sizeof *donor->run);
    if (status == ML_OK &&
        (!donor->run || !values_begin(&values, &pool, donor->of.study, donor->study) ||
         !table_make(&table, donor->source.layout.n_run)))
        status = ml_fail(err, ML_E_MEMORY, "out of memory");
    if (status == ML_OK) {
        table_fill(&table, &values, &donor->source.layout, outcomes);
        match_runs(donor, &table, &values);
    }
    free(table.entries);
    free(outcomes);
    ml_pool_free(&pool);
    return status;
}

/* The output of the donor with the name and shape of an output of the study; -1: none. */
static int find_output(const struct ml_layout *there, const struct ml_layout *here, int i)
{
    for (int o = 0; o < there->results.n_output; o++)
        if (strcmp(there->results.outputs[o].name, here->results.outputs[i].name) == 0 &&
            ml_layout_output_rows(there, o) == ml_layout_output_rows(here, i))
            return o;
    return -1;
}

/* The same of records. */
static int find_record(const struct ml_layout *there, const struct ml_layout *here, int i)
{
    for (int k = 0; k < ml_layout_records(there); k++)
        if (strcmp(ml_layout_quantity(there, k)->name, ml_layout_quantity(here, i)->name) == 0 &&
            ml_layout_run_bytes(there, k) == ml_layout_run_bytes(here, i))
            return k;
    return -1;
}

/* Pairs the outputs and records of both; returns the number of the study's that the donor has not.
 */
static int match_numbers(struct ml_donor *donor)
{
    const struct ml_layout *there = &donor->source.layout;
    struct ml_layout here;
    int n_new = 0;
    ml_layout_init(&here, donor->study);
    for (int i = 0; i < here.results.n_output; i++) {
        donor->output[i] = find_output(there, &here, i);
        n_new += donor->output[i] < 0;
    }
    for (int k = 0; k < ml_layout_records(&here); k++) {
        donor->record[k] = find_record(there, &here, k);
        n_new += donor->record[k] < 0;
    }
    ml_layout_free(&here);
    return n_new;
}

/* The first output that another version defined otherwise; NULL: none. */
static const char *older_output(const struct ml_donor *donor)
{
    const struct ml_results *results = &donor->source.layout.results;
    for (int o = 0; o < results->n_output; o++)
        if (donor->source.older[o])
            return results->outputs[o].name;
    return NULL;
}

/* Whether the runs of both are integrated in the same way, but for their values. */
static bool is_same_integration(const struct ml_ensemble *a, const struct ml_ensemble *b)
{
    return a->n_step == b->n_step && a->clock == b->clock && a->least_steps == b->least_steps &&
           a->observe_every == b->observe_every && a->rates_mask == b->rates_mask &&
           a->n_tangent == b->n_tangent && a->renormalise_every == b->renormalise_every &&
           a->model.n_sens == b->model.n_sens && a->model.solver == b->model.solver &&
           a->saving.every == b->saving.every;
}

/* Decides whether runs are taken, compared or neither, and why. */
static void choose_use(struct ml_donor *donor, unsigned changes)
{
    const struct ml_ensemble *a = &donor->of.study->ensemble, *b = &donor->study->ensemble;
    const int n_new = match_numbers(donor);
    const char *older = older_output(donor);
    const char *why = NULL;
    struct ml_error derived = {0};
    if (a->continuation.n_run > 0 || b->continuation.n_run > 0)
        why = "the runs of a line begin from each other's ends";
    else if (changes & ML_CHANGE_END)
        why = "a result keeps the ends of its runs, not the states of all measures there";
    else if (ml_study_id_check_derived("", donor->origin.resolved, donor->study, "", &derived) !=
             ML_OK)
        why = "tangent vectors are made orthonormal at other times";
    donor->compares = !why;
    if (!why && changes & ML_CHANGE_MEASURED)
        why = "the motions are not kept that other numbers are measured of";
    else if (!why && older)
        why = "the result is of an older version, which defined some numbers otherwise";
    else if (!why && (n_new > 0 || !is_same_integration(a, b)))
        why = changes & ML_CHANGE_SAVED ? "the trajectories are not kept that are wanted"
                                        : "with the new axes other numbers belong to each run";
    donor->takes = !why;
    (void)snprintf(donor->why, sizeof donor->why, "%s", why ? why : "");
    ml_error_clear(&derived);
}

/* As ml_known_runs.has: a run that keeps a trajectory needs one in the donor. */
static bool donor_has(const void *context, int64_t run)
{
    const struct ml_donor *donor = context;
    const int64_t there = donor->run[run];
    return there >= 0 && (!ml_saving_keeps(&donor->study->ensemble.saving, run) ||
                          ml_saving_keeps(&donor->of.study->ensemble.saving, there));
}

enum ml_status ml_donor_load(struct ml_donor *donor, int64_t run, struct ml_error *err)
{
    const int64_t index = run / donor->of.study->ensemble.block_runs;
    return donor->source.block.index == index ? ML_OK : ml_source_read(&donor->source, index, err);
}

/* Copies a run of the donor, which is loaded, into a block. */
static void copy_run(const struct ml_donor *donor, int64_t run, struct ml_block *block)
{
    const struct ml_layout *layout = &donor->source.layout;
    const struct ml_block *from = &donor->source.block;
    const struct ml_saving *saving = &donor->study->ensemble.saving;
    const struct ml_saving *saving_there = &donor->of.study->ensemble.saving;
    const int64_t there = donor->run[run], i = there - from->first, row = run - block->first;
    block->outcome[row] = from->outcome[i];
    block->steps[row] = from->steps[i];
    block->end_time[row] = from->end_time[i];
    for (int o = 0; o < donor->study->results.n_output; o++) {
        const int64_t n = ml_layout_output_rows(layout, donor->output[o]);
        memcpy(block->summary[o] + row * n, from->summary[donor->output[o]] + i * n,
               (size_t)n * sizeof(double));
    }
    if (!ml_saving_keeps(saving, run))
        return;
    const int64_t to = ml_saving_index(saving, run) - ml_saving_index(saving, block->first);
    const int64_t at =
        ml_saving_index(saving_there, there) - ml_saving_index(saving_there, from->first);
    for (int k = 0; k < ml_saving_records(saving); k++) {
        const int record = donor->record[k];
        const size_t n = ml_layout_run_bytes(layout, record) / sizeof(double);
        memcpy(block->records[k] + (size_t)to * n, from->records[record] + (size_t)at * n,
               n * sizeof(double));
    }
}

/* As ml_known_runs.copy. */
static enum ml_status donor_copy(void *context, struct ml_block *block, struct ml_error *err)
{
    struct ml_donor *donor = context;
    enum ml_status status = ML_OK;
    (void)pthread_mutex_lock(&donor->lock);
    for (int64_t run = block->first; run < block->first + block->n_run && status == ML_OK; run++) {
        if (!donor_has(donor, run))
            continue;
        status = ml_donor_load(donor, donor->run[run], err);
        if (status == ML_OK)
            copy_run(donor, run, block);
    }
    (void)pthread_mutex_unlock(&donor->lock);
    return status;
}

/* Reads the study of the donor and refuses a study of other motions. */
static enum ml_status read_donor(struct ml_donor *donor, const char *path, bool no_native,
                                 unsigned *changes, struct ml_error *err)
{
    const struct ml_restoring how = {.study = donor->study->spec.name, .no_native = no_native};
    enum ml_status status = ml_origin_read(&donor->origin, path, err);
    if (status != ML_OK)
        return status;
    if (donor->origin.is_inverse)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot extend: a result of inverse dynamics has no runs", path);
    status = ml_restore_result(path, &donor->origin, &how, &donor->of, err);
    if (status != ML_OK)
        return status;
    const struct ml_study_difference difference =
        ml_study_difference(donor->of.study->resolved, donor->study->resolved);
    *changes = difference.changes;
    if (difference.changes & ML_CHANGE_STUDY)
        return ml_fail(err, ML_E_OTHER_STUDY,
                       "%s: cannot extend: all motions differ, by the line\n    %s\nwhich is "
                       "here\n    %s\nOther values of `sample`, `sweep`, `analyse`, `events`, "
                       "`save` and `time.end` extend a result; `manylink run` makes another",
                       path, difference.there, difference.here);
    const struct ml_ensemble *e = &donor->of.study->ensemble;
    const struct ml_origin *o = &donor->origin;
    if (o->shard.count > 1 && (o->block_runs != e->block_runs || o->n_run != e->n_run))
        return ml_fail(err, ML_E_OTHER_STUDY,
                       "%s: cannot extend: another version cut the study of this shard into other "
                       "blocks; merge the shards first",
                       path);
    return ML_OK;
}

static enum ml_status refuse_without_runs(const struct ml_donor *donor, struct ml_error *err)
{
    const struct ml_sample_points *sample = donor->study->spec.sample;
    const bool is_latin = sample && sample->sampling == ML_LATIN_HYPERCUBE;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: cannot extend: no run of this result is a run of the new study%s",
                   donor->source.h5.path,
                   is_latin ? ", for all points of a Latin hypercube move with their number; "
                              "random, sobol, scrambled_sobol and halton points stay"
                            : "; `manylink run` makes another result");
}

enum ml_status ml_donor_open(struct ml_donor *donor, const char *path, const struct ml_study *study,
                             bool no_native, struct ml_error *err)
{
    unsigned changes = 0;
    *donor = (struct ml_donor){.study = study};
    enum ml_status status = read_donor(donor, path, no_native, &changes, err);
    if (status != ML_OK)
        return status;
    donor->output = calloc((size_t)study->results.n_output + 1, sizeof *donor->output);
    donor->record =
        calloc((size_t)ml_saving_records(&study->ensemble.saving) + 1, sizeof *donor->record);
    if (!donor->output || !donor->record || pthread_mutex_init(&donor->lock, NULL) != 0)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    donor->is_open = true;
    status = ml_source_open(&donor->source, path, donor->of.kind, donor->of.shape,
                            donor->origin.shard, err);
    donor->source.block.index = -1;
    if (status == ML_OK)
        status = find_runs(donor, err);
    if (status == ML_OK && donor->n_found == 0)
        status = refuse_without_runs(donor, err);
    if (status != ML_OK)
        return status;
    choose_use(donor, changes);
    donor->known = (struct ml_known_runs){donor, donor_has, donor_copy};
    return ML_OK;
}

enum ml_status ml_donor_check_replaced(const struct ml_donor *donor, struct ml_error *err)
{
    const char *path = donor->source.h5.path;
    if (donor->origin.shard.count > 1)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace the result of a shard; give another file with -o", path);
    if (donor->n_lost > 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace this result: %lld of its runs are none of the new runs "
                       "and would be lost; give another file with -o",
                       path, (long long)donor->n_lost);
    return ML_OK;
}

int64_t ml_donor_taken(const struct ml_donor *donor, struct ml_shard shard)
{
    const struct ml_ensemble *e = &donor->study->ensemble;
    const int64_t n_own = ml_shard_blocks(shard, ml_ensemble_blocks(e));
    int64_t n = 0;
    for (int64_t j = 0; donor->takes && j < n_own; j++) {
        const int64_t block = ml_shard_block(shard, j), first = block * e->block_runs;
        for (int64_t i = 0; i < ml_ensemble_runs_of_block(e, block); i++)
            n += donor_has(donor, first + i);
    }
    return n;
}

void ml_donor_close(struct ml_donor *donor)
{
    if (donor->is_open) {
        ml_source_close(&donor->source);
        (void)pthread_mutex_destroy(&donor->lock);
    }
    ml_restored_free(&donor->of);
    ml_origin_free(&donor->origin);
    free(donor->run);
    free(donor->output);
    free(donor->record);
    *donor = (struct ml_donor){0};
}
