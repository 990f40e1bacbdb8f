/* The starts and their iterations. */
#include "fit/starts.h"

#include <math.h>
#include <string.h>

#include "config/schema/values.h"
#include "fit/coordinate.h"
#include "fit/loss.h"
#include "manylink/fail.h"
#include "statistics/select.h"

void ml_starts_set(const struct ml_starts *s, int experiment, const double *numbers, double *values)
{
    const struct ml_study_spec *spec = &s->study->spec;
    const struct ml_experiment *e = &spec->fit.experiments[experiment];
    ml_study_values(spec, 0, values);
    for (int i = 0; i < e->n_set; i++)
        values[e->slots[i]] = e->values[i];
    for (int i = 0; i < spec->fit.n_direction; i++) {
        const struct ml_direction *direction = &spec->fit.ranges[e->ranges[i]].direction;
        for (int k = 0; k < direction->n; k++)
            values[direction->slot[k]] = direction->weight[k] * numbers[e->ranges[i]];
    }
    if (spec->numbers.defined)
        ml_defined_apply(spec->numbers.defined, values);
}

/* z of the points of the sample. */
static bool place_starts(struct ml_starts *s)
{
    const struct ml_study_spec *spec = &s->study->spec;
    const struct ml_axis *sample = ml_study_spec_sample(spec);
    double *swept = ml_pool_take(&s->pool, (size_t)sample->n_swept, sizeof *swept);
    for (int64_t i = 0; swept && i < s->n_start; i++) {
        ml_study_swept(spec, i, swept);
        for (int k = sample->n_swept - 1; k >= 0; k--) {
            const struct ml_swept *key = &sample->swept[k];
            for (int e = 0; e < s->n_experiment; e++) {
                const int at = spec->fit.experiments[e].ranges[key->dimension];
                const struct ml_fit_range *range = &spec->fit.ranges[at];
                const bool is_own = i == 0 && !isnan(range->own);
                s->first[i * s->n + at] =
                    ml_fit_coordinate(range, is_own ? range->own : swept[k] / key->weight);
            }
        }
    }
    return swept != NULL;
}

/* Half the sum of squares of residuals that are rounding alone. */
static double find_floor(const struct ml_starts *s)
{
    const struct ml_measured_numbers *m = s->measured;
    double sum = 0.0;
    for (int c = 0; c < m->n_column; c++) {
        const double residual = ML_FIT_ROUNDING * m->size[c] / m->least_sd[c];
        sum += 0.5 * residual * residual * (double)m->n_time;
    }
    return sum;
}

/* Room for the numbers of every run, where a start has several. */
static bool take_parts(struct ml_starts *s)
{
    const size_t n = (size_t)s->study->spec.fit.n_direction,
                 n_run = (size_t)(s->n_start * s->n_experiment);
    s->parts = s->found;
    if (s->n_experiment == 1)
        return true;
    s->parts = ml_pool_take(&s->pool, n_run, sizeof *s->parts);
    double *rows = ml_pool_take(&s->pool, n_run * n * (1 + n), sizeof *rows);
    for (size_t i = 0; s->parts && rows && i < n_run; i++, rows += n * (1 + n))
        s->parts[i] = (struct ml_normal){.slope = rows, .hessian = rows + n};
    return s->parts && rows;
}

/* Adds the numbers of one experiment's run, by the d numbers that vary the run, to those by all n.
 */
static void add_part(const struct ml_experiment *e, int d, const struct ml_normal *part,
                     struct ml_normal *to, int n)
{
    to->cost += part->cost;
    for (int i = 0; i < d; i++) {
        to->slope[e->ranges[i]] += part->slope[i];
        for (int j = 0; j < d; j++)
            to->hessian[e->ranges[i] * n + e->ranges[j]] += part->hessian[i * d + j];
    }
}

/* Adds up the runs of the starts underway. */
static void join_parts(struct ml_starts *s)
{
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    for (int64_t i = 0; s->n_experiment > 1 && i < s->n_underway; i++) {
        struct ml_normal *to = &s->found[s->underway[i]];
        const struct ml_normal *from = &s->parts[s->underway[i] * s->n_experiment];
        to->cost = 0.0;
        memset(to->slope, 0, (size_t)s->n * sizeof *to->slope);
        memset(to->hessian, 0, (size_t)s->n * (size_t)s->n * sizeof *to->hessian);
        for (int e = 0; e < s->n_experiment; e++)
            add_part(&fit->experiments[e], fit->n_direction, &from[e], to, s->n);
    }
}

void ml_starts_add_priors(const struct ml_starts *s, const double *z, struct ml_normal *to)
{
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    double residuals[ML_FIT_MOST], jacobian[ML_FIT_MOST * ML_FIT_MOST];
    ml_fit_priors(fit, z, residuals, jacobian);
    for (int k = 0; k < s->n; k++) {
        const double *row = jacobian + k * s->n;
        if (!ml_fit_has_prior(&fit->ranges[k]))
            continue;
        to->cost += 0.5 * residuals[k] * residuals[k];
        for (int i = 0; i <= k; i++) {
            to->slope[i] += residuals[k] * row[i];
            for (int j = 0; j <= k; j++)
                to->hessian[i * s->n + j] += row[i] * row[j];
        }
    }
}

/* Room for the numbers of every start. */
static bool take_memory(struct ml_starts *s)
{
    const size_t n = (size_t)s->n, n_start = (size_t)s->n_start;
    double *rows = ml_pool_take(&s->pool, n_start * n * (5 + 2 * n), sizeof *rows);
    s->descents = ml_pool_take(&s->pool, n_start, sizeof *s->descents);
    s->found = ml_pool_take(&s->pool, n_start, sizeof *s->found);
    s->underway = ml_pool_take(&s->pool, n_start, sizeof *s->underway);
    s->first = rows;
    if (s->pool.is_short)
        return false;
    rows += n_start * n;
    for (size_t i = 0; i < n_start; i++, rows += n * (4 + 2 * n)) {
        struct ml_descent *d = &s->descents[i];
        d->n = s->n;
        d->z = rows;
        d->trial = rows + n;
        d->at = (struct ml_normal){.slope = rows + 2 * n, .hessian = rows + 4 * n};
        s->found[i] = (struct ml_normal){.slope = rows + 3 * n, .hessian = rows + 4 * n + n * n};
        s->underway[i] = (int64_t)i;
    }
    return take_parts(s);
}

/* Begins the descents from s->first.
 *   fixed  [n_start] coordinates that stay; NULL: none does */
static void begin_descents(struct ml_starts *s, const int *fixed, double floor)
{
    for (int64_t i = 0; i < s->n_start; i++) {
        struct ml_descent *d = &s->descents[i];
        memcpy(d->trial, s->first + i * s->n, (size_t)s->n * sizeof *d->trial);
        d->fixed = fixed ? fixed[i] : -1;
        d->floor = floor;
        ml_descent_begin(d);
    }
}

enum ml_status ml_starts_init(struct ml_starts *s, const struct ml_study *study,
                              const struct ml_measured_numbers *measured)
{
    *s = (struct ml_starts){.study = study,
                            .measured = measured,
                            .n = study->spec.fit.n_range,
                            .n_direction = study->spec.fit.n_direction,
                            .n_experiment = study->spec.fit.n_experiment,
                            .n_start = study->spec.runs.n};
    if (!take_memory(s) || !place_starts(s))
        return ML_E_MEMORY;
    begin_descents(s, NULL, find_floor(s));
    s->n_underway = s->n_start;
    return ML_OK;
}

enum ml_status ml_starts_init_at(struct ml_starts *s, const struct ml_starts *like, int64_t n_start,
                                 const double *z, const int *fixed, double enough)
{
    const double near = 1e-4; /* damping: the prediction is that of the linear model */
    *s = (struct ml_starts){.study = like->study,
                            .measured = like->measured,
                            .torques = like->torques,
                            .evaluate = like->evaluate,
                            .ensemble = like->ensemble,
                            .n = like->n,
                            .n_direction = like->n_direction,
                            .n_experiment = like->n_experiment,
                            .n_start = n_start,
                            .is_near = true};
    if (!take_memory(s))
        return ML_E_MEMORY;
    memcpy(s->first, z, (size_t)n_start * (size_t)s->n * sizeof *z);
    begin_descents(s, fixed, fmax(find_floor(s), enough));
    for (int64_t i = 0; i < n_start; i++) {
        s->descents[i].damping = near;
        s->descents[i].enough = 0.0;
    }
    s->ensemble.numbers.context = s;
    s->n_underway = n_start;
    s->ensemble.saving.run_first = n_start * s->n_experiment;
    return ML_OK;
}

void ml_starts_free(struct ml_starts *s) { ml_pool_free(&s->pool); }

enum ml_status ml_starts_evaluate(struct ml_starts *s, const struct ml_ensemble_options *how,
                                  struct ml_error *err)
{
    s->ensemble.n_run = s->n_underway * s->n_experiment;
    s->n_evaluation += s->ensemble.n_run;
    const enum ml_status status = s->evaluate(s, how, err);
    join_parts(s);
    for (int64_t i = 0; i < s->n_underway; i++)
        ml_starts_add_priors(s, s->descents[s->underway[i]].trial, &s->found[s->underway[i]]);
    return status;
}

/* Keeps by how much the data depend on each number in the first trials of a phase; returns how many
 * of these finished. */
static int64_t note_seen(struct ml_starts *s)
{
    int64_t n_finished = 0;
    for (int64_t i = 0; i < s->n_start; i++) {
        if (!isfinite(s->found[i].cost))
            continue;
        n_finished++;
        for (int k = 0; k < s->n; k++)
            s->seen[k] = fmax(s->seen[k], s->found[i].hessian[k * s->n + k]);
    }
    return n_finished;
}

/* Reports numbers that no run has depended on in any phase, since a phase may move all starts to a
 * bound where another number has no effect; and that no run finished. */
static enum ml_status check_seen(const struct ml_starts *s, int64_t n_finished,
                                 struct ml_error *err)
{
    const double rounding = 1e-24; /* of squares */
    const struct ml_study_spec *spec = &s->study->spec;
    double largest = 0.0;
    for (int k = 0; k < s->n; k++)
        largest = fmax(largest, s->seen[k]);
    if (n_finished == 0)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: cannot fit: no run from any of the %lld starts has finite numbers and derivatives "
            "of "
            "all `columns` at all measured times; `manylink run` of the study prints why runs end "
            "early; a formula such as log(x) needs a value at each of these times",
            spec->name, (long long)s->n_start);
    for (int k = 0; k < s->n; k++)
        if (!(s->seen[k] > rounding * largest))
            return ml_fail(err, ML_E_INPUT,
                           "%s: %s: cannot fit `%s`: the measured numbers do not depend on it from "
                           "any start; take it out of `%s`, or measure a number that does",
                           spec->name, spec->fit.ranges[k].place, spec->fit.ranges[k].name,
                           spec->fit.ranges[k].is_own ? "own" : "sample");
    return ML_OK;
}

enum ml_status ml_starts_iterate(struct ml_starts *s, const struct ml_ensemble_options *how,
                                 int most, bool is_checked, struct ml_error *err)
{
    for (bool is_first = true; s->n_underway > 0; is_first = false) {
        enum ml_status status = ml_starts_evaluate(s, how, err);
        const int64_t n_finished = status == ML_OK && is_first ? note_seen(s) : 0;
        if (status == ML_OK && is_first && is_checked)
            status = check_seen(s, n_finished, err);
        if (status != ML_OK)
            return status;
        int64_t n = 0;
        for (int64_t i = 0; i < s->n_underway; i++) {
            const int64_t start = s->underway[i];
            ml_descent_take(&s->descents[start], &s->found[start], most);
            if (s->descents[start].end == ML_DESCENT_UNDERWAY)
                s->underway[n++] = start;
        }
        s->n_underway = n;
    }
    return ML_OK;
}

/* Measured numbers beside the first samples of a run. */
static int64_t numbers_within(const struct ml_measured_numbers *m, int64_t n_sample)
{
    int64_t n = 0;
    for (int c = 0; c < m->n_column; c++)
        for (int64_t k = 0; k < m->n_time; k++)
            n += isfinite(m->values[c][k]) && m->first[k] + m->n_tap <= n_sample;
    return n;
}

/* Lets all starts begin where they have ended. */
static void begin_again(struct ml_starts *s)
{
    for (int64_t i = 0; i < s->n_start; i++) {
        struct ml_descent *d = &s->descents[i];
        if (d->end != ML_DESCENT_FAILED)
            memcpy(d->trial, d->z, (size_t)s->n * sizeof *d->z);
        ml_descent_begin(d);
        s->underway[i] = i;
    }
    s->n_underway = s->n_start;
}

/* Fits the first part of the runs roughly, where an iteration costs less and the sum of squares has
 * fewer minima than in whole runs. */
static enum ml_status approach(struct ml_starts *s, int part, const struct ml_ensemble_options *how,
                               struct ml_error *err)
{
    enum { MOST = 40, LEAST = 10 }; /* iterations; numbers for each that is fitted */
    const double rough = 1e-2;
    const int most = (int)s->study->spec.fit.iterations;
    struct ml_ensemble *e = &s->ensemble;
    const int64_t whole = e->time.n_step, n_interval = whole / (part * e->saving.every);
    if (numbers_within(s->measured, n_interval + 1) < LEAST * (int64_t)s->n)
        return ML_OK;
    e->time.n_step = e->indicators.observe_every = n_interval * e->saving.every;
    for (int64_t i = 0; i < s->n_start; i++)
        s->descents[i].enough = rough;
    const enum ml_status status = ml_starts_iterate(s, how, most < MOST ? most : MOST, false, err);
    e->time.n_step = e->indicators.observe_every = whole;
    begin_again(s);
    return status;
}

enum ml_status ml_starts_descend(struct ml_starts *s, const struct ml_ensemble_options *how,
                                 struct ml_error *err)
{
    static const int parts[] = {8, 2};
    const int most = (int)s->study->spec.fit.iterations;
    const bool is_far = !s->is_near;
    enum ml_status status = ML_OK;
    for (size_t i = 0; is_far && !s->is_led && !s->torques && i < sizeof parts / sizeof *parts; i++)
        status = status == ML_OK ? approach(s, parts[i], how, err) : status;
    return status == ML_OK ? ml_starts_iterate(s, how, most, is_far, err) : status;
}

enum ml_status ml_starts_refine(struct ml_starts *s, int64_t start,
                                const struct ml_ensemble_options *how, struct ml_error *err)
{
    enum { MOST = 20 };
    struct ml_descent *d = &s->descents[start];
    const enum ml_descent_end end = d->end;
    const int most = d->iterations + MOST;
    enum ml_status status = ML_OK;
    s->underway[0] = start;
    s->n_underway = 1;
    ml_descent_refine(d);
    while (status == ML_OK && d->end == ML_DESCENT_UNDERWAY && d->damping < 1.0) {
        status = ml_starts_evaluate(s, how, err);
        if (status == ML_OK)
            ml_descent_take(d, &s->found[start], most);
    }
    if (end != ML_DESCENT_CUT_OFF || d->end == ML_DESCENT_UNDERWAY)
        d->end = end;
    return status;
}

enum ml_status ml_starts_look(struct ml_starts *s, int64_t start,
                              const struct ml_fit_detail *detail,
                              const struct ml_ensemble_options *how, struct ml_error *err)
{
    struct ml_descent *d = &s->descents[start];
    memcpy(d->trial, d->z, (size_t)s->n * sizeof *d->z);
    s->underway[0] = start;
    s->n_underway = 1;
    s->detail = detail;
    const enum ml_status status = ml_starts_evaluate(s, how, err);
    s->detail = NULL;
    return status;
}

/* The start with the least cost that has not failed; -1: all have. */
static int64_t best_start(const struct ml_starts *s)
{
    int64_t best = -1;
    for (int64_t i = 0; i < s->n_start; i++) {
        const struct ml_descent *d = &s->descents[i];
        if (d->end != ML_DESCENT_FAILED && (best < 0 || d->at.cost < s->descents[best].at.cost))
            best = i;
    }
    return best;
}

/* The scale by the median of the sizes of residuals in units of their deviations.
 *   sizes  room for all measured numbers */
static double find_scale(const struct ml_starts *s, const struct ml_fit_detail *detail,
                         double *sizes)
{
    const struct ml_measured_numbers *m = s->measured;
    const struct ml_fit_spec *fit = &s->study->spec.fit;
    int64_t n = 0;
    for (int c = 0; c < m->n_column; c++)
        for (int64_t k = 0; k < m->n_time; k++)
            if (isfinite(m->values[c][k]))
                sizes[n++] = fabs(m->values[c][k] - detail->model[c * m->n_time + k]) / m->sd[c][k];
    return ml_loss_tuning((enum ml_fit_loss)fit->loss) * 1.4826 * ml_upper_median(sizes, n);
}

enum ml_status ml_starts_weigh(struct ml_starts *s, const struct ml_fit_detail *detail,
                               const struct ml_ensemble_options *how, struct ml_error *err)
{
    enum { MOST = 50 };
    const double same = 1e-9;
    const int most = (int)s->study->spec.fit.iterations;
    double *sizes = ml_pool_take(
        &s->pool, (size_t)s->measured->n_column * (size_t)s->measured->n_time, sizeof *sizes);
    if (!sizes)
        return ML_E_MEMORY;
    for (int i = 0; i < MOST; i++) {
        const int64_t best = best_start(s);
        enum ml_status status = best < 0 ? ML_OK : ml_starts_refine(s, best, how, err);
        if (best >= 0 && status == ML_OK)
            status = ml_starts_look(s, best, detail, how, err);
        const double before = s->scale,
                     scale = best < 0 || status != ML_OK ? 0.0 : find_scale(s, detail, sizes);
        if (!(scale > 0.0) || fabs(scale - before) <= same * scale)
            return status;
        s->scale = scale;
        begin_again(s);
        status = ml_starts_iterate(s, how, most, false, err);
        if (status != ML_OK)
            return status;
    }
    return ML_OK;
}
