/* Tuned numbers of a study: the merits of points are those of runs of the kept study. */
#include "manylink/tune.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "fit/coordinate.h"
#include "manylink/fail.h"
#include "manylink/outcome.h"
#include "manylink/prepared.h"
#include "plan/cost.h"
#include "statistics/evolution.h"
#include "statistics/least.h"
#include "yaml/number.h"

static const double at_bound = 1e-6; /* of the range */

struct tune_job {
    const struct ml_tune_options *options; /* of this version's size */
    struct ml_tuning *out;                 /* the same */
    struct ml_pool *pool;                  /* of `out` */
    struct ml_prepared *prepared;
    const struct ml_study *study; /* as its source has it */
    const struct ml_tune_spec *tune;
    struct ml_cost cost;
    struct ml_required *required; /* [n_requirement] */
    const char **paths;           /* [n_path] keys of all ranges */
    int n_path;
    double *values;  /* [children of all starts][n_path] of a call */
    double *numbers; /* [n_vary + cost.n] of a run */
    double *costs;   /* [n_run] of a point */
    double *offs; /* [n_requirement][n_run] how far each run is off, in sizes of the requirement */
    double *sorted; /* [n_run] */
    struct ml_merit best;
};

static const struct ml_study_spec *spec_of(const struct tune_job *job) { return &job->study->spec; }

static int n_requirement(const struct tune_job *job)
{
    return spec_of(job)->indicators.n_requirement;
}

static struct ml_fit_range range_of(const struct ml_axis *axis)
{
    return (struct ml_fit_range){.from = axis->from, .to = axis->to, .is_log = axis->is_log};
}

/* A number of a run at a point; NaN of a run that ended as no study asks for. */
static double number_of(const struct tune_job *job, const struct ml_prepared_runs *runs,
                        int64_t run, struct ml_required at)
{
    const int64_t *first = job->study->results.first + at.output;
    return ml_outcome_is_sound(runs->outcome[run])
               ? runs->outputs[at.output][run * (first[1] - first[0]) + at.row]
               : (double)NAN;
}

static double cost_of(const struct tune_job *job, const struct ml_prepared_runs *runs, int64_t run)
{
    for (int i = 0; i < job->cost.n; i++)
        job->numbers[job->tune->n_vary + i] = number_of(job, runs, run, job->cost.numbers[i]);
    const double cost = ml_outcome_is_sound(runs->outcome[run])
                            ? ml_formula_value(job->cost.formula, job->numbers)
                            : (double)NAN;
    return isfinite(cost) ? cost : (double)INFINITY;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number that the share of the runs that counts does not exceed. */
static double share_of(const struct tune_job *job, const double *numbers)
{
    const size_t n = (size_t)job->study->ensemble.n_run;
    const double share = job->tune->over == ML_OVER_QUANTILE ? job->tune->quantile : 1.0;
    const double rank = ceil(share * (double)n * (1.0 - 0x1p-50)) - 1.0;
    for (size_t i = 0; i < n; i++)
        job->sorted[i] = numbers[i];
    qsort(job->sorted, n, sizeof *job->sorted, compare_numbers);
    return job->sorted[(size_t)fmax(rank, 0.0)];
}

static double cost_of_all(const struct tune_job *job)
{
    const int64_t n = job->study->ensemble.n_run;
    double sum = 0.0;
    if (job->tune->over != ML_OVER_MEAN)
        return share_of(job, job->costs);
    for (int64_t k = 0; k < n; k++)
        sum += job->costs[k];
    return sum / (double)n;
}

/* Fills in costs and offs of a point; the merit where runs lack their numbers: of these runs those
 * that ended later are better. */
static double look_at(struct tune_job *job, const struct ml_prepared_runs *runs, int64_t point,
                      const double *values)
{
    const int64_t n = runs->n_run;
    double without = 0.0;
    for (int i = 0, path = 0; i < job->tune->n_vary; path += job->tune->vary[i++].n_swept)
        job->numbers[i] = values[path];
    for (int64_t k = 0; k < n; k++) {
        const int64_t run = point * n + k;
        bool has_all = isfinite(job->costs[k] = cost_of(job, runs, run));
        for (int i = 0; i < n_requirement(job); i++) {
            const struct ml_requirement *q = &spec_of(job)->indicators.requirements[i];
            const double number = number_of(job, runs, run, job->required[i]);
            job->offs[i * n + k] =
                isnan(number) ? (double)INFINITY
                              : -ml_requirement_distance(q, number) / ml_requirement_size(q);
            has_all &= !isnan(number);
        }
        without += has_all ? 0.0 : 1.0 / (1.0 + fmax(runs->end_time[run], 0.0));
    }
    return without;
}

static struct ml_merit merit_of(const struct tune_job *job, double without)
{
    double off = 0.0;
    bool is_met = true;
    const double cost = cost_of_all(job);
    for (int i = 0; i < n_requirement(job); i++) {
        const double worst = share_of(job, job->offs + i * job->study->ensemble.n_run);
        off += fmax(worst, 0.0);
        is_met &= worst < 0.0;
    }
    if (!isfinite(cost) || !isfinite(off))
        return (struct ml_merit){ML_MERIT_NOTHING, without};
    return is_met ? (struct ml_merit){ML_MERIT_MET, cost} : (struct ml_merit){ML_MERIT_OFF, off};
}

/* Keeps the numbers of the best point. */
static void keep_best(struct tune_job *job, const struct ml_prepared_runs *runs, int64_t point)
{
    struct ml_tuned_number *numbers = (struct ml_tuned_number *)job->out->numbers;
    struct ml_tuned_requirement *kept = (struct ml_tuned_requirement *)job->out->requirements;
    const int64_t n = runs->n_run;
    for (int i = 0; i < job->tune->n_vary; i++)
        numbers[i].value = job->numbers[i];
    job->out->cost = cost_of_all(job);
    for (int i = 0; i < n_requirement(job); i++) {
        const double worst = share_of(job, job->offs + i * n);
        int64_t k = 0;
        while (k < n && job->offs[i * n + k] != worst)
            k++;
        kept[i].value = number_of(job, runs, point * n + k, job->required[i]);
        kept[i].is_met = worst < 0.0;
    }
}

/* As `find` of the search. */
static enum ml_status run_points(void *context, int64_t n_point, const double *z,
                                 struct ml_merit *merits, struct ml_error *err)
{
    struct tune_job *job = context;
    const struct ml_tune_spec *tune = job->tune;
    double *value = job->values;
    for (int64_t p = 0; p < n_point; p++)
        for (int i = 0; i < tune->n_vary; i++) {
            const struct ml_fit_range range = range_of(&tune->vary[i]);
            for (int k = 0; k < tune->vary[i].n_swept; k++)
                *value++ = ml_fit_number(&range, z[p * tune->n_vary + i]);
        }
    const struct ml_prepared_points points = {.size = sizeof points,
                                              .paths = job->paths,
                                              .n_path = job->n_path,
                                              .values = job->values,
                                              .n_point = n_point};
    const struct ml_run_options how = {.size = sizeof how,
                                       .n_thread = job->out->threads,
                                       .stop = job->options->stop,
                                       .context = job->options->context,
                                       .kernel = job->options->kernel,
                                       .no_native = job->options->no_native};
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const enum ml_status status = ml_prepared_run(job->prepared, &points, &how, &runs, err);
    for (int64_t p = 0; status == ML_OK && p < n_point; p++) {
        merits[p] = merit_of(job, look_at(job, &runs, p, job->values + p * job->n_path));
        job->out->points++;
        if (job->out->points > 1 && !ml_merit_is_less(merits[p], job->best))
            continue;
        job->best = merits[p];
        keep_best(job, &runs, p);
    }
    return status;
}

/* The study's own numbers as a point; false where these are not all given and in their ranges. */
static bool find_own(const struct tune_job *job, double *z)
{
    bool has = true;
    for (int i = 0; i < job->tune->n_vary; i++) {
        const struct ml_axis *axis = &job->tune->vary[i];
        const struct ml_fit_range range = range_of(axis);
        for (int k = 0; k < axis->n_swept; k++) {
            const double own = spec_of(job)->numbers.base[axis->swept[k].slot];
            has = has && own >= axis->from && own <= axis->to;
        }
        z[i] = has ? ml_fit_coordinate(&range, spec_of(job)->numbers.base[axis->swept->slot]) : 0.5;
    }
    return has;
}

static bool take_room(struct tune_job *job)
{
    struct ml_pool *pool = job->pool;
    const struct ml_tune_spec *tune = job->tune;
    const size_t n_run = (size_t)job->study->ensemble.n_run, n_need = (size_t)n_requirement(job);
    for (int i = 0; i < tune->n_vary; i++)
        job->n_path += tune->vary[i].n_swept;
    job->paths = ml_pool_take(pool, (size_t)job->n_path, sizeof *job->paths);
    for (int i = 0, path = 0; job->paths && i < tune->n_vary; i++)
        for (int k = 0; k < tune->vary[i].n_swept; k++)
            job->paths[path++] = tune->vary[i].swept[k].path;
    job->values =
        ml_pool_take(pool, (size_t)tune->starts * ML_EVOLUTION_CHILDREN * (size_t)job->n_path,
                     sizeof *job->values);
    job->numbers = ml_pool_take(pool, (size_t)(tune->n_vary + job->cost.n), sizeof *job->numbers);
    job->costs = ml_pool_take(pool, n_run, sizeof *job->costs);
    job->sorted = ml_pool_take(pool, n_run, sizeof *job->sorted);
    job->offs = ml_pool_take(pool, n_run * n_need + 1, sizeof *job->offs);
    job->required = ml_pool_take(pool, n_need + 1, sizeof *job->required);
    job->out->requirements = ml_pool_take(pool, n_need + 1, sizeof *job->out->requirements);
    job->out->numbers = ml_pool_take(pool, (size_t)tune->n_vary, sizeof *job->out->numbers);
    return !pool->is_short;
}

/* The study, its cost and its requirements. */
static enum ml_status prepare(struct tune_job *job, struct ml_error *err)
{
    job->study = ml_prepared_study(job->prepared);
    job->tune = &spec_of(job)->tune;
    if (job->tune->n_vary == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot tune: the study has no `tune`; add tune: {vary: [{set: KEY, "
                       "from: .., to: ..}], minimise: NUMBER}",
                       spec_of(job)->name);
    const struct ml_layout layout = {
        .study = job->study, .shard = ML_UNSHARDED, .results = job->study->results};
    const char *unknown;
    const enum ml_status status = ml_cost_read(&layout, job->pool, &job->cost, &unknown, err);
    if (status != ML_OK)
        return status;
    if (!take_room(job))
        return ml_fail(err, ML_E_MEMORY, "no memory for a search");
    struct ml_tuned_requirement *kept = (struct ml_tuned_requirement *)job->out->requirements;
    for (int i = 0; i < n_requirement(job); i++) {
        const struct ml_requirement *q = &spec_of(job)->indicators.requirements[i];
        job->required[i] = ml_required_find(&layout, q->name);
        kept[i].text = ml_requirement_text(q, job->pool);
    }
    job->out->n_requirement = n_requirement(job);
    return ML_OK;
}

/* Adds a line to the words about the end. */
static void add_line(struct tune_job *job, const char *line)
{
    const char *before = job->out->end;
    job->out->end = before && line
                        ? ml_pool_format(job->pool, "%s%s%s", before, *before ? "\n" : "", line)
                        : NULL;
}

static void describe_numbers(struct tune_job *job)
{
    struct ml_tuned_number *numbers = (struct ml_tuned_number *)job->out->numbers;
    const char *set = "";
    for (int i = 0; i < job->tune->n_vary; i++) {
        const struct ml_axis *axis = &job->tune->vary[i];
        const struct ml_fit_range range = range_of(axis);
        const double z = ml_fit_coordinate(&range, numbers[i].value);
        char text[ML_NUMBER_TEXT];
        numbers[i].keys = axis->swept->path;
        numbers[i].unit = axis->swept->unit;
        numbers[i].from = axis->from;
        numbers[i].to = axis->to;
        numbers[i].bound = (z > 1.0 - at_bound) - (z < at_bound);
        ml_number_text(numbers[i].value, text);
        for (int k = 0; k < axis->n_swept && set && numbers[i].keys; k++) {
            const char *path = axis->swept[k].path;
            if (k > 0)
                numbers[i].keys = ml_pool_format(job->pool, "%s, %s", numbers[i].keys, path);
            set = ml_pool_format(job->pool, "%s%s--set %s=%s", set, *set ? " " : "", path, text);
        }
    }
    job->out->n = job->tune->n_vary;
    job->out->set = set;
}

/* The cost's formula, and the runs that the cost is of. */
static void describe_cost(struct tune_job *job)
{
    const struct ml_tune_spec *tune = job->tune;
    const long long n = (long long)job->study->ensemble.n_run;
    struct ml_pool *pool = job->pool;
    job->out->cost_text =
        n == 1 ? ml_pool_format(pool, "%s", tune->minimise)
        : tune->over == ML_OVER_WORST
            ? ml_pool_format(pool, "%s, the worst of %lld runs", tune->minimise, n)
        : tune->over == ML_OVER_MEAN
            ? ml_pool_format(pool, "%s, mean of %lld runs", tune->minimise, n)
            : ml_pool_format(pool, "%s, quantile %.6g of %lld runs", tune->minimise, tune->quantile,
                             n);
}

static void describe_end(struct tune_job *job, const struct ml_least *found, bool is_stopped)
{
    struct ml_tuning *out = job->out;
    struct ml_pool *pool = job->pool;
    out->end = "";
    if (is_stopped || !out->is_converged)
        add_line(job, ml_pool_format(pool, "%s with deviations of %.2g of the ranges%s",
                                     is_stopped ? "stopped before its end"
                                                : "stopped at the limit of points",
                                     found->spread, is_stopped ? "" : ": raise `tune.points`"));
    else
        add_line(
            job,
            ml_pool_format(
                pool,
                "converged to deviations of %.2g of the ranges; %d of %d start%s met this minimum",
                found->spread, out->n_met, out->n_start, out->n_start == 1 ? "" : "s"));
    if (!out->is_met)
        add_line(job, "no point meets all requirements: these numbers are nearest to it; widen "
                      "`vary`, or relax a requirement");
    for (int i = 0; i < out->n; i++)
        if (out->numbers[i].bound != 0)
            add_line(job,
                     ml_pool_format(
                         pool, "`%s` is at its bound %.6g: a wider range may have a lower cost",
                         out->numbers[i].keys,
                         out->numbers[i].bound < 0 ? out->numbers[i].from : out->numbers[i].to));
}

static enum ml_status search(struct tune_job *job, struct ml_error *err)
{
    const struct ml_tune_spec *tune = job->tune;
    struct ml_tuning *out = job->out;
    double *own = ml_pool_take(job->pool, (size_t)tune->n_vary, sizeof *own);
    struct ml_least found = {.spread = (double)NAN};
    struct ml_merit first;
    enum ml_status status = own ? ML_OK : ml_fail(err, ML_E_MEMORY, "no memory for a search");
    out->cost_before = (double)NAN;
    const bool has_own = own && find_own(job, own);
    if (has_own && (status = run_points(job, 1, own, &first, err)) == ML_OK && isfinite(out->cost))
        out->cost_before = out->cost;
    const struct ml_least_of of = {.n = tune->n_vary,
                                   .n_start = (int)tune->starts,
                                   .most = tune->points - has_own,
                                   .seed = (uint64_t)tune->seed,
                                   .own = own,
                                   .find = run_points,
                                   .context = job};
    if (status == ML_OK)
        status = ml_least_find(&of, job->pool, &found, err);
    const bool is_stopped = status == ML_STOPPED && out->points > 0;
    if (status != ML_OK && !is_stopped)
        return status;
    if (out->points == 0 || job->best.rank == ML_MERIT_NOTHING)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: cannot tune: at none of %lld points the runs have the cost and all required "
            "numbers, "
            "as runs that did not finish, or never settle, have none; start from numbers "
            "with which they do, narrow `vary`, or raise `tune.points`",
            spec_of(job)->name, (long long)out->points);
    ml_error_clear(err);
    out->runs = out->points * job->study->ensemble.n_run;
    out->n_start = of.n_start;
    out->n_met = found.n_met;
    out->spread = found.spread;
    out->is_converged = found.is_converged;
    out->is_met = job->best.rank == ML_MERIT_MET;
    describe_numbers(job);
    describe_cost(job);
    describe_end(job, &found, is_stopped);
    return job->pool->is_short ? ml_fail(err, ML_E_MEMORY, "no memory for the numbers") : ML_OK;
}

static enum ml_status tune_study(struct tune_job *job, const struct ml_study_source *source,
                                 struct ml_error *err)
{
    enum ml_status status = ml_prepare(source, &job->prepared, err);
    if (status == ML_OK)
        status = prepare(job, err);
    if (status == ML_OK)
        status = search(job, err);
    ml_formula_free(job->cost.formula);
    ml_prepared_free(job->prepared);
    return status;
}

enum ml_status ml_tune(const struct ml_study_source *source, const struct ml_tune_options *given,
                       struct ml_tuning *out, struct ml_error *err)
{
    struct ml_tune_options options;
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_tune_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_thread", options.n_thread, 0, INT_MAX},
                             {"kernel", (int)options.kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE}),
            "ml_tune_options", err);
    if (status == ML_OK)
        status = ml_sized_check(out, "ml_tuning", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    const double start = omp_get_wtime();
    struct ml_pool *pool = calloc(1, sizeof *pool);
    struct ml_tuning own = {
        .threads = options.n_thread > 0 ? options.n_thread : ml_cgroup_threads(), .memory = pool};
    struct tune_job job = {.options = &options, .out = &own, .pool = pool};
    status =
        pool ? tune_study(&job, source, err) : ml_fail(err, ML_E_MEMORY, "no memory for a study");
    own.seconds = omp_get_wtime() - start;
    if (status != ML_OK || !out) {
        ml_tuning_free(&own);
        own = (struct ml_tuning){0};
    }
    ml_sized_write(out, &own, sizeof own);
    ml_numeric_env_restore(&before);
    return status;
}

void ml_tuning_free(struct ml_tuning *tuning)
{
    if (!tuning || !tuning->memory)
        return;
    ml_pool_free(tuning->memory);
    free(tuning->memory);
    tuning->memory = NULL;
}
