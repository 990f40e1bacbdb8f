/* Runs of a study computed again with smaller steps: which ones, and their integration. */
#include "run/accuracy.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/compare.h"
#include "engine/team/batch_run.h"
#include "manylink/fail.h"
#include "plan/datasets.h"

enum { ACCURACY_MOST = 64 }; /* runs, if their number is not given */

static const double keep_every = 1.0; /* s */

/* One level of refinement being computed. */
struct accuracy_level {
    struct ml_accuracy *accuracy;
    const struct ml_ensemble *ensemble; /* the study's */
    enum ml_accuracy_values which;
    int *runs;         /* [n] indices here of the runs that it has, in blocks of ML_LANES */
    double *step_most; /* [n] s, of these runs */
    double most_steps; /* runs that choose more steps are left out */
    ml_accuracy_keep_fn *keep;
    void *context;
    double kept; /* s, when it was last */
};

int64_t ml_accuracy_batches(int64_t n)
{
    const int64_t batches = (n + ML_LANES - 1) / ML_LANES, quarter = (batches + 3) / 4;
    return (1 + 2 + 2) * batches + 4 * quarter;
}

int ml_accuracy_count(int64_t n_run)
{
    const int64_t share = 25; /* 1 / 4 % */
    int best = 0;
    for (int n = ML_LANES; n <= ACCURACY_MOST; n += ML_LANES)
        if (share * ml_accuracy_batches(n) * ML_LANES <= n_run)
            best = n;
    return best;
}

/* Operations of a step that a lane chooses, in those of a given step: all lanes are at work for
 * each, and halve steps where they look into them. */
static double accuracy_looks(const struct ml_ensemble *ensemble)
{
    const double chosen = 4.0, looks = 12.0, watched = 4.0;
    return !ensemble->time.is_adaptive ? 1.0
                                       : chosen * (ml_looks_are_needed(ensemble) ? looks : 1.0) *
                                             (ml_ensemble_is_watched(ensemble) ? watched : 1.0);
}

double ml_accuracy_most_steps(const struct ml_ensemble *ensemble)
{
    const double most = 2e8, times = (double)ml_accuracy_batches(1), sweeps = 10.0;
    const struct ml_method *method = ensemble->method;
    const double rows = ml_rows_state(ensemble), columns = ensemble->model.n_column;
    const double once = rows * (rows + 8.0) * (1.0 + columns) * method->n_stage *
                        (method->splitting || ml_method_is_tableau(method) ? 1.0 : sweeps);
    return most / (once * times * accuracy_looks(ensemble));
}

int ml_accuracy_count_small(const struct ml_ensemble *ensemble)
{
    if (!ensemble->time.is_adaptive &&
        (double)ensemble->time.n_step > ml_accuracy_most_steps(ensemble))
        return 0;
    return ensemble->n_run < ML_LANES ? (int)ensemble->n_run : ML_LANES;
}

bool ml_accuracy_can_refine(const struct ml_ensemble *ensemble)
{
    const double least = 1e-13;
    return !ensemble->method->is_map && ensemble->time.n_step <= INT64_C(1) << 50 &&
           (!ensemble->time.is_adaptive || ensemble->chosen.control.relative >= least);
}

/* The i-th of n runs: at the fractional part of i times the golden ratio of the way through all, or
 * equally spaced where they are so many that two could be one. */
static int64_t accuracy_run(int64_t i, int64_t n, int64_t n_run)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    const double way = (double)i * golden_ratio;
    return n > n_run / 4 ? i * n_run / n : (int64_t)((way - floor(way)) * (double)n_run);
}

/* A run of the sequence. */
struct accuracy_chosen {
    int64_t run; /* first: the order of qsort */
    int8_t is_finest;
};

bool ml_accuracy_choose(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble, int n,
                        struct ml_shard shard)
{
    const int64_t n_run = ensemble->n_run, all = n < n_run ? n : n_run;
    struct accuracy_chosen *chosen = calloc((size_t)all + 1, sizeof *chosen);
    int n_own = 0;
    const bool is_described = ml_accuracy_describe(accuracy, ensemble);
    for (int64_t i = 0; chosen && i < all; i++) {
        const int64_t run = accuracy_run(i, all, n_run);
        if (ml_shard_of_block(shard.count, run / ensemble->block_runs) == shard.index)
            chosen[n_own++] = (struct accuracy_chosen){run, (int8_t)(i % 4 == 0)};
    }
    const bool is_there = chosen && is_described && ml_accuracy_take(accuracy, n_own);
    if (is_there)
        qsort(chosen, (size_t)n_own, sizeof *chosen, ml_compare_int64);
    for (int i = 0; is_there && i < n_own; i++) {
        accuracy->runs[i] = chosen[i].run;
        accuracy->is_finest[i] = chosen[i].is_finest;
    }
    free(chosen);
    return is_there;
}

static void accuracy_values(const void *context, int64_t i, double *values)
{
    const struct accuracy_level *level = context;
    const struct ml_ensemble *e = level->ensemble;
    e->numbers.values(e->numbers.context, level->accuracy->runs[level->runs[i]], values);
    if (level->which != ML_ACCURACY_DISPLACED)
        return;
    const int first = ml_slot_initial(&e->model, 0, 0);
    for (int k = 0; k < ml_rows_state(e); k++)
        values[first + k] += ML_ACCURACY_DISPLACEMENT * (1.0 + fabs(values[first + k]));
}

/* Whether run i, which chooses its steps, has more of them than may be computed again. */
static bool accuracy_is_dear(const struct accuracy_level *level, int i)
{
    const struct ml_accuracy *a = level->accuracy;
    return level->most_steps < level->ensemble->chosen.control.most_steps &&
           level->which != ML_ACCURACY_DIFFERENCE && a->outcomes[0][i] == ML_TOO_MANY_STEPS;
}

static bool accuracy_has(void *context, int64_t block)
{
    const struct accuracy_level *level = context;
    return level->accuracy->is_done[level->which][level->runs[block * ML_LANES]];
}

static enum ml_status accuracy_write(void *context, const struct ml_block *block,
                                     struct ml_error *err)
{
    struct accuracy_level *level = context;
    struct ml_accuracy *a = level->accuracy;
    for (int64_t k = 0; k < block->n_run; k++) {
        const int i = level->runs[block->first + k];
        const double time = block->end_time[k] - level->ensemble->time.start;
        if (level->which == ML_ACCURACY_DIFFERENCE)
            a->step_most[i] = block->steps[k] > 0 ? 0.5 * time / (double)block->steps[k] : time;
        if (level->which == ML_ACCURACY_DIFFERENCE || level->which == ML_ACCURACY_FINER)
            a->outcomes[level->which == ML_ACCURACY_FINER][i] = block->outcome[k];
        for (int o = 0; o < a->n_output; o++) {
            const size_t rows = (size_t)ml_accuracy_rows(a, o);
            memcpy(ml_accuracy_row(a, level->which, o, i), block->summary[o] + (size_t)k * rows,
                   rows * sizeof(double));
        }
        a->is_done[level->which][i] = 1;
    }
    if (!level->keep || ml_clock() - level->kept < keep_every)
        return ML_OK;
    level->kept = ml_clock();
    return level->keep(level->context, a, err);
}

/* Steps and ticks made smaller: orthonormalisations and the least time keep their intervals in
 * seconds. Looks that are counted in steps come closer together, where possible not at the same
 * times: the largest value may be the same where looks fall on looks. */
static void accuracy_refine(struct ml_ensemble *e, int times)
{
    for (int k = 0; k < times; k++) {
        e->time.step *= 0.5;
        e->time.share *= 0.5;
        e->time.n_step *= 2;
        e->time.least_steps *= 2;
        e->indicators.renormalise_every *= 2;
        e->indicators.observe_every -=
            e->indicators.observe_every > 3; /* by 2 + 2 / (observe_every - 1) closer */
        if (e->time.is_adaptive) {
            e->chosen.control.relative *= 0.1;
            e->chosen.control.absolute *= 0.1;
            /* as many as before, and those of half the length */
            e->chosen.control.most_steps *= 4.0;
        }
    }
}

static enum ml_status accuracy_integrate(struct accuracy_level *level,
                                         const struct ml_ensemble_options *how,
                                         struct ml_error *err)
{
    static const int times[ML_N_ACCURACY] = {0, 1, 2, 1};
    struct ml_ensemble e = *level->ensemble;
    const struct ml_sink sink = {.context = level, .has = accuracy_has, .put = accuracy_write};
    e.n_run = 0;
    for (int i = 0; i < level->accuracy->n; i++) {
        if (accuracy_is_dear(level, i) ||
            (level->which == ML_ACCURACY_FINEST && !level->accuracy->is_finest[i]))
            continue;
        level->step_most[e.n_run] = level->accuracy->step_most[i];
        level->runs[e.n_run++] = i;
    }
    if (e.n_run == 0)
        return ML_OK;
    e.block_runs = ML_LANES;
    e.numbers.values = accuracy_values;
    e.numbers.context = level;
    e.chosen.most = level->which == ML_ACCURACY_DIFFERENCE ? NULL : level->step_most;
    e.saving = (struct ml_saving){.run_every = 1};
    if (level->which == ML_ACCURACY_DIFFERENCE)
        e.chosen.control.most_steps = fmin(e.chosen.control.most_steps, level->most_steps);
    accuracy_refine(&e, times[level->which]);
    return ml_ensemble_run(&e, how, &sink, err);
}

/* Differences of the values with the study's step from those with half that step. */
static void accuracy_subtract(struct ml_accuracy *accuracy)
{
    const size_t n = (size_t)accuracy->n * (size_t)ml_accuracy_all_rows(accuracy);
    double *values = accuracy->values[ML_ACCURACY_DIFFERENCE];
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - accuracy->values[ML_ACCURACY_FINER][i]);
}

/* Takes the runs away that were not computed with smaller steps. */
static bool accuracy_drop_dear(struct accuracy_level *level)
{
    struct ml_accuracy kept = *level->accuracy;
    int n = 0;
    for (int i = 0; i < level->accuracy->n; i++)
        if (!accuracy_is_dear(level, i))
            level->runs[n++] = i;
    if (n == level->accuracy->n)
        return true;
    if (!ml_accuracy_take(&kept, n))
        return false;
    for (int i = 0; i < n; i++)
        ml_accuracy_copy_run(&kept, i, level->accuracy, level->runs[i]);
    free(level->accuracy->bytes);
    *level->accuracy = kept;
    return true;
}

enum ml_status ml_accuracy_compute(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble,
                                   double most_steps, const struct ml_ensemble_options *how,
                                   ml_accuracy_keep_fn *keep, void *context, struct ml_error *err)
{
    struct accuracy_level level = {.accuracy = accuracy,
                                   .ensemble = ensemble,
                                   .runs = calloc((size_t)accuracy->n + 1, sizeof *level.runs),
                                   .step_most = calloc((size_t)accuracy->n + 1, sizeof(double)),
                                   .most_steps = most_steps,
                                   .keep = keep,
                                   .context = context,
                                   .kept = ml_clock()};
    enum ml_status status = ML_OK;
    if (!level.runs || !level.step_most) {
        free(level.runs);
        free(level.step_most);
        return ml_fail(err, ML_E_MEMORY, "no memory for runs of accuracy");
    }
    for (int k = 0; k < ML_N_ACCURACY && status == ML_OK; k++) {
        level.which = (enum ml_accuracy_values)k;
        status = accuracy_integrate(&level, how, err);
    }
    if (status == ML_STOPPED && keep)
        (void)keep(context, accuracy, NULL); /* the computation does without a kept copy */
    if (status == ML_OK)
        accuracy_subtract(accuracy);
    if (status == ML_OK && !accuracy_drop_dear(&level))
        status = ml_fail(err, ML_E_MEMORY, "no memory for runs of accuracy");
    free(level.runs);
    free(level.step_most);
    return status;
}

enum { VERIFY_COST = 9 }; /* of one such run with all its steps, in runs of the study */

/* NaN is the same whichever it is: of a run that was not computed there is no number. */
static bool verify_same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp((const void *)&a[i], (const void *)&b[i], sizeof *a) != 0 &&
            !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Name of the first number that differs between run i and run j of `there`; NULL: none does. */
static const char *verify_difference(const struct ml_accuracy *a, int i,
                                     const struct ml_accuracy *there, int j)
{
    for (int k = 0; k < 2; k++)
        if (a->outcomes[k][i] != there->outcomes[k][j])
            return ml_dataset_name(ML_DATA_RUNS_OUTCOME);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        for (int o = 0; o < a->n_output; o++) {
            const enum ml_accuracy_values which = (enum ml_accuracy_values)k;
            if (!there->outputs[o].is_older &&
                !verify_same(ml_accuracy_row(a, which, o, i), ml_accuracy_row(there, which, o, j),
                             ml_accuracy_rows(a, o)))
                return a->outputs[o].name;
        }
    return NULL;
}

enum ml_status ml_verify_accuracy(const char *path, const struct ml_accuracy *there,
                                  const struct ml_ensemble *ensemble, int64_t n_run,
                                  const struct ml_ensemble_options *how, struct ml_error *err)
{
    const int64_t most = n_run / VERIFY_COST + (n_run % VERIFY_COST > 0);
    const int n = most < there->n ? (int)most : there->n;
    struct ml_accuracy own;
    enum ml_status status = ML_OK;
    if (n <= 0 || there->is_older)
        return ML_OK;
    if (!ml_accuracy_is_of(there, ensemble))
        return ml_fail(err, ML_E_FILE, "%s: /study/accuracy has other outputs than its study",
                       path);
    if (!ml_accuracy_describe(&own, ensemble) || !ml_accuracy_take(&own, n))
        status = ML_E_MEMORY;
    for (int i = 0; i < n && status == ML_OK; i++) {
        const int j = (int)((int64_t)i * there->n / n);
        own.runs[i] = there->runs[j];
        own.is_finest[i] = there->is_finest[j];
        if (own.runs[i] < 0 || own.runs[i] >= ensemble->n_run)
            status = ml_fail(err, ML_E_FILE, "%s: /study/accuracy has a run %lld", path,
                             (long long)own.runs[i]);
    }
    if (status == ML_OK)
        status = ml_accuracy_compute(&own, ensemble, (double)INFINITY, how, NULL, NULL, err);
    for (int i = 0; i < n && status == ML_OK; i++) {
        const char *differing = verify_difference(&own, i, there, (int)((int64_t)i * there->n / n));
        if (differing)
            status = ml_fail(err, ML_E_FILE,
                             "%s: run %lld computed again with smaller steps: %s differs", path,
                             (long long)own.runs[i], differing);
    }
    ml_accuracy_free(&own);
    return status;
}
