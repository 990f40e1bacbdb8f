/* Work and precision of integrators: a ladder of steps or tolerances for each, against a reference
 * that a second method has checked. */
#include "manylink/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "manylink/precision.h"
#include "tools/compare/reference.h"

static const double first_tolerance = 1e-3, last_tolerance = 1e-12;
static const double ladder_patience = 5.0; /* s of CPU time: a ladder ends that takes longer */

/* One integrator with one step or tolerance. */
struct comparison_row {
    struct ml_trial_options how;
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
    const struct ml_study *study;
    struct ml_compare_options options;
    struct ml_trial_method *methods; /* [n_method] that are asked for and suit the study; owned */
    int n_method;
    struct ml_compare_sample sample;
    struct ml_compare_outcome truth, row;
    double *sorted;     /* [n_run] scratch */
    double evaluations; /* that a run takes at a coarse tolerance */
    struct ml_comparison *out;
};

/* Copies a struct that a caller has filled in with its own size, or is to have filled in. */
static void compare_copy(void *to, const void *from, size_t to_size, size_t from_size)
{
    const size_t shared = to_size < from_size ? to_size : from_size;
    memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
           shared - sizeof(size_t));
}

static enum ml_status compare_read(struct compare *c, const struct ml_compare_options *given,
                                   struct ml_error *err)
{
    const int usual = 8;
    struct ml_compare_options *own = &c->options;
    if (!given || given->size < sizeof given->size || given->size > sizeof *own)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_compare_options: is missing, or its member `size` is not "
                       "sizeof(struct ml_compare_options)");
    compare_copy(own, given, sizeof *own, given->size);
    if (own->levels == 0)
        own->levels = usual;
    if (own->levels < 2 || own->levels > ML_COMPARE_MAX_LEVELS)
        return ml_fail(err, ML_E_INPUT, "levels: %d, but must be from 2 to %d", own->levels,
                       (int)ML_COMPARE_MAX_LEVELS);
    if (own->integrators && own->n_integrator < 1)
        return ml_fail(err, ML_E_INPUT, "no integrator to compare: n_integrator is %d",
                       own->n_integrator);
    if ((int)own->kernel < ML_KERNEL_AUTO || own->kernel > ML_KERNEL_ONLY_MADE)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_compare_options: its member `kernel` is %d, and must be 0 .. %d",
                       (int)own->kernel, ML_KERNEL_ONLY_MADE);
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
static int64_t compare_steps(const struct compare *c, int step_evaluations, int level)
{
    const double first = fmax(1.0, c->evaluations / step_evaluations);
    return (int64_t)compare_round(first, "125") << level;
}

/* How the sample is integrated by a method at a level. */
static struct ml_trial_options compare_how(const struct compare *c,
                                           const struct ml_trial_method *method, int level)
{
    return (struct ml_trial_options){
        .size = sizeof(struct ml_trial_options),
        .integrator = method->name,
        .tolerance = method->is_adaptive ? compare_tolerance(level, c->options.levels) : 0.0,
        .n_step = method->is_adaptive ? 0 : compare_steps(c, method->step_evaluations, level),
        .runs = c->sample.runs,
        .n_run = c->sample.n_run,
        .stop = c->options.stop,
        .context = c->options.context};
}

/* The method of a name; false: not found. */
static bool compare_find(const char *name, struct ml_trial_method *method)
{
    *method = (struct ml_trial_method){.size = sizeof *method};
    for (int i = 0; ml_trial_method(i, method); i++)
        if (strcmp(method->name, name) == 0)
            return true;
    return false;
}

/* The methods that are asked for; without a list all that suit the study. A method that is asked
 * for and does not suit the study is an error. */
static enum ml_status compare_choose_methods(struct compare *c, struct ml_error *err)
{
    const bool is_list = c->options.integrators;
    struct ml_trial_method method = {.size = sizeof method};
    int n = c->options.n_integrator;
    for (int i = 0; !is_list && ml_trial_method(i, &method); i++)
        n = i + 1;
    c->methods = calloc((size_t)n, sizeof *c->methods);
    if (!c->methods)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    for (int i = 0; i < n; i++) {
        if (!is_list)
            (void)ml_trial_method(i, &method);
        else if (!compare_find(c->options.integrators[i], &method))
            method = (struct ml_trial_method){.name = c->options.integrators[i]};
        const struct ml_trial_options how = compare_how(c, &method, 0);
        const enum ml_status status = ml_trial_check(c->sample.trial, &how, is_list ? err : NULL);
        if (status == ML_OK)
            c->methods[c->n_method++] = method;
        else if (is_list || status != ML_E_INPUT)
            return status;
    }
    return ML_OK;
}

/* Takes the kernel that the study would get for steps of this kind, if any method has such steps.
 */
static enum ml_status compare_choose(struct compare *c, int is_adaptive, const char **word,
                                     struct ml_error *err)
{
    struct ml_trial_method usual;
    bool is_needed = false;
    for (int i = 0; i < c->n_method; i++)
        is_needed |= c->methods[i].is_adaptive == is_adaptive;
    if (!is_needed || !compare_find(is_adaptive ? "tp86" : "rk4", &usual))
        return ML_OK;
    struct ml_trial_options how = compare_how(c, &usual, 4);
    how.tolerance = is_adaptive ? 1e-9 : 0.0;
    return ml_trial_choose_kernel(c->sample.trial, &how, c->options.kernel, c->options.no_native,
                                  word, err);
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
    struct ml_array_info quantity = {.size = sizeof quantity};
    const int n = c->sample.n_run;
    for (int i = 0; i < n; i++) {
        const bool has_failed = c->row.of.outcome[i] != c->truth.of.outcome[i];
        c->sorted[i] =
            has_failed ? (double)NAN : ml_compare_distance(&c->sample, &c->row, &c->truth, i);
        out->failed += isnan(c->sorted[i]);
        out->error = compare_worse(out->error, c->sorted[i]);
        out->energy_error =
            compare_worse(out->energy_error, fabs(c->row.of.drift[i] - c->truth.of.drift[i]));
        for (int q = 0, first = 0; ml_study_state(c->study, q, &quantity); q++) {
            int end = 1;
            for (int k = 0; k < quantity.rank; k++)
                end *= (int)quantity.shape[k];
            end += first;
            row->largest[q] =
                compare_worse(row->largest[q],
                              ml_compare_difference(&c->sample, &c->row, &c->truth, i, first, end));
            first = end;
        }
    }
    out->median = out->failed > 0 ? (double)NAN : compare_median(c->sorted, n);
}

/* Numbers of the integrated row. */
static void compare_conclude(struct compare *c, const struct ml_trial_method *method,
                             struct comparison_row *row)
{
    struct ml_comparison_row *out = &row->out;
    const struct ml_trial_info *info = &c->sample.info;
    const double n = (double)c->sample.n_run;
    compare_find_errors(c, row);
    for (int i = 0; i < c->sample.n_run; i++) {
        out->evaluations += c->row.of.evaluations[i] / n;
        out->steps += c->row.of.steps[i] / n;
        out->rejected += isfinite(c->row.of.rejected[i]) ? c->row.of.rejected[i] / n : 0.0;
        out->residual = isnan(out->residual) || c->row.of.residual[i] <= out->residual
                            ? out->residual
                            : c->row.of.residual[i];
    }
    out->converges = c->row.of.converges;
    out->integrator = method->name;
    out->order = method->order;
    out->fits = !method->is_implicit || info->carries_tangent;
    out->tolerance = row->how.tolerance;
    out->n_step = row->how.n_step;
    out->step = out->n_step > 0 ? (info->end - info->start) / (double)out->n_step : 0.0;
    out->largest = row->largest;
    out->seconds = c->row.of.seconds;
}

/* Adds a row, unless it takes longer than is left of *patience, s; which is then 0. */
static enum ml_status compare_row(struct compare *c, const struct ml_trial_method *method,
                                  int level, double *patience, struct ml_error *err)
{
    struct comparison_row *row = &c->out->rows[c->out->n_row];
    row->how = compare_how(c, method, level);
    row->how.patience = *patience;
    row->out.level = level;
    row->largest = calloc((size_t)c->out->n_quantity + 1, sizeof *row->largest);
    if (!row->largest)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    const enum ml_status status = ml_trial_integrate(c->sample.trial, &row->how, &c->row.of, err);
    const bool is_done = status == ML_OK && !c->row.of.is_late;
    *patience -= is_done ? c->row.of.seconds * (double)c->sample.n_run : *patience;
    if (is_done) {
        compare_conclude(c, method, row);
        c->out->n_row++;
    } else {
        free(row->largest);
    }
    return status;
}

/* The ladder of each integrator. */
static enum ml_status compare_rows(struct compare *c, struct ml_error *err)
{
    const int levels = c->options.levels;
    enum ml_status status = ML_OK;
    c->out->rows = calloc((size_t)c->n_method * (size_t)levels + 1, sizeof *c->out->rows);
    if (!c->out->rows)
        return ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    for (int i = 0; i < c->n_method; i++) {
        double patience = ladder_patience;
        const int before = c->out->n_row;
        for (int level = 0; level < levels && status == ML_OK && patience > 0.0; level++)
            status = compare_row(c, &c->methods[i], level, &patience, err);
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
    row->how.patience = 0.0;
    *measured += rounds * round;
    const enum ml_status status = ml_trial_integrate(c->sample.trial, &row->how, &c->row.of, err);
    row->out.seconds = fmin(row->out.seconds, c->row.of.seconds);
    return status;
}

/* Times all rows in turn, again and again, so that other work of the machine meets them alike; the
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

static bool compare_begin(struct compare *c)
{
    const struct ml_trial_info *info = &c->sample.info;
    struct ml_array_info quantity = {.size = sizeof quantity};
    c->sorted = calloc((size_t)c->sample.n_run, sizeof *c->sorted);
    c->out = calloc(1, sizeof *c->out);
    if (!c->out || !c->sorted)
        return false;
    while (ml_study_state(c->study, c->out->n_quantity, &quantity))
        c->out->n_quantity++;
    c->out->reference = (struct ml_comparison_reference){.start = info->start,
                                                         .end = info->end,
                                                         .ticks = info->ticks,
                                                         .tangents = info->tangents,
                                                         .is_end_only = info->is_end_only,
                                                         .is_compensated = info->is_compensated,
                                                         .levels = c->options.levels,
                                                         .isa = info->isa};
    return ml_compare_outcome_init(&c->truth, &c->sample) &&
           ml_compare_outcome_init(&c->row, &c->sample);
}

static void compare_end_call(struct compare *c)
{
    ml_compare_outcome_free(&c->truth);
    ml_compare_outcome_free(&c->row);
    ml_compare_sample_free(&c->sample);
    free(c->methods);
    free(c->sorted);
}

enum ml_status ml_compare(const struct ml_study *study, const struct ml_compare_options *given,
                          struct ml_comparison **out, struct ml_error *err)
{
    struct compare c = {.study = study};
    *out = NULL;
    enum ml_status status = compare_read(&c, given, err);
    if (status == ML_OK)
        status = ml_compare_sample_init(&c.sample, study, err);
    c.sample.stop = c.options.stop;
    c.sample.context = c.options.context;
    if (status == ML_OK)
        status = compare_choose_methods(&c, err);
    if (status == ML_OK && !compare_begin(&c))
        status = ml_fail(err, ML_E_MEMORY, "no memory to compare integrators");
    if (status == ML_OK)
        status = ml_compare_refer(&c.sample, &c.truth, &c.out->reference, &c.evaluations, err);
    if (status == ML_OK)
        status = compare_choose(&c, 0, &c.out->reference.fixed_kernel, err);
    if (status == ML_OK)
        status = compare_choose(&c, 1, &c.out->reference.chosen_kernel, err);
    if (status == ML_OK)
        status = compare_rows(&c, err);
    if (status == ML_OK)
        status = compare_time(&c, err);
    compare_end_call(&c);
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
    compare_copy(reference, &comparison->reference, reference->size, sizeof comparison->reference);
}

int ml_comparison_row(const struct ml_comparison *comparison, int i, struct ml_comparison_row *row)
{
    if (i < 0 || i >= comparison->n_row)
        return 0;
    compare_copy(row, &comparison->rows[i].out, row->size, sizeof comparison->rows[i].out);
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

/* A dataset [integrator][level]. */
struct compare_column {
    const char *name, *unit, *doc;
    size_t offset;     /* of a double of ml_comparison_row */
    bool is_positive;  /* 0 stands for a missing value */
    const char *label; /* label of axes, without the unit; NULL: the name */
};

#define FIELD(name) offsetof(struct ml_comparison_row, name)
static const struct compare_column columns[] = {
    {"error", "1",
     "largest error of the runs' end states: the largest |x - reference| / (1 + |reference|) of "
     "their numbers",
     FIELD(error), false},
    {"error_median", "1", "median of the same over the runs", FIELD(median), false},
    {"cpu_time", "s", "CPU time per run on one thread", FIELD(seconds), false, "CPU time per run"},
    {"evaluations", "1", "evaluations of the equations of motion per run", FIELD(evaluations),
     false, "evaluations per run"},
    {"steps", "1", "accepted steps per run", FIELD(steps), false, "steps per run"},
    {"rejected_steps", "1", "rejected steps per run", FIELD(rejected), false,
     "rejected steps per run"},
    {"energy_error", "1",
     "largest error of the energy at the end, relative as in energy_drift of a result",
     FIELD(energy_error), false},
    {"sweep_residual", "1",
     "largest sum over the steps of the changes by the last sweep of an implicit method; above "
     "1e-6 "
     "the sweeps have not converged",
     FIELD(residual), true},
    {"step", "s", "given step", FIELD(step), true},
    {"tolerance", "1", "tolerance by which steps are chosen", FIELD(tolerance), true},
};
enum { N_COLUMN = sizeof columns / sizeof *columns };

/* Values of one column: from the rows, NaN of levels without a row or without such a number.
 *   q       -1, or the quantity of the state whose largest error is the value
 *   values  [n_integrator][levels] out */
static void compare_fill(const struct ml_comparison *comparison, const struct compare_column *from,
                         int q, double *values)
{
    const int levels = comparison->reference.levels;
    for (int i = 0, k = -1; i < comparison->n_row; i++) {
        const struct ml_comparison_row *row = &comparison->rows[i].out;
        double value;
        if (q < 0)
            memcpy(&value, (const char *)row + from->offset, sizeof value);
        else
            value = row->largest[q];
        k += row->level == 0;
        if (q >= 0 || !from->is_positive || value > 0.0)
            values[k * levels + row->level] = value;
    }
}

/* Arrays of a table, in one piece of memory each. */
struct compare_table {
    const char **names;                  /* [n_integrator] */
    struct ml_precision_column *columns; /* [n_column] */
    double *values;                      /* [n_column][n_integrator][levels] */
    char (*errors)[256];                 /* [n_quantity] "error_angle" */
};

static enum ml_status compare_write(const struct ml_comparison *comparison,
                                    const struct ml_study *study, struct compare_table *t,
                                    struct ml_precision *table, const char *path,
                                    struct ml_error *err)
{
    const size_t size = (size_t)table->n_integrator * (size_t)table->n_level;
    struct ml_array_info quantity = {.size = sizeof quantity};
    for (int i = 0, k = 0; i < comparison->n_row; i++)
        if (comparison->rows[i].out.level == 0)
            t->names[k++] = comparison->rows[i].out.integrator;
    for (size_t i = 0; i < (size_t)table->n_column * size; i++)
        t->values[i] = (double)NAN;
    for (int c = 0; c < table->n_column; c++) {
        const int q = c < N_COLUMN ? -1 : c - N_COLUMN;
        const struct compare_column *from = &columns[q < 0 ? c : 0];
        double *values = t->values + (size_t)c * size;
        compare_fill(comparison, from, q, values);
        t->columns[c] =
            (struct ml_precision_column){from->name, from->unit, from->doc, from->label, values};
        if (q < 0 || !ml_study_state(study, q, &quantity))
            continue;
        (void)snprintf(t->errors[q], sizeof t->errors[q], "error_%s", quantity.name);
        t->columns[c] = (struct ml_precision_column){
            t->errors[q], quantity.unit, "largest error of the runs at their end", NULL, values};
    }
    table->integrators = t->names;
    table->columns = t->columns;
    return ml_precision_write(study, table, path, err);
}

enum ml_status ml_comparison_write(const struct ml_comparison *comparison,
                                   const struct ml_study *study, const char *path,
                                   struct ml_error *err)
{
    const struct ml_comparison_reference *about = &comparison->reference;
    struct ml_precision table = {
        .size = sizeof table,
        .n_level = about->levels,
        .n_column = N_COLUMN + comparison->n_quantity,
        .reference = {about->integrator, about->check},
        .reference_tolerance = {about->tolerance, about->check_tolerance},
        .reference_difference = about->difference,
        .runs = about->runs,
        .compared = about->compared,
        .undetermined = about->undetermined,
        .unfinished = about->unfinished,
    };
    for (int i = 0; i < comparison->n_row; i++)
        table.n_integrator += comparison->rows[i].out.level == 0;
    const size_t n = (size_t)table.n_integrator, n_column = (size_t)table.n_column;
    struct compare_table t = {
        .names = calloc(n + 1, sizeof *t.names),
        .columns = calloc(n_column, sizeof *t.columns),
        .values = calloc(n_column * n * (size_t)about->levels + 1, sizeof *t.values),
        .errors = calloc((size_t)comparison->n_quantity + 1, sizeof *t.errors),
    };
    const enum ml_status status =
        t.names && t.columns && t.values && t.errors
            ? compare_write(comparison, study, &t, &table, path, err)
            : ml_fail(err, ML_E_MEMORY, "no memory to write a comparison of integrators");
    free(t.names);
    free(t.columns);
    free(t.values);
    free(t.errors);
    return status;
}
