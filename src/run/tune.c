/* Tuned numbers of a study: the merits of points are those of runs of the kept study. */
#include "manylink/tune.h"

#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "fit/coordinate.h"
#include "manylink/fail.h"
#include "manylink/outcome.h"
#include "manylink/prepared.h"
#include "plan/cost.h"
#include "statistics/least.h"
#include "statistics/select.h"
#include "yaml/number.h"

static const double at_bound = 1e-6; /* of the range */

struct tune_job {
    const struct ml_tune_options *options; /* of this version's size */
    struct ml_tuning *out;                 /* the same */
    struct ml_tuned_number *numbers;       /* of `out` */
    struct ml_tuned_requirement *kept;     /* the same */
    struct ml_pool *pool;                  /* the same */
    struct ml_prepared *prepared;
    const struct ml_study *study; /* as its source has it */
    const struct ml_tune_spec *tune;
    const struct ml_requirement *requirements; /* [n_need] */
    struct ml_required *required;              /* [n_need] */
    int n_need;
    int64_t n_run; /* of a point */
    struct ml_cost cost;
    struct ml_fit_range *ranges; /* [n_vary] */
    const char **paths;          /* [n_path] keys of all ranges */
    int n_path;
    double *values; /* [points of a call][n_path] */
    double *inputs; /* [cost.n] of a run */
    double *runs;   /* [1 + n_need][n_run] of a point: costs, then how far each run is off, in sizes
                       of the requirement; INFINITY of a run without the number */
    double *sorted; /* [n_run] */
    struct ml_merit best;
    bool *is_idle; /* [n_vary]: cost and requirements of all runs stay the same when the number
                      alone leaves the best point */
    bool is_found; /* further points are none of the search */
};

/* The number that the share of the runs that counts does not exceed. */
static double share_of(const struct tune_job *job, const double *numbers)
{
    const double share = job->tune->over == ML_OVER_QUANTILE ? job->tune->quantile : 1.0;
    const double last = ceil(share * (double)job->n_run * (1.0 - 0x1p-50)) - 1.0;
    const int64_t rank = (int64_t)fmax(last, 0.0);
    memcpy(job->sorted, numbers, (size_t)job->n_run * sizeof *numbers);
    ml_select(job->sorted, job->n_run, &rank, 1);
    return job->sorted[rank];
}

static double cost_of(const struct tune_job *job)
{
    double sum = 0.0;
    for (int64_t k = 0; k < job->n_run; k++)
        sum += job->runs[k];
    return job->tune->over == ML_OVER_MEAN ? sum / (double)job->n_run : share_of(job, job->runs);
}

/* A number of a run; NaN of a run that ended as no study asks for. */
static double number_of(const struct tune_job *job, const struct ml_prepared_runs *runs,
                        int64_t run, struct ml_required at)
{
    const int64_t *first = job->study->results.first + at.output;
    return ml_outcome_is_sound(runs->outcome[run])
               ? runs->outputs[at.output][run * (first[1] - first[0]) + at.row]
               : (double)NAN;
}

/* Fills in `runs` of a point; the merit of a point that has not all numbers: of runs that lack any
 * those that ended later are better. */
static double look_at(struct tune_job *job, const struct ml_prepared_runs *runs, int64_t point)
{
    double without = 0.0;
    for (int64_t k = 0; k < job->n_run; k++) {
        const int64_t run = point * job->n_run + k;
        for (int i = 0; i < job->cost.n; i++)
            job->inputs[i] = number_of(job, runs, run, job->cost.numbers[i]);
        const double cost = ml_outcome_is_sound(runs->outcome[run])
                                ? ml_formula_value(job->cost.formula, job->inputs)
                                : (double)NAN;
        bool has_all = isfinite(cost);
        job->runs[k] = has_all ? cost : (double)INFINITY;
        for (int i = 0; i < job->n_need; i++) {
            const struct ml_requirement *q = &job->requirements[i];
            const double off =
                -ml_requirement_distance(q, number_of(job, runs, run, job->required[i])) /
                ml_requirement_size(q);
            job->runs[(i + 1) * job->n_run + k] = isnan(off) ? (double)INFINITY : off;
            has_all &= !isnan(off);
        }
        without += has_all ? 0.0 : 1.0 / (1.0 + fmax(runs->end_time[run], 0.0));
    }
    return without;
}

static struct ml_merit merit_of(const struct tune_job *job, double without)
{
    double off = 0.0;
    bool is_met = true;
    const double cost = cost_of(job);
    for (int i = 0; i < job->n_need; i++) {
        const double worst = share_of(job, job->runs + (i + 1) * job->n_run);
        off += fmax(worst, 0.0);
        is_met &= worst < 0.0;
    }
    if (!isfinite(cost) || !isfinite(off))
        return (struct ml_merit){ML_MERIT_NOTHING, without};
    return is_met ? (struct ml_merit){ML_MERIT_MET, cost} : (struct ml_merit){ML_MERIT_OFF, off};
}

/* Keeps the numbers of the best point. */
static void keep(struct tune_job *job, const struct ml_prepared_runs *runs, int64_t point)
{
    const double *value = job->values + point * job->n_path;
    for (int i = 0; i < job->tune->n_vary; value += job->tune->vary[i++].n_swept)
        job->numbers[i].value = *value;
    job->out->cost = cost_of(job);
    for (int i = 0; i < job->n_need; i++) {
        const double *offs = job->runs + (i + 1) * job->n_run, worst = share_of(job, offs);
        int64_t k = 0;
        while (k + 1 < job->n_run && offs[k] != worst)
            k++;
        job->kept[i].value = number_of(job, runs, point * job->n_run + k, job->required[i]);
        job->kept[i].is_met = worst < 0.0;
    }
}

/* As `find` of the search. */
static enum ml_status run_points(void *context, int64_t n_point, const double *z,
                                 struct ml_merit *merits, struct ml_error *err)
{
    struct tune_job *job = context;
    const struct ml_tune_options *o = job->options;
    const int n = job->tune->n_vary;
    double *value = job->values;
    for (int64_t i = 0; i < n_point * n; i++)
        for (int k = 0; k < job->tune->vary[i % n].n_swept; k++)
            *value++ = ml_fit_number(&job->ranges[i % n], z[i]);
    const struct ml_prepared_points points = {sizeof points, job->paths, job->n_path, job->values,
                                              n_point};
    const struct ml_run_options how = {.size = sizeof how,
                                       .n_thread = job->out->threads,
                                       .stop = o->stop,
                                       .context = o->context,
                                       .kernel = o->kernel,
                                       .no_native = o->no_native};
    struct ml_prepared_runs runs = {.size = sizeof runs};
    const enum ml_status status = ml_prepared_run(job->prepared, &points, &how, &runs, err);
    for (int64_t p = 0; status == ML_OK && p < n_point; p++) {
        merits[p] = merit_of(job, look_at(job, &runs, p));
        if (job->is_found)
            continue;
        if (job->out->points++ > 0 && !ml_merit_is_less(merits[p], job->best))
            continue;
        job->best = merits[p];
        keep(job, &runs, p);
    }
    return status;
}

static bool take_room(struct tune_job *job)
{
    struct ml_pool *pool = job->pool;
    const struct ml_tune_spec *tune = job->tune;
    const size_t n_run = (size_t)job->n_run, n_need = (size_t)job->n_need,
                 n_vary = (size_t)tune->n_vary;
    for (int i = 0; i < tune->n_vary; i++)
        job->n_path += tune->vary[i].n_swept;
    const size_t n_path = (size_t)job->n_path;
    job->paths = ml_pool_take(pool, n_path, sizeof *job->paths);
    job->values =
        ml_pool_take(pool, (size_t)tune->starts * ML_LEAST_CHILDREN * n_path, sizeof *job->values);
    job->inputs = ml_pool_take(pool, (size_t)job->cost.n + 1, sizeof *job->inputs);
    job->runs = ml_pool_take(pool, n_run * (n_need + 1), sizeof *job->runs);
    job->sorted = ml_pool_take(pool, n_run, sizeof *job->sorted);
    job->ranges = ml_pool_take(pool, n_vary, sizeof *job->ranges);
    job->is_idle = ml_pool_take(pool, n_vary, sizeof *job->is_idle);
    job->required = ml_pool_take(pool, n_need + 1, sizeof *job->required);
    job->out->requirements = job->kept = ml_pool_take(pool, n_need + 1, sizeof *job->kept);
    job->out->numbers = job->numbers = ml_pool_take(pool, n_vary, sizeof *job->numbers);
    return !pool->is_short;
}

/* The study, its cost and its requirements. */
static enum ml_status prepare(struct tune_job *job, struct ml_error *err)
{
    const struct ml_study *study = job->study = ml_prepared_study(job->prepared);
    const struct ml_layout layout = {
        .study = study, .shard = ML_UNSHARDED, .results = study->results};
    job->tune = &study->spec.tune;
    job->n_run = study->ensemble.n_run;
    job->requirements = study->spec.indicators.requirements;
    job->n_need = job->out->n_requirement = study->spec.indicators.n_requirement;
    if (job->tune->n_vary == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot tune: the study has no `tune`; add tune: {vary: [{set: KEY, "
                       "from: .., to: ..}], minimise: NUMBER}",
                       study->spec.name);
    const enum ml_status status = ml_cost_read(&layout, job->pool, &job->cost, err);
    if (status != ML_OK)
        return status;
    if (!take_room(job))
        return ml_fail(err, ML_E_MEMORY, "no memory for a search");
    for (int i = 0; i < job->n_need; i++) {
        job->required[i] = ml_required_find(&layout, job->requirements[i].name);
        job->kept[i].text = ml_requirement_text(&job->requirements[i], job->pool);
    }
    for (int i = 0, path = 0; i < job->tune->n_vary; i++) {
        const struct ml_axis *axis = &job->tune->vary[i];
        job->ranges[i] =
            (struct ml_fit_range){.from = axis->from, .to = axis->to, .is_log = axis->is_log};
        for (int k = 0; k < axis->n_swept; k++)
            job->paths[path++] = axis->swept[k].path;
    }
    return ML_OK;
}

/* The study's own numbers as a point; false where these are not all given and in their ranges. */
static bool find_own(const struct tune_job *job, double *z)
{
    bool has = true;
    for (int i = 0; i < job->tune->n_vary; i++) {
        const struct ml_axis *axis = &job->tune->vary[i];
        const double *base = job->study->spec.numbers.base, own = base[axis->swept->slot];
        bool is_in = own >= axis->from && own <= axis->to;
        for (int k = 1; k < axis->n_swept; k++)
            is_in = is_in && base[axis->swept[k].slot] == own;
        z[i] = is_in ? ml_fit_coordinate(&job->ranges[i], own) : 0.5;
        has &= is_in;
    }
    return has;
}

/* Finds `is_idle`, by three further points for each number, at both ends of its range and between.
 * After a stop, or where a range ends beyond the study's checks, the other numbers count as not
 * idle. */
static enum ml_status find_idle(struct tune_job *job, const double *best, struct ml_error *err)
{
    enum { MOVES = 3 };
    const int n = job->tune->n_vary;
    const size_t n_number = (size_t)(1 + job->n_need) * (size_t)job->n_run;
    double *z = ml_pool_take(job->pool, (size_t)n, sizeof *z);
    double *runs = ml_pool_take(job->pool, n_number, sizeof *runs); /* of the best point */
    struct ml_merit unused;
    if (!z || !runs)
        return ml_fail(err, ML_E_MEMORY, "no memory for a search");
    job->is_found = true;
    memcpy(z, best, (size_t)n * sizeof *z);
    enum ml_status status = run_points(job, 1, z, &unused, err);
    memcpy(runs, job->runs, n_number * sizeof *runs);
    for (int i = 0; i < n && status == ML_OK; i++) {
        const double moves[MOVES] = {0.0, 1.0, best[i] + (best[i] < 0.5 ? 0.2 : -0.2)};
        bool is_idle = true;
        for (int k = 0; k < MOVES && is_idle && status == ML_OK; k++) {
            z[i] = moves[k];
            status = run_points(job, 1, z, &unused, err);
            is_idle = memcmp(runs, job->runs, n_number * sizeof *runs) == 0;
        }
        job->is_idle[i] = is_idle && status == ML_OK;
        z[i] = best[i];
    }
    if (status == ML_E_MEMORY)
        return status;
    ml_error_clear(err);
    return ML_OK;
}

/* Adds a text to another text, on a line of its own. */
static const char *add(struct tune_job *job, const char *text, const char *line)
{
    return text && line ? ml_pool_format(job->pool, "%s%s%s", text, *text ? "\n" : "", line) : NULL;
}

/* The numbers, and words about bounds behind the words about the end. */
static void describe_numbers(struct tune_job *job)
{
    char text[ML_NUMBER_TEXT];
    const char *set = "";
    for (int i = 0; i < job->tune->n_vary; i++) {
        const struct ml_axis *axis = &job->tune->vary[i];
        struct ml_tuned_number *number = &job->numbers[i];
        const double z = ml_fit_coordinate(&job->ranges[i], number->value);
        const int bound = (z > 1.0 - at_bound) - (z < at_bound);
        *number = (struct ml_tuned_number){ml_pool_format(job->pool, "%s", axis->swept->path),
                                           ml_pool_format(job->pool, "%s", axis->swept->unit),
                                           number->value,
                                           axis->from,
                                           axis->to,
                                           bound};
        ml_number_text(number->value, text);
        for (int k = 0; k < axis->n_swept && set; k++)
            set = ml_pool_format(job->pool, "%s%s--set %s=%s", set, *set ? " " : "",
                                 axis->swept[k].path, text);
        if (bound)
            job->out->end =
                add(job, job->out->end,
                    ml_pool_format(job->pool,
                                   "`%s` is at its bound %.6g: a wider range may have a "
                                   "lower cost",
                                   number->key, bound < 0 ? number->from : number->to));
        if (job->is_idle[i])
            job->out->end =
                add(job, job->out->end,
                    ml_pool_format(job->pool,
                                   "neither the cost nor a requirement changes with `%s`, at both "
                                   "ends of its range and between",
                                   number->key));
    }
    job->out->n = job->tune->n_vary;
    job->out->set = set;
}

static void describe(struct tune_job *job, const struct ml_least *found, bool is_stopped,
                     bool is_own_met)
{
    static const char *const overs[] = {"worst", "mean", "quantile"}; /* enum ml_tune_over */
    struct ml_tuning *out = job->out;
    out->runs = out->points * job->n_run;
    out->is_converged = found->is_converged;
    out->is_met = job->best.rank == ML_MERIT_MET;
    out->cost_text = job->n_run > 1
                         ? ml_pool_format(job->pool, "%s, %s of %lld runs", job->tune->minimise,
                                          overs[job->tune->over], (long long)job->n_run)
                         : ml_pool_format(job->pool, "%s", job->tune->minimise);
    if (found->is_converged)
        out->end = ml_pool_format(job->pool,
                                  "converged: points differ by %.2g of the ranges; %d of %d "
                                  "starts met this minimum",
                                  found->spread, found->n_met, (int)job->tune->starts);
    else if (isnan(found->spread))
        out->end = ml_pool_format(job->pool, "stopped before its end, after %lld points",
                                  (long long)out->points);
    else
        out->end = ml_pool_format(job->pool, "stopped %s: points differ by %.2g of the ranges%s",
                                  is_stopped ? "before its end" : "at the limit of points",
                                  found->spread, is_stopped ? "" : "; raise `tune.points`");
    if (out->is_met && !isnan(out->cost_before) && !is_own_met)
        out->end = add(job, out->end, "the study's own numbers do not meet the requirements");
    if (!out->is_met)
        out->end = add(job, out->end,
                       "no point meets all requirements: these numbers are nearest; widen `vary`, "
                       "or relax a requirement");
    describe_numbers(job);
}

static enum ml_status search(struct tune_job *job, struct ml_error *err)
{
    struct ml_tuning *out = job->out;
    double *own = ml_pool_take(job->pool, (size_t)job->tune->n_vary, sizeof *own);
    struct ml_least found = {.spread = (double)NAN};
    struct ml_merit first = {.rank = ML_MERIT_NOTHING};
    const bool has_own = own && find_own(job, own);
    const struct ml_least_of of = {.n = job->tune->n_vary,
                                   .n_start = (int)job->tune->starts,
                                   .seed = (uint64_t)job->tune->seed,
                                   .most = job->tune->points - has_own,
                                   .own = own,
                                   .find = run_points,
                                   .context = job};
    enum ml_status status = own ? ML_OK : ML_E_MEMORY;
    if (has_own)
        status = run_points(job, 1, own, &first, err);
    out->cost_before = out->points > 0 && isfinite(out->cost) ? out->cost : (double)NAN;
    if (status == ML_OK)
        status = ml_least_find(&of, job->pool, &found, err);
    const bool is_stopped = status == ML_STOPPED && out->points > 0;
    if (status != ML_OK && !is_stopped)
        return status;
    ml_error_clear(err);
    if (out->points == 0 || job->best.rank == ML_MERIT_NOTHING)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot tune: at none of %lld points the runs have the cost and all "
                       "required numbers, as runs that did not finish, or never settle, have none; "
                       "start from numbers with which they do, narrow `vary`, or raise "
                       "`tune.points`",
                       job->study->spec.name, (long long)out->points);
    status = found.is_converged ? find_idle(job, found.z, err) : ML_OK;
    if (status != ML_OK)
        return status;
    describe(job, &found, is_stopped, first.rank == ML_MERIT_MET);
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
