/* Finds the runs of a study in a finished result by their values: the bits of a run follow from its
 * values alone, whatever runs are beside it. */
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "run/donor.h"
#include "store/result_h5.h"

/* Values of runs of both studies, of the numbers that both have. */
struct donor_values {
    const struct ml_study *donor, *study;
    size_t n_value;      /* slots of the larger */
    int n;               /* numbers that both have */
    int *of_donor, *own; /* [n] their slots */
    double *values;      /* [n_value] scratch */
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
    study->ensemble.numbers.values(study->ensemble.numbers.context, run, values);
    for (int i = 0; i < n; i++)
        out[i] = values[slots[i]];
}

/* Slot of a name, near a guess if possible; -1: none. */
static int find_slot(const struct ml_study_spec *spec, const char *name, int guess)
{
    if (guess < spec->numbers.n && strcmp(spec->numbers.names[guess], name) == 0)
        return guess;
    for (int i = 0; i < spec->numbers.n; i++)
        if (strcmp(spec->numbers.names[i], name) == 0)
            return i;
    return -1;
}

static bool is_of_event(const char *path)
{
    static const char events[] = "events.";
    return strncmp(path, events, sizeof events - 1) == 0;
}

/* Pairs the slots of both studies by their names.
 *   skips_events  numbers of events, which no motion depends on, may differ */
static bool values_begin(struct donor_values *v, struct ml_pool *pool, const struct ml_study *donor,
                         const struct ml_study *study, bool skips_events)
{
    const size_t n_own = (size_t)study->spec.numbers.n, n_donor = (size_t)donor->spec.numbers.n;
    *v = (struct donor_values){
        .donor = donor, .study = study, .n_value = (n_own > n_donor ? n_own : n_donor) + 1};
    v->of_donor = ml_pool_take(pool, n_own + 1, sizeof *v->of_donor);
    v->own = ml_pool_take(pool, n_own + 1, sizeof *v->own);
    v->values = ml_pool_take(pool, v->n_value, sizeof *v->values);
    v->a = ml_pool_take(pool, n_own + 1, sizeof *v->a);
    v->b = ml_pool_take(pool, n_own + 1, sizeof *v->b);
    if (pool->is_short)
        return false;
    for (int i = 0, shift = 0; i < study->spec.numbers.n; i++) {
        const int slot = find_slot(&donor->spec, study->spec.numbers.names[i], i + shift);
        shift = slot < 0 ? shift - 1 : slot - i;
        shift = i + 1 + shift < 0 ? -i - 1 : shift;
        if (slot < 0 || (skips_events && is_of_event(study->spec.numbers.names[i])))
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
    source->h5.err = err;
    ml_h5_enter(&source->h5);
    if (ml_h5_need(&source->h5, outcomes) && n > 0)
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

/* Finds the points of a sample that is a longer or shorter beginning of the donor's: each is the
 * run of its own number, or none. Values of points take long: by several threads.
 *   scratch  [n_thread][2 v->n + slots of the larger study] */
static void match_points(struct ml_donor *donor, const struct donor_values *v,
                         const int8_t *outcomes, int n_thread, double *scratch)
{
    const struct ml_layout *layout = &donor->source.layout;
    const int64_t n_run = donor->study->ensemble.n_run, n_there = layout->n_run;
    const size_t n = (size_t)v->n, stride = 2 * n + v->n_value;
    int64_t n_found = 0, n_whole = 0;
    for (int64_t run = 0; run < n_run; run++)
        donor->run[run] = -1;
#pragma omp parallel num_threads(n_thread) reduction(+ : n_found, n_whole)
    {
        const fenv_t before = ml_float_env_set();
        double *a = scratch + (size_t)omp_get_thread_num() * stride, *b = a + n;
#pragma omp for
        for (int64_t row = 0; row < n_there; row++) {
            const int64_t run = ml_layout_run(layout, row);
            n_whole += outcomes[row] != ML_MISSING;
            if (outcomes[row] == ML_MISSING || run >= n_run)
                continue;
            donor_gather(v->donor, v->of_donor, v->n, run, b + n, a);
            donor_gather(v->study, v->own, v->n, run, b + n, b);
            if (memcmp(a, b, n * sizeof *a) == 0) {
                donor->run[run] = run;
                n_found++;
            }
        }
        ml_float_env_restore(&before);
    }
    donor->n_found = n_found;
    donor->n_lost = n_whole - n_found;
}

/* Matches runs that may stand anywhere; false without memory. */
static bool match_anywhere(struct ml_donor *donor, const struct donor_values *v,
                           const int8_t *outcomes)
{
    struct donor_table table;
    const bool has_table = table_make(&table, donor->source.layout.n_run);
    if (has_table) {
        table_fill(&table, v, &donor->source.layout, outcomes);
        match_runs(donor, &table, v);
    }
    free(table.entries);
    return has_table;
}

/* Whether runs of the same number have the same place in a point of a design. */
static bool has_same_rows(const struct ml_sample_points *there, const struct ml_sample_points *here)
{
    bool is_same = there->design == here->design && there->has_second == here->has_second &&
                   there->n_input == here->n_input;
    for (int i = 0; is_same && i < here->n_input; i++)
        is_same = ml_sample_group(there, i) == ml_sample_group(here, i);
    return is_same;
}

/* Whether the runs are points that are drawn, which takes long, and that have their numbers in
 * every longer sample. */
static bool has_drawn_points(const struct ml_study_spec *spec)
{
    return ml_study_spec_is_sample(spec) && !ml_sample_is_stored(spec->runs.sample) &&
           !ml_design_has_points(spec->runs.sample->design);
}

enum ml_status ml_donor_find_runs(struct ml_donor *donor, bool skips_events, int n_thread,
                                  struct ml_error *err)
{
    const struct ml_study *there = donor->of.study, *here = donor->study;
    struct ml_pool pool = {0};
    struct donor_values values = {0};
    int8_t *outcomes = read_outcomes(donor, err);
    if (!outcomes)
        return donor->source.h5.status;
    const int n_team = n_thread > 0 ? n_thread : ml_cgroup_threads();
    donor->run = malloc((size_t)here->ensemble.n_run * sizeof *donor->run);
    bool is_good = donor->run && values_begin(&values, &pool, there, here, skips_events);
    double *scratch = is_good
                          ? ml_pool_take(&pool, (size_t)n_team,
                                         (2 * (size_t)values.n + values.n_value) * sizeof *scratch)
                          : NULL;
    if (scratch && has_drawn_points(&there->spec) && has_drawn_points(&here->spec) &&
        has_same_rows(there->spec.runs.sample, here->spec.runs.sample))
        match_points(donor, &values, outcomes, n_team, scratch);
    else
        is_good = scratch && match_anywhere(donor, &values, outcomes);
    free(outcomes);
    ml_pool_free(&pool);
    return is_good ? ML_OK : ML_E_MEMORY;
}
