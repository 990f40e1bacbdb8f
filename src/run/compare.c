/* Work and precision of integrators: a ladder of steps or tolerances for each, against a reference
 * that a second method has checked. */
#include "manylink/compare.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/float_env.h"
#include "base/sized.h"
#include "engine/kernel_choice.h"
#include "run/compare_sample.h"

static const char reference_name[] = "baker109", check_name[] = "verner98",
                  pilot_name[] = "tp86";         /* tells how many steps the motion needs */
static const double reference_tolerance = 1e-14; /* a hundredth of the least one compared */
static const double first_tolerance = 1e-3, last_tolerance = 1e-12;
static const double determined = 1e-8; /* of the state's size: the references agree */

/* One integrator with one step or tolerance. */
struct comparison_row {
    struct ml_compare_how how;
    double step; /* s; 0: by tolerance */
    struct ml_comparison_row out;
    double *errors; /* [2][n_quantity] largest, median */
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
    struct ml_compare_outcome reference, check, row;
    bool *is_compared;                     /* [n_run] */
    double *sorted;                        /* [n_run] scratch */
    double evaluations;                    /* mean of a run by the pilot at the first tolerance */
    struct ml_kernel_choice fixed, chosen; /* kernels for given steps, and by tolerance */
    struct ml_ensemble with_fixed, with_chosen; /* set to them */
    struct ml_comparison *out;
};

/* In ml_methods; -1: there is none. */
static int compare_method(const char *name)
{
    for (int i = 0; ml_methods[i]; i++)
        if (strcmp(ml_methods[i]->name, name) == 0)
            return i;
    return -1;
}

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
    return options->integrators ? compare_method(options->integrators[i]) : i;
}

static enum ml_status compare_check(const struct ml_compare_options *options, struct ml_error *err)
{
    const int levels = compare_levels(options);
    char names[512] = "";
    for (int i = 0; ml_methods[i]; i++) {
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                       ml_methods[i]->name);
    }
    if (levels < 2 || levels > ML_COMPARE_MAX_LEVELS)
        return ml_fail(err, ML_E_INPUT, "levels: %d, but must be from 2 to %d", levels,
                       (int)ML_COMPARE_MAX_LEVELS);
    if (options->integrators && options->n_integrator < 1)
        return ml_fail(err, ML_E_INPUT, "no integrator to compare; there are: %s", names);
    for (int i = 0; options->integrators && i < options->n_integrator; i++)
        if (compare_method(options->integrators[i]) < 0)
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

static double *compare_end(const struct compare *c, const struct ml_compare_outcome *outcome, int i)
{
    return outcome->end + (size_t)i * (size_t)c->sample.n_row;
}

/* Largest difference of a run's numbers first .. end - 1; NaN if one is not finite. */
static double compare_difference(const struct compare *c, const struct ml_compare_outcome *outcome,
                                 int run, int first, int end)
{
    const double *x = compare_end(c, outcome, run), *y = compare_end(c, &c->reference, run);
    double most = 0.0;
    for (int r = first; r < end && !isnan(most); r++) {
        const double d = fabs(x[r] - y[r]);
        most = isfinite(d) ? fmax(most, d) : (double)NAN;
    }
    return most;
}

/* Which runs have an end state that both references agree on. */
static void compare_find_determined(struct compare *c)
{
    struct ml_comparison_reference *out = &c->out->reference;
    for (int i = 0; i < c->sample.n_run; i++) {
        double size = 1.0;
        for (int r = 0; r < c->sample.n_row; r++)
            size = fmax(size, fabs(compare_end(c, &c->reference, i)[r]));
        const bool is_whole =
            c->reference.outcome[i] == ML_FINISHED && c->check.outcome[i] == ML_FINISHED;
        const double d = compare_difference(c, &c->check, i, 0, c->sample.n_row);
        c->is_compared[i] = is_whole && d <= determined * size;
        out->unfinished += !is_whole;
        out->undetermined += is_whole && !c->is_compared[i];
        out->compared += c->is_compared[i];
        if (c->is_compared[i])
            out->difference = fmax(out->difference, d);
    }
}

static enum ml_status compare_by_tolerance(struct compare *c, const char *name, double tolerance,
                                           struct ml_compare_outcome *out, struct ml_error *err)
{
    const struct ml_compare_how how = {.method = compare_method(name),
                                       .tolerance = tolerance,
                                       .stop = {c->options->stop, c->options->context}};
    return ml_compare_integrate(&c->sample, &how, out, err);
}

/* The reference, its check, and what the pilot needs. */
static enum ml_status compare_refer(struct compare *c, struct ml_error *err)
{
    enum ml_status status =
        compare_by_tolerance(c, pilot_name, first_tolerance, &c->reference, err);
    for (int i = 0; status == ML_OK && i < c->sample.n_run; i++)
        c->evaluations += c->reference.evaluations[i] / c->sample.n_run;
    if (status == ML_OK)
        status = compare_by_tolerance(c, reference_name, reference_tolerance, &c->reference, err);
    if (status == ML_OK)
        status = compare_by_tolerance(c, check_name, reference_tolerance, &c->check, err);
    if (status != ML_OK)
        return status;
    compare_find_determined(c);
    const struct ml_comparison_reference *found = &c->out->reference;
    return found->compared > 0
               ? ML_OK
               : ml_fail(err, ML_E_INPUT,
                         "nothing to compare integrators by: of %lld runs %lld do not reach the "
                         "end, and %lld have an end state that not even a tolerance of %g "
                         "determines, as in chaos; compare over a shorter time",
                         (long long)found->runs, (long long)found->unfinished,
                         (long long)found->undetermined, reference_tolerance);
}

/* Takes the kernel that the study would get for steps of this kind. */
static enum ml_status compare_choose(struct compare *c, bool is_chosen, struct ml_error *err)
{
    struct ml_ensemble *e = is_chosen ? &c->with_chosen : &c->with_fixed;
    struct ml_kernel_choice *choice = is_chosen ? &c->chosen : &c->fixed;
    const struct ml_compare_how usual = {.method = compare_method(is_chosen ? pilot_name : "rk4"),
                                         .tolerance = is_chosen ? 1e-9 : 0.0,
                                         .n_step = compare_steps(c, compare_method("rk4"), 4)};
    const struct ml_kernel_wish wish = {.mode = c->options->kernel,
                                        .no_native = c->options->no_native != 0,
                                        .n_run = c->sample.all->n_run,
                                        .n_thread = omp_get_max_threads(),
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

/* Errors of one quantity over the runs compared; NaN if one of them failed. */
static void compare_find_errors(struct compare *c, int quantity, double *largest, double *median)
{
    const int *first = c->sample.first;
    int n = 0;
    bool is_known = true;
    for (int i = 0; i < c->sample.n_run; i++)
        if (c->is_compared[i]) {
            c->sorted[n] = compare_difference(c, &c->row, i, first[quantity], first[quantity + 1]);
            is_known &= !isnan(c->sorted[n++]);
        }
    *largest = *median = (double)NAN;
    if (!is_known)
        return;
    qsort(c->sorted, (size_t)n, sizeof *c->sorted, compare_by_size);
    *largest = c->sorted[n - 1];
    *median = 0.5 * c->sorted[(n - 1) / 2] + 0.5 * c->sorted[n / 2];
}

/* What the integrated row has come to. */
static void compare_conclude(struct compare *c, struct comparison_row *row)
{
    struct ml_comparison_row *out = &row->out;
    const double n = (double)c->out->reference.compared;
    double *largest = row->errors, *median = row->errors + c->sample.n_quantity;
    for (int q = 0; q < c->sample.n_quantity; q++) {
        compare_find_errors(c, q, &largest[q], &median[q]);
        out->error =
            isnan(out->error) || isnan(largest[q]) ? (double)NAN : fmax(out->error, largest[q]);
    }
    out->energy_drift = (double)NAN;
    for (int i = 0; i < c->sample.n_run; i++)
        if (c->is_compared[i]) {
            out->failed += c->row.outcome[i] != ML_FINISHED;
            out->evaluations += c->row.evaluations[i] / n;
            out->steps += c->row.steps[i] / n;
            out->rejected += isfinite(c->row.rejected[i]) ? c->row.rejected[i] / n : 0.0;
            out->energy_drift = fmax(out->energy_drift, c->row.drift[i]);
        }
    out->integrator = ml_methods[row->how.method]->name;
    out->step = row->step;
    out->tolerance = row->how.tolerance;
    out->largest = largest;
    out->median = median;
    out->seconds = c->row.seconds / c->sample.n_run;
}

static enum ml_status compare_row(struct compare *c, int method, int level,
                                  struct comparison_row *row, struct ml_error *err)
{
    const bool is_chosen = compare_is_chosen(method);
    const struct ml_ensemble *with = is_chosen ? &c->with_chosen : &c->with_fixed;
    row->how = (struct ml_compare_how){
        .method = method,
        .tolerance = is_chosen ? compare_tolerance(level, compare_levels(c->options)) : 0.0,
        .n_step = compare_steps(c, method, level),
        .is_timed = true,
        .made = with->made,
        .takes_general = with->takes_general,
        .stop = {c->options->stop, c->options->context}};
    row->step = is_chosen ? 0.0 : ml_compare_ensemble(&c->sample, &row->how).step;
    row->errors = calloc(2 * (size_t)c->sample.n_quantity + 1, sizeof *row->errors);
    if (!row->errors)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    const enum ml_status status = ml_compare_integrate(&c->sample, &row->how, &c->row, err);
    if (status == ML_OK)
        compare_conclude(c, row);
    return status;
}

static enum ml_status compare_rows(struct compare *c, struct ml_error *err)
{
    const int levels = compare_levels(c->options), n = compare_integrators(c->options);
    enum ml_status status = ML_OK;
    c->out->rows = calloc((size_t)n * (size_t)levels, sizeof *c->out->rows);
    if (!c->out->rows)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    for (int i = 0; i < n; i++)
        for (int level = 0; level < levels && status == ML_OK; level++)
            status = compare_row(c, compare_integrator(c->options, i), level,
                                 &c->out->rows[c->out->n_row++], err);
    return status;
}

static bool compare_begin(struct compare *c, const struct ml_study *study)
{
    ml_compare_sample_init(&c->sample, study);
    const size_t n = (size_t)c->sample.n_run;
    c->is_compared = calloc(n, sizeof *c->is_compared);
    c->sorted = calloc(n, sizeof *c->sorted);
    c->out = calloc(1, sizeof *c->out);
    if (!c->out || !c->is_compared || !c->sorted)
        return false;
    c->out->n_quantity = c->sample.n_quantity;
    c->out->reference = (struct ml_comparison_reference){.integrator = reference_name,
                                                         .check = check_name,
                                                         .tolerance = reference_tolerance,
                                                         .runs = c->sample.n_run,
                                                         .isa = study->ensemble.kernels->isa};
    return ml_compare_outcome_init(&c->reference, &c->sample) &&
           ml_compare_outcome_init(&c->check, &c->sample) &&
           ml_compare_outcome_init(&c->row, &c->sample);
}

static void compare_end_call(struct compare *c)
{
    ml_compare_outcome_free(&c->reference);
    ml_compare_outcome_free(&c->check);
    ml_compare_outcome_free(&c->row);
    ml_kernel_choice_end(&c->fixed);
    ml_kernel_choice_end(&c->chosen);
    free(c->is_compared);
    free(c->sorted);
}

enum ml_status ml_compare(const struct ml_study *study, const struct ml_compare_options *given,
                          struct ml_comparison **out, struct ml_error *err)
{
    struct ml_compare_options options;
    *out = NULL;
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_compare_options", err);
    if (status == ML_OK)
        status = compare_check(&options, err);
    if (status != ML_OK)
        return status;
    const fenv_t before = ml_float_env_set();
    struct compare c = {.options = &options};
    status = compare_begin(&c, study)
                 ? compare_refer(&c, err)
                 : ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    if (status == ML_OK)
        status = compare_choose_kernels(&c, err);
    if (status == ML_OK)
        status = compare_rows(&c, err);
    compare_end_call(&c);
    ml_float_env_restore(&before);
    if (status == ML_OK)
        *out = c.out;
    else
        ml_comparison_free(c.out);
    return status;
}

void ml_comparison_free(struct ml_comparison *comparison)
{
    for (int i = 0; comparison && i < comparison->n_row; i++)
        free(comparison->rows[i].errors);
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
    int best = -1;
    for (int i = 0; i < comparison->n_row; i++) {
        const struct ml_comparison_row *row = &comparison->rows[i].out;
        const bool is_exact = row->error + comparison->reference.difference <= error;
        if (is_exact && (best < 0 || row->seconds < comparison->rows[best].out.seconds))
            best = i;
    }
    return best;
}
