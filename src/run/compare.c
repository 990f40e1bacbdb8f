/* Work and precision of integrators: a ladder of steps or tolerances for each, against a reference
 * that a second method has checked. */
#include "manylink/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/fail.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "engine/kernel_choice.h"
#include "run/compare_reference.h"
#include "store/accuracy.h"

static const double first_tolerance = 1e-3, last_tolerance = 1e-12;
static const double ladder_patience = 5.0; /* s of CPU time: a ladder ends that takes longer */

/* One integrator with one step or tolerance. */
struct comparison_row {
    struct ml_compare_how how;
    struct ml_comparison_row out;
    double *largest; /* [n_quantity] */
};

struct ml_comparison {
    struct ml_comparison_reference reference;
    struct comparison_row *rows; /* [n_row] */
    int n_row, n_quantity;
};

/* One call. */
struct compare {
    const struct ml_compare_options *options;
    struct ml_compare_sample sample;
    struct ml_compare_outcome truth, row;
    double *sorted;                             /* [n_run] scratch */
    double evaluations;                         /* that a run takes at a coarse tolerance */
    struct ml_kernel_choice fixed, chosen;      /* kernels for given steps, and by tolerance */
    struct ml_ensemble with_fixed, with_chosen; /* set to them */
    struct ml_comparison *out;
};

static int compare_methods(void)
{
    int n = 0;
    while (ml_methods[n])
        n++;
    return n;
}

static bool compare_is_chosen(int method) { return ml_methods[method]->embedded_order > 0; }

static int compare_levels(const struct ml_compare_options *options)
{
    return options->levels > 0 ? options->levels : 8;
}

static int compare_integrators(const struct ml_compare_options *options)
{
    return options->integrators ? options->n_integrator : compare_methods();
}

static int compare_integrator(const struct ml_compare_options *options, int i)
{
    return options->integrators ? ml_compare_method(options->integrators[i]) : i;
}

static enum ml_status compare_check(const struct ml_compare_options *options, struct ml_error *err)
{
    const int levels = compare_levels(options);
    char names[512] = "";
    for (int i = 0; ml_methods[i]; i++) {
        const size_t used = strlen(names);
        if (!ml_methods[i]->is_map)
            (void)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                           ml_methods[i]->name);
    }
    if (levels < 2 || levels > ML_COMPARE_MAX_LEVELS)
        return ml_fail(err, ML_E_INPUT, "levels: %d, but must be from 2 to %d", levels,
                       (int)ML_COMPARE_MAX_LEVELS);
    if (options->integrators && options->n_integrator < 1)
        return ml_fail(err, ML_E_INPUT, "no integrator to compare; there are: %s", names);
    for (int i = 0; options->integrators && i < options->n_integrator; i++)
        if (ml_compare_method(options->integrators[i]) < 0)
            return ml_fail(err, ML_E_INPUT, "`%s` is no integrator; there are: %s",
                           options->integrators[i], names);
    return ML_OK;
}

/* The number nearest to x, in the logarithm, that has a single digit of `digits`. */
static double compare_round(double x, const char *digits)
{
    const double decade = pow(10.0, floor(log10(x)));
    double best = 0.0, least = (double)INFINITY;
    for (int power = 0; power < 2; power++)
        for (const char *d = digits; *d; d++) {
            const double candidate = (*d - '0') * (power > 0 ? 10.0 * decade : decade);
            const double off = fabs(log(candidate / x));
            if (off < least) {
                least = off;
                best = candidate;
            }
        }
    return best;
}

/* Tolerances go down evenly in the logarithm, with one digit each. */
static double compare_tolerance(int level, int levels)
{
    const double part = (double)level / (double)(levels - 1);
    const double x = first_tolerance * pow(last_tolerance / first_tolerance, part);
    char text[32];
    (void)snprintf(text, sizeof text, "%.0e", x); /* the double nearest to that decimal */
    return strtod(text, NULL);
}

/* Steps begin with as many evaluations as the pilot needs at the first tolerance. */
static int64_t compare_steps(const struct compare *c, int method, int level)
{
    const double first = fmax(1.0, c->evaluations / ml_methods[method]->n_step_stage);
    return (int64_t)compare_round(first, "125") << level;
}

/* Takes the kernel that the study would get for steps of this kind. */
static enum ml_status compare_choose(struct compare *c, bool is_chosen, struct ml_error *err)
{
    struct ml_ensemble *e = is_chosen ? &c->with_chosen : &c->with_fixed;
    struct ml_kernel_choice *choice = is_chosen ? &c->chosen : &c->fixed;
    const struct ml_compare_how usual = {.method = ml_compare_method(is_chosen ? "tp86" : "rk4"),
                                         .tolerance = is_chosen ? 1e-9 : 0.0,
                                         .n_step = compare_steps(c, ml_compare_method("rk4"), 4)};
    const struct ml_kernel_wish wish = {.mode = c->options->kernel,
                                        .no_native = c->options->no_native != 0,
                                        .n_run = c->sample.all->n_run,
                                        .n_thread = ml_cgroup_threads(),
                                        .stop = {c->options->stop, c->options->context}};
    *e = ml_compare_ensemble(&c->sample, &usual);
    const enum ml_status status = ml_kernel_choose(e, &wish, choice, err);
    const char *word = ml_kernel_word(choice->kind);
    if (status == ML_OK && is_chosen)
        c->out->reference.chosen_kernel = word;
    else if (status == ML_OK)
        c->out->reference.fixed_kernel = word;
    return status;
}

static enum ml_status compare_choose_kernels(struct compare *c, struct ml_error *err)
{
    bool has[2] = {false, false};
    enum ml_status status = ML_OK;
    for (int i = 0; i < compare_integrators(c->options); i++)
        has[compare_is_chosen(compare_integrator(c->options, i))] = true;
    for (int k = 0; k < 2 && status == ML_OK; k++)
        if (has[k])
            status = compare_choose(c, k == 1, err);
    return status;
}

static int compare_by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double compare_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare_by_size);
    return 0.5 * x[(n - 1) / 2] + 0.5 * x[n / 2];
}

/* The larger one; NaN if one of them is. */
static double compare_worse(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

/* Errors of the integrated row. */
static void compare_find_errors(struct compare *c, struct comparison_row *row)
{
    struct ml_comparison_row *out = &row->out;
    const int *first = c->sample.first, n = c->sample.n_run;
    for (int i = 0; i < n; i++) {
        const bool has_failed = c->row.outcome[i] != c->truth.outcome[i];
        c->sorted[i] =
            has_failed ? (double)NAN : ml_compare_distance(&c->sample, &c->row, &c->truth, i);
        out->failed += isnan(c->sorted[i]);
        out->error = compare_worse(out->error, c->sorted[i]);
        out->energy_error =
            compare_worse(out->energy_error, fabs(c->row.drift[i] - c->truth.drift[i]));
        for (int q = 0; q < c->sample.n_quantity; q++)
            row->largest[q] =
                compare_worse(row->largest[q], ml_compare_difference(&c->sample, &c->row, &c->truth,
                                                                     i, first[q], first[q + 1]));
    }
    out->median = out->failed > 0 ? (double)NAN : compare_median(c->sorted, n);
}

/* What the integrated row has come to. */
static void compare_conclude(struct compare *c, struct comparison_row *row)
{
    struct ml_comparison_row *out = &row->out;
    const struct ml_ensemble e = ml_compare_ensemble(&c->sample, &row->how);
    const struct ml_method *method = ml_ensemble_method(&e);
    const double n = (double)c->sample.n_run;
    compare_find_errors(c, row);
    for (int i = 0; i < c->sample.n_run; i++) {
        out->evaluations += c->row.evaluations[i] / n;
        out->steps += c->row.steps[i] / n;
        out->rejected += isfinite(c->row.rejected[i]) ? c->row.rejected[i] / n : 0.0;
        out->residual = fmax(out->residual, c->row.residual[i]);
    }
    out->converges = !(out->residual > ML_SWEEPS_CONVERGED);
    out->integrator = method->name;
    out->order = method->order;
    out->fits =
        !method->implicit || !c->sample.is_analysed || c->sample.all->model.system->has_tangents;
    out->tolerance = row->how.tolerance;
    out->n_step = e.is_adaptive ? 0 : e.n_step;
    out->step = e.is_adaptive ? 0.0 : e.step;
    out->largest = row->largest;
    out->seconds = c->row.seconds;
}

/* Adds a row, unless it takes longer than is left of *patience, s; which is then 0. */
static enum ml_status compare_row(struct compare *c, int method, int level, double *patience,
                                  struct ml_error *err)
{
    const bool is_chosen = compare_is_chosen(method);
    const struct ml_ensemble *with = is_chosen ? &c->with_chosen : &c->with_fixed;
    struct comparison_row *row = &c->out->rows[c->out->n_row];
    row->how = (struct ml_compare_how){
        .method = method,
        .tolerance = is_chosen ? compare_tolerance(level, compare_levels(c->options)) : 0.0,
        .n_step = compare_steps(c, method, level),
        .patience = *patience,
        .made = with->made,
        .takes_general = with->takes_general,
        .stop = {c->options->stop, c->options->context}};
    row->out.level = level;
    row->largest = calloc((size_t)c->sample.n_quantity + 1, sizeof *row->largest);
    if (!row->largest)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    const enum ml_status status = ml_compare_integrate(&c->sample, &row->how, &c->row, err);
    const bool is_done = status == ML_OK && !c->row.is_late;
    *patience -= is_done ? c->row.seconds * (double)c->sample.n_run : *patience;
    if (is_done) {
        compare_conclude(c, row);
        c->out->n_row++;
    } else {
        free(row->largest);
    }
    return status;
}

/* Whether the study can take a method at all. */
static bool compare_takes(const struct compare *c, int method)
{
    return !ml_methods[method]->is_map &&
           (!ml_methods[method]->splitting || c->sample.is_splittable);
}

/* ML_E_INPUT for one that is asked for and that the study cannot take. */
static enum ml_status compare_check_form(const struct compare *c, struct ml_error *err)
{
    for (int i = 0; c->options->integrators && i < c->options->n_integrator; i++)
        if (!compare_takes(c, compare_integrator(c->options, i)))
            return ml_fail(err, ML_E_INPUT,
                           "%s is for systems of the form x'' = F(x, t), without friction, and %s "
                           "is not one here",
                           c->options->integrators[i], c->sample.all->model.system->name);
    return ML_OK;
}

/* The ladder of each integrator that the study can take. */
static enum ml_status compare_rows(struct compare *c, struct ml_error *err)
{
    const int levels = compare_levels(c->options), n = compare_integrators(c->options);
    enum ml_status status = ML_OK;
    c->out->rows = calloc((size_t)n * (size_t)levels + 1, sizeof *c->out->rows);
    if (!c->out->rows)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    for (int i = 0; i < n; i++) {
        double patience = ladder_patience;
        const int before = c->out->n_row, method = compare_integrator(c->options, i);
        if (!compare_takes(c, method))
            continue;
        for (int level = 0; level < levels && status == ML_OK && patience > 0.0; level++)
            status = compare_row(c, method, level, &patience, err);
        c->out->reference.absent += c->out->n_row == before;
    }
    if (status == ML_OK && c->out->n_row == 0)
        return ml_fail(err, ML_E_INPUT,
                       "no integrator ends %d runs within %g s; compare over a shorter time",
                       c->sample.n_run, ladder_patience);
    return status;
}

/* Times a row again, if a round takes at most so many seconds; adds the s that it took. */
static enum ml_status compare_time_row(struct compare *c, struct comparison_row *row, double most,
                                       double *measured, struct ml_error *err)
{
    const int rounds = 2;
    const double round = row->out.seconds * (double)c->sample.n_run;
    if (round > most)
        return ML_OK;
    row->how.rounds = rounds;
    row->how.patience = (double)INFINITY;
    *measured += rounds * round;
    const enum ml_status status = ml_compare_integrate(&c->sample, &row->how, &c->row, err);
    row->out.seconds = fmin(row->out.seconds, c->row.seconds);
    return status;
}

/* Times all rows in turn, again and again, so that what else the machine does meets them alike; the
 * least time of each is kept. */
static enum ml_status compare_time(struct compare *c, struct ml_error *err)
{
    const int passes = 100;
    const double enough = fmin(4.0, 0.05 * c->out->n_row); /* s of all passes */
    const double most[] = {0.15, 0.02};                    /* s of a round: first, further passes */
    double measured = 0.0;
    enum ml_status status = ML_OK;
    for (int pass = 0; pass < passes && measured < enough; pass++)
        for (int i = 0; i < c->out->n_row && status == ML_OK; i++)
            status = compare_time_row(c, &c->out->rows[i], most[pass > 0], &measured, err);
    return status;
}

static bool compare_begin(struct compare *c, const struct ml_study *study)
{
    if (!ml_compare_sample_init(&c->sample, study))
        return false;
    const struct ml_ensemble *all = c->sample.all;
    c->sorted = calloc((size_t)c->sample.n_run, sizeof *c->sorted);
    c->out = calloc(1, sizeof *c->out);
    if (!c->out || !c->sorted)
        return false;
    c->out->n_quantity = c->sample.n_quantity;
    c->out->reference =
        (struct ml_comparison_reference){.start = all->start,
                                         .end = c->sample.end,
                                         .ticks = c->sample.n_tick,
                                         .tangents = all->model.n_column,
                                         .is_end_only = c->sample.is_end_only,
                                         .is_compensated = all->model.is_compensated,
                                         .levels = compare_levels(c->options),
                                         .isa = all->kernels->isa};
    return ml_compare_outcome_init(&c->truth, &c->sample) &&
           ml_compare_outcome_init(&c->row, &c->sample);
}

static void compare_end_call(struct compare *c)
{
    ml_compare_outcome_free(&c->truth);
    ml_compare_outcome_free(&c->row);
    ml_compare_sample_free(&c->sample);
    ml_kernel_choice_end(&c->fixed);
    ml_kernel_choice_end(&c->chosen);
    free(c->sorted);
}

static enum ml_status compare_refer(struct compare *c, struct ml_error *err)
{
    if (compare_check_form(c, err) != ML_OK)
        return ML_E_INPUT;
    return ml_compare_refer(&c->sample, (struct ml_stop){c->options->stop, c->options->context},
                            &c->truth, &c->out->reference, &c->evaluations, err);
}

enum ml_status ml_compare(const struct ml_study *study, const struct ml_compare_options *given,
                          struct ml_comparison **out, struct ml_error *err)
{
    struct ml_compare_options options;
    *out = NULL;
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_compare_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"kernel", options.kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE}),
            "ml_compare_options", err);
    if (status == ML_OK)
        status = compare_check(&options, err);
    if (status == ML_OK && ml_ensemble_method(&study->ensemble)->is_map)
        status = ml_fail(err, ML_E_INPUT,
                         "%s: a map is iterated, and no integrator has an error to compare",
                         study->spec.name);
    if (status == ML_OK && study->ensemble.continuation.n_run > 0)
        status = ml_fail(err, ML_E_INPUT,
                         "%s: runs go on from each other, so none can be compared by itself; give "
                         "the last axis `continue: none`",
                         study->spec.name);
    if (status == ML_OK && study->ensemble.feedback.reach > 0.0)
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: a controller has a delay, and there is room for the past that the study's "
                    "own method and steps need; compare results of runs with others (--set)",
                    study->spec.name);
    if (status == ML_OK && study->ensemble.clock != ML_CLOCK_COMMON)
        status =
            ml_fail(err, ML_E_INPUT,
                    "%s: its runs end at times of their own, so steps are not those of all; fix "
                    "the time with --set",
                    study->spec.name);
    if (status != ML_OK)
        return status;
    struct ml_numeric_env before;
    if (!ml_numeric_env_set(&before))
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    struct compare c = {.options = &options};
    status = compare_begin(&c, study)
                 ? compare_refer(&c, err)
                 : ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    if (status == ML_OK)
        status = compare_choose_kernels(&c, err);
    if (status == ML_OK)
        status = compare_rows(&c, err);
    if (status == ML_OK)
        status = compare_time(&c, err);
    compare_end_call(&c);
    ml_numeric_env_restore(&before);
    if (status == ML_OK)
        *out = c.out;
    else
        ml_comparison_free(c.out);
    return status;
}

void ml_comparison_free(struct ml_comparison *comparison)
{
    for (int i = 0; comparison && i < comparison->n_row; i++)
        free(comparison->rows[i].largest);
    if (comparison)
        free(comparison->rows);
    free(comparison);
}

void ml_comparison_reference(const struct ml_comparison *comparison,
                             struct ml_comparison_reference *reference)
{
    ml_sized_write(reference, &comparison->reference, sizeof comparison->reference);
}

int ml_comparison_row(const struct ml_comparison *comparison, int i, struct ml_comparison_row *row)
{
    if (i < 0 || i >= comparison->n_row)
        return 0;
    ml_sized_write(row, &comparison->rows[i].out, sizeof comparison->rows[i].out);
    return 1;
}

int ml_comparison_cheapest(const struct ml_comparison *comparison, double error)
{
    const double known = comparison->reference.difference;
    int best = -1;
    for (int i = 0; i < comparison->n_row && ML_COMPARE_MARGIN * known <= error; i++) {
        const struct ml_comparison_row *row = &comparison->rows[i].out;
        const bool is_exact = row->error + known <= error;
        if (is_exact && row->fits && row->converges &&
            (best < 0 || row->seconds < comparison->rows[best].out.seconds))
            best = i;
    }
    return best;
}
