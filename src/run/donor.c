/* Opens a finished result as a donor, decides on its use, and copies the numbers of its runs. */
#include "run/donor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "manylink/fail.h"
#include "plan/study_change.h"

/* The output of the donor with the name and shape of an output of the study; -1: none. */
static int find_output(const struct ml_layout *there, const struct ml_layout *here, int i)
{
    for (int o = 0; o < there->results.n_output; o++)
        if (strcmp(there->results.outputs[o].name, here->results.outputs[i].name) == 0 &&
            ml_layout_output_rows(there, o) == ml_layout_output_rows(here, i))
            return o;
    return -1;
}

/* Numbers of one run in one sample of a record. */
static size_t record_rows(const struct ml_layout *layout, int k)
{
    return ml_layout_run_bytes(layout, k) / sizeof(double) / (size_t)layout->results.n_sample;
}

/* The record of `there` that is record i of `here`; -1: none. */
static int find_record(const struct ml_layout *there, const struct ml_layout *here, int i)
{
    for (int k = 0; k < ml_layout_records(there); k++)
        if (strcmp(ml_layout_quantity(there, k)->name, ml_layout_quantity(here, i)->name) == 0 &&
            record_rows(there, k) == record_rows(here, i))
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

/* Whether the runs of both are integrated in the same way, but for their values and ends. */
static bool is_same_integration(const struct ml_ensemble *a, const struct ml_ensemble *b)
{
    return a->time.clock == b->time.clock && a->time.least_steps == b->time.least_steps &&
           a->indicators.observe_every == b->indicators.observe_every &&
           a->indicators.rates_mask == b->indicators.rates_mask &&
           a->indicators.n_tangent == b->indicators.n_tangent &&
           a->indicators.renormalise_every == b->indicators.renormalise_every &&
           a->model.n_sens == b->model.n_sens && a->model.solver == b->model.solver &&
           a->saving.every == b->saving.every;
}

/* Decides whether runs are taken, integrated on, compared or none of these, and why. */
static void choose_use(struct ml_donor *donor, unsigned changes)
{
    const struct ml_ensemble *a = &donor->of.study->ensemble, *b = &donor->study->ensemble;
    const int n_new = match_numbers(donor);
    const char *older = older_output(donor);
    const bool is_prolonged = a->time.n_step != b->time.n_step;
    const char *why = NULL;
    char text[sizeof donor->why];
    struct ml_error derived = {0};
    if (a->continuation.n_run > 0 || b->continuation.n_run > 0)
        why = "the runs of a line begin from each other's ends";
    else if (is_prolonged || changes & ML_CHANGE_END)
        why = ml_donor_cannot_prolong(donor, sizeof text, text);
    else if (ml_study_id_check_derived("", donor->origin.resolved, donor->study, "", &derived) !=
             ML_OK)
        why = "tangent vectors are made orthonormal at other times";
    donor->compares = !why && !is_prolonged;
    if (!why && changes & ML_CHANGE_MEASURED)
        why = "the motions are not kept that other numbers are measured of";
    else if (!why && older)
        why = "the result is of an older version, which defined some numbers otherwise";
    else if (!why && (n_new > 0 || !is_same_integration(a, b)))
        why = changes & ML_CHANGE_SAVED ? "the result lacks trajectories or numbers that are wanted"
                                        : "with the new axes other numbers belong to each run";
    donor->takes = !why;
    donor->n_step = !why && is_prolonged ? a->time.n_step : 0;
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

/* Copies the samples that a trajectory of the donor has; samples behind its end are NaN.
 *   n_row  numbers of a sample */
static void copy_samples(const struct ml_donor *donor, size_t n_row, const double *from, double *to)
{
    const size_t n_from = (size_t)donor->of.study->results.n_sample,
                 n_to = (size_t)donor->study->results.n_sample;
    for (size_t row = 0; row < n_row; row++, from += n_from, to += n_to) {
        memcpy(to, from, n_from * sizeof *to);
        for (size_t i = n_from; i < n_to; i++)
            to[i] = (double)NAN;
    }
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
        const size_t n_row = record_rows(layout, record);
        copy_samples(donor, n_row,
                     from->records[record] + (size_t)at * n_row * (size_t)layout->results.n_sample,
                     block->records[k] +
                         (size_t)to * n_row * (size_t)donor->study->results.n_sample);
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
static enum ml_status read_donor(struct ml_donor *donor, const char *path,
                                 const struct ml_restoring *how, unsigned *changes,
                                 struct ml_error *err)
{
    enum ml_status status = ml_origin_read(&donor->origin, path, err);
    if (status != ML_OK)
        return status;
    if (donor->origin.is_inverse)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot extend: a result of inverse dynamics has no runs", path);
    status = ml_restore_result(path, &donor->origin, how, &donor->of, err);
    if (status != ML_OK)
        return status;
    const char *resolved = ml_study_resolved_as(donor->study, donor->of.study);
    if (!resolved)
        return ML_E_MEMORY;
    const struct ml_study_difference difference =
        ml_study_difference(donor->of.study->resolved, resolved);
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
    const struct ml_sample_points *sample = donor->study->spec.runs.sample;
    const bool is_latin = sample && sample->sampling == ML_LATIN_HYPERCUBE;
    return ml_fail(err, ML_E_OTHER_STUDY,
                   "%s: cannot extend: no run of this result is a run of the new study%s",
                   donor->source.h5.path,
                   is_latin ? ", for all points of a Latin hypercube move with their number; "
                              "random, sobol, scrambled_sobol and halton points stay"
                            : "; `manylink run` makes another result");
}

enum ml_status ml_donor_open(struct ml_donor *donor, const char *path, const struct ml_study *study,
                             const struct ml_restoring *how, int n_thread, struct ml_error *err)
{
    unsigned changes = 0;
    *donor = (struct ml_donor){.study = study};
    enum ml_status status = read_donor(donor, path, how, &changes, err);
    if (status != ML_OK)
        return status;
    donor->output = calloc((size_t)study->results.n_output + 1, sizeof *donor->output);
    donor->record =
        calloc((size_t)ml_saving_records(&study->ensemble.saving) + 1, sizeof *donor->record);
    if (!donor->output || !donor->record || pthread_mutex_init(&donor->lock, NULL) != 0)
        return ML_E_MEMORY;
    donor->is_open = true;
    status = ml_source_open(&donor->source, path, donor->of.kind, donor->of.shape,
                            donor->origin.shard, err);
    donor->source.block.index = -1;
    if (status == ML_OK)
        status = ml_donor_find_runs(donor, (changes & ML_CHANGE_MEASURED) != 0, n_thread, err);
    if (status == ML_OK && donor->n_found == 0)
        status = refuse_without_runs(donor, err);
    if (status != ML_OK)
        return status;
    choose_use(donor, changes);
    donor->known = (struct ml_known_runs){donor, donor_has, donor_copy, donor->n_step};
    return ML_OK;
}

enum ml_status ml_donor_check_replaced(const struct ml_donor *donor, struct ml_error *err)
{
    const char *path = donor->source.h5.path;
    if (ml_path_is_read_only(path))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace this result: the file is read-only; give another file "
                       "with -o",
                       path);
    if (donor->origin.shard.count > 1)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace the result of a shard; give another file with -o", path);
    if (donor->study->spec.time.end < donor->of.study->spec.time.end)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot replace this result: its end is later, at %g s, and the times "
                       "behind the new end would be lost; give another file with -o",
                       path, donor->of.study->spec.time.end);
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
