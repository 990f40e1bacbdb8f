/* Probabilities of failure: limit states are the distances of required numbers from their bounds,
 * found by runs of the study at normal scores of its sample. */
#include "manylink/failure.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "config/schema/values.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/team/team.h"
#include "manylink/fail.h"
#include "plan/requirements.h"
#include "statistics/design_point.h"
#include "statistics/subset_simulation.h"

enum { LEAST_COUNT = 100 };

static const char *const doubts[] = {
#define X(name, text) text,
    ML_FAILURE_DOUBT_LIST(X)
#undef X
};

struct failure_job {
    const struct ml_study *study;
    const struct ml_failure_options *options; /* of this version's size */
    struct ml_failures *out;                  /* the same */
    struct ml_pool *pool;                     /* of `out` */
    struct ml_ensemble ensemble;
    struct ml_ensemble_options how;
    double slack; /* 1: numbers of formulas may be twice as large as those of the planned runs, and
                     an eighth; 0: they may not be beyond these */
    struct ml_required *required; /* [n_requirement] */
    double *values;               /* [numbers of a run] scratch */
    struct ml_failure *now;       /* under way */
    int which;                    /* requirement; n_requirement: any of them */
    bool is_search;               /* runs are not draws, but on the way to a design point */
    const double *scores;         /* [n_run][n_input] of the batch under way */
    int64_t first;                /* runs before the batch */
    double *distances;            /* [n_run] out */
};

static const struct ml_sample_points *sample_of(const struct failure_job *job)
{
    return job->study->spec.runs.sample;
}

static bool has_design_point(const struct failure_job *job)
{
    return job->options->method != ML_FAILURE_SUBSET;
}

/* `values` of the ensemble. Each run has random numbers of its own for the noise of controllers,
 * but in the search for a design point all runs have those of the first: there g is a function of
 * the scores alone. */
static void failure_values(const void *context, int64_t run, double *values)
{
    const struct failure_job *job = context;
    ml_study_values_at(&job->study->spec, job->now->run,
                       job->scores + run * sample_of(job)->n_input,
                       job->now->run + (job->is_search ? 0 : job->first + run), values);
}

/* Distance i of run j of a block. */
static double distance_in(const struct failure_job *job, const struct ml_block *block, int64_t j,
                          int i)
{
    const struct ml_required *at = &job->required[i];
    const int64_t *first = job->study->results.first + at->output, rows = first[1] - first[0];
    const double value = block->summary[at->output][j * rows + at->row];
    return ml_outcome_is_sound(block->outcome[j]) && !isnan(value)
               ? ml_requirement_distance(&job->study->spec.indicators.requirements[i], value)
               : -(double)INFINITY;
}

/* g of run j of a block. */
static double limit_of(const struct failure_job *job, const struct ml_block *block, int64_t j)
{
    const struct ml_study_spec *spec = &job->study->spec;
    double least = (double)INFINITY;
    if (job->which < spec->indicators.n_requirement)
        return distance_in(job, block, j, job->which);
    for (int i = 0; i < spec->indicators.n_requirement; i++)
        least = fmin(least, distance_in(job, block, j, i) /
                                ml_requirement_size(&spec->indicators.requirements[i]));
    return least;
}

static enum ml_status failure_put(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct failure_job *job = context;
    (void)err;
    for (int64_t j = 0; j < block->n_run; j++) {
        job->distances[block->first + j] = limit_of(job, block, j);
        job->now->without += job->distances[block->first + j] == -(double)INFINITY;
    }
    return ML_OK;
}

/* Refuses numbers by formulas, such as delays, that are far from those for which the study is
 * planned. */
static enum ml_status check_plan(struct failure_job *job, struct ml_error *err)
{
    const struct ml_study_spec *spec = &job->study->spec;
    const struct ml_defined *defined = spec->numbers.defined;
    for (int i = 0; defined && i < defined->n; i++) {
        const struct ml_defined_number *number = &defined->numbers[i];
        if (!number->is_moved || !job->study->is_planned_by[number->slot])
            continue;
        for (int64_t run = 0; run < job->ensemble.n_run; run++) {
            failure_values(job, run, job->values);
            const double value = job->values[number->slot];
            if (value >= number->least - 0.875 * job->slack * fabs(number->least) &&
                value <= number->most + job->slack * fabs(number->most))
                continue;
            return ml_fail(err, ML_E_INPUT,
                           "%s: cannot find the probability: `%s` follows from `define` and is "
                           "%.6g in a run, but the study is planned for %.6g to %.6g; draw `%s` "
                           "itself in `over`",
                           spec->name, spec->numbers.names[number->slot], value, number->least,
                           number->most, spec->numbers.names[number->slot]);
        }
    }
    return ML_OK;
}

/* As `find` of a limit state. */
static enum ml_status run_points(void *context, int64_t n_point, const double *u, double *g,
                                 struct ml_error *err)
{
    struct failure_job *job = context;
    const struct ml_sink sink = {.context = job, .put = failure_put};
    job->scores = u;
    job->distances = g;
    job->ensemble.n_run = n_point;
    job->ensemble.block_runs = ml_ensemble_block_runs(&job->ensemble);
    enum ml_status status = check_plan(job, err);
    if (status == ML_OK)
        status = ml_ensemble_run(&job->ensemble, &job->how, &sink, err);
    job->first += n_point;
    job->now->runs = job->first;
    return status;
}

static enum ml_status search_design_point(struct failure_job *job,
                                          const struct ml_limit_state *limit,
                                          struct ml_design_point *point, struct ml_error *err)
{
    const struct ml_axis *axis = ml_study_spec_sample(&job->study->spec);
    const size_t n = (size_t)limit->n;
    double *numbers = ml_pool_take(job->pool, n, sizeof *numbers);
    point->u = ml_pool_take(job->pool, n, sizeof *point->u);
    point->alpha = ml_pool_take(job->pool, n, sizeof *point->alpha);
    if (job->pool->is_short)
        return ml_fail(err, ML_E_MEMORY, "no memory for a design point");
    job->is_search = true;
    const enum ml_status status = ml_design_point_find(limit, point, err);
    job->is_search = false;
    const bool is_point = !isnan(point->probability) ||
                          (job->options->method == ML_FAILURE_IMPORTANCE && !isnan(point->index));
    if (status != ML_OK || !is_point)
        return status;
    for (int i = axis->n_swept - 1; i >= 0; i--)
        numbers[axis->swept[i].dimension] = ml_axis_value_at(axis, i, point->u);
    job->now->point = numbers;
    job->now->scores = point->u;
    job->now->factors = point->alpha;
    job->now->index = isnan(point->probability) ? point->probability : point->index;
    return ML_OK;
}

static void take_chance(struct ml_failure *failure, const struct ml_chance *chance)
{
    failure->probability = chance->value;
    failure->low = chance->low;
    failure->high = chance->high;
    failure->variation = chance->variation;
    failure->levels = chance->n_level;
    failure->doubt = doubts[chance->doubt];
}

static enum ml_status find_by_design_point(struct failure_job *job,
                                           const struct ml_limit_state *limit, struct ml_error *err)
{
    struct ml_design_point point = {.probability = (double)NAN};
    struct ml_chance chance;
    enum ml_status status = search_design_point(job, limit, &point, err);
    if (status != ML_OK)
        return status;
    job->now->doubt = doubts[point.doubt];
    job->now->probability = point.probability;
    job->now->curved = point.curved;
    if (isnan(point.index) || job->options->method == ML_FAILURE_FORM)
        return ML_OK;
    job->now->curved = (double)NAN;
    status = ml_importance_find(limit, &point, sample_of(job)->n_point, &chance, err);
    if (point.doubt == ML_DOUBT_NOT_CONVERGED && chance.doubt == ML_DOUBT_NONE)
        chance.doubt = point.doubt;
    take_chance(job->now, &chance);
    return status;
}

static enum ml_status find_one(struct failure_job *job, struct ml_error *err)
{
    const double none = (double)NAN;
    struct ml_failure *failure = job->now;
    const struct ml_sample_points *sample = sample_of(job);
    const struct ml_limit_state limit = {
        .n = sample->n_input, .seed = sample->seed, .find = run_points, .context = job};
    struct ml_chance chance;
    failure->probability = failure->low = failure->high = failure->variation = none;
    failure->index = failure->curved = none;
    job->first = 0;
    if (has_design_point(job))
        return find_by_design_point(job, &limit, err);
    const enum ml_status status = ml_subset_find(&limit, sample->n_point, &chance, err);
    take_chance(failure, &chance);
    if (failure->probability > 0.0 && failure->probability < 1.0)
        failure->index = -(double)ml_normal_quantile((struct ml_probability){
            (long double)failure->probability, 1.0L - (long double)failure->probability});
    return status;
}

/* ML_E_INPUT for studies without such probabilities. */
static enum ml_status check_study(const struct failure_job *job, struct ml_error *err)
{
    const struct ml_study_spec *spec = &job->study->spec;
    const struct ml_sample_points *sample = sample_of(job);
    const struct ml_axis *axis = sample ? ml_study_spec_sample(spec) : NULL;
    const char *why = NULL;
    if (!sample)
        why = "the study has no `sample` of distributions; add sample: {method: random, count: "
              "1000, over: [...]}";
    else if (spec->indicators.n_requirement == 0)
        why = "the study has no requirement; add require: {NUMBER: {below: BOUND}}";
    else if (sample->file)
        why = "points of a `file` have no distributions; give `over` distributions";
    else if (!isnan(sample->energy_shell))
        why = "points of an `energy_shell` have no distributions; give `over` distributions";
    else if (sample->n_point < LEAST_COUNT && job->options->method != ML_FAILURE_FORM)
        why = "`sample.count`, the runs of a level or the draws, must be 100 or more";
    for (int i = 0; !why && has_design_point(job) && i < axis->n_swept; i++)
        if (axis->swept[i].distribution.kind == ML_DISCRETE)
            why = "a discrete distribution has no gradient; use subset";
    return why ? ml_fail(err, ML_E_INPUT, "%s: cannot find a probability of failure: %s",
                         spec->name, why)
               : ML_OK;
}

/* Runs of the study without trajectories, with room for numbers beyond those planned for. */
static enum ml_status prepare(struct failure_job *job, struct ml_kernel_choice *choice,
                              struct ml_error *err)
{
    const struct ml_failure_options *o = job->options;
    const struct ml_study_spec *spec = &job->study->spec;
    const size_t n = (size_t)spec->indicators.n_requirement;
    struct ml_ensemble *e = &job->ensemble;
    *e = job->study->ensemble;
    e->saving.run_first = 0;
    job->slack = e->feedback.n_late_sample > 0 ? 0.0 : 1.0;
    e->feedback.reach *= 1.0 + job->slack;
    e->feedback.n_break *= 16; /* sample times an eighth as long, in a past twice as long */
    job->required = ml_pool_take(job->pool, n, sizeof *job->required);
    job->values = ml_pool_take(job->pool, (size_t)spec->numbers.n + 1, sizeof *job->values);
    if (!job->required || !job->values)
        return ml_fail(err, ML_E_MEMORY, "no memory for the requirements");
    const struct ml_layout layout = {
        .study = job->study, .shard = ML_UNSHARDED, .results = job->study->results};
    for (size_t i = 0; i < n; i++)
        job->required[i] = ml_required_find(&layout, spec->indicators.requirements[i].name);
    job->how =
        (struct ml_ensemble_options){.n_thread = job->out->threads, .stop = {o->stop, o->context}};
    const struct ml_kernel_wish wish = {.mode = o->kernel,
                                        .no_native = o->no_native != 0,
                                        .n_run = job->study->spec.runs.n,
                                        .n_thread = job->out->threads,
                                        .stop = job->how.stop};
    const enum ml_status status = ml_kernel_choose(e, &wish, choice, err);
    e->numbers.values = failure_values;
    e->numbers.context = job;
    return status;
}

/* The inputs, and a row for each requirement, and for any of several, at each point of the grid. */
static bool describe(struct failure_job *job, int n_which)
{
    const struct ml_study_spec *spec = &job->study->spec;
    const struct ml_axis *axis = ml_study_spec_sample(spec);
    const int64_t n_place = spec->runs.n / axis->count;
    const size_t n_input = (size_t)sample_of(job)->n_input;
    struct ml_failure_input *inputs = ml_pool_take(job->pool, n_input, sizeof *inputs);
    struct ml_failure *rows =
        n_place <= INT_MAX / n_which
            ? ml_pool_take(job->pool, (size_t)(n_place * n_which), sizeof *rows)
            : NULL;
    if (!rows || job->pool->is_short)
        return false;
    for (int i = axis->n_swept - 1; i >= 0; i--)
        inputs[axis->swept[i].dimension] =
            (struct ml_failure_input){axis->swept[i].path, axis->swept[i].unit};
    for (int64_t i = 0; i < n_place * n_which; i++) {
        const int which = (int)(i % n_which);
        rows[i].run = i / n_which * axis->count;
        rows[i].requirement =
            which < spec->indicators.n_requirement
                ? ml_requirement_text(&spec->indicators.requirements[which], job->pool)
                : "any";
        rows[i].doubt = "";
    }
    job->out->n = (int)n_place * n_which;
    job->out->failures = rows;
    job->out->n_input = (int)n_input;
    job->out->inputs = inputs;
    return !job->pool->is_short;
}

static enum ml_status find_all(struct failure_job *job, struct ml_error *err)
{
    const int n = job->study->spec.indicators.n_requirement;
    const int n_which = n + (n > 1 && !has_design_point(job));
    struct ml_kernel_choice choice = {0};
    enum ml_status status = check_study(job, err);
    if (status != ML_OK)
        return status;
    if (!describe(job, n_which))
        return ml_fail(err, ML_E_MEMORY, "no memory for the probabilities");
    status = prepare(job, &choice, err);
    for (int i = 0; status == ML_OK && i < job->out->n; i++) {
        job->now = (struct ml_failure *)job->out->failures + i;
        job->which = i % n_which;
        status = find_one(job, err);
    }
    ml_kernel_settle(&choice);
    if (*choice.note && job->options->notice)
        job->options->notice(job->options->context, choice.note);
    ml_kernel_choice_end(&choice);
    return status;
}

enum ml_status ml_failures_find(const struct ml_study *study,
                                const struct ml_failure_options *given, struct ml_failures *out,
                                struct ml_error *err)
{
    struct ml_failure_options options;
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_failure_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS(
                {"method", (int)options.method, ML_FAILURE_SUBSET, ML_FAILURE_IMPORTANCE},
                {"n_thread", options.n_thread, 0, INT_MAX},
                {"kernel", (int)options.kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE}),
            "ml_failure_options", err);
    if (status == ML_OK)
        status = ml_sized_check(out, "ml_failures", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const double start = omp_get_wtime();
    struct ml_pool *pool = calloc(1, sizeof *pool);
    struct ml_failures own = {
        .threads = options.n_thread > 0 ? options.n_thread : ml_cgroup_threads(), .memory = pool};
    struct failure_job job = {.study = study, .options = &options, .out = &own, .pool = pool};
    status = pool ? find_all(&job, err) : ml_fail(err, ML_E_MEMORY, "no memory for a study");
    own.seconds = omp_get_wtime() - start;
    if (status != ML_OK || !out) {
        ml_failures_free(&own);
        own = (struct ml_failures){0};
    }
    ml_sized_write(out, &own, sizeof own);
    ml_numeric_env_restore(&before);
    return status;
}

void ml_failures_free(struct ml_failures *failures)
{
    if (!failures || !failures->memory)
        return;
    ml_pool_free(failures->memory);
    free(failures->memory);
    failures->memory = NULL;
}
