/* The error of every number: some runs computed again with smaller steps, and what differs said in
 * words. */
#include "run/accuracy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/ensemble_run.h"

enum {
    ACCURACY_COARSE,    /* as the study has it */
    ACCURACY_HALF,      /* half the step, or a tenth of the tolerance */
    ACCURACY_QUARTER,   /* the same once more, of the first quarter of the runs */
    ACCURACY_DISPLACED, /* with half the step, from a start that is slightly displaced */
    ACCURACY_LEVELS,
    ACCURACY_MOST = 64, /* runs */
};

static const double displacement = 1e-7;             /* of a start, relative to 1 + its size */
static const double large = 0.01, per_mille = 0.001; /* of the size of an output */

struct accuracy {
    const struct ml_ensemble *ensemble;
    struct ml_results results;
    int level, n;                        /* the level that is being computed; runs */
    int n_row, first[ML_MAX_OUTPUT + 1]; /* rows of all outputs, of those before one */
    double *values;                      /* [ACCURACY_LEVELS][n][n_row] */
    double *sorted, *orders;             /* [n] scratch */
    int8_t *outcomes;                    /* [ACCURACY_LEVELS][n] */
    bool *is_chaotic;                    /* [n] */
};

int ml_accuracy_count(int64_t n_run)
{
    const int64_t share = 25; /* 1 / 4 % */
    int best = 0;
    for (int n = ML_LANES; n <= ACCURACY_MOST; n += ML_LANES) {
        const int64_t batches = n / ML_LANES, quarter = (batches + 3) / 4;
        if (share * (5 * batches + 4 * quarter) * ML_LANES <= n_run)
            best = n;
    }
    return best;
}

/* Of the i-th of n runs its number: at the fractional part of i times the golden ratio of the way
 * through all. */
static int64_t accuracy_run(const struct accuracy *a, int64_t i)
{
    const double golden_ratio = 0x1.9e3779b97f4a8p+0;
    const double way = (double)i * golden_ratio;
    return a->n >= a->ensemble->n_run ? i
                                      : (int64_t)((way - floor(way)) * (double)a->ensemble->n_run);
}

static void accuracy_values(const void *context, int64_t i, double *values)
{
    const struct accuracy *a = context;
    const struct ml_ensemble *e = a->ensemble;
    e->values(e->context, accuracy_run(a, i), values);
    if (a->level != ACCURACY_DISPLACED)
        return;
    const int first = ml_slot_initial(e->system, e->shape.n, 0, 0);
    for (int k = 0; k < ml_rows_state(e); k++)
        values[first + k] += displacement * (1.0 + fabs(values[first + k]));
}

static double *accuracy_row(const struct accuracy *a, int level, int64_t run)
{
    return a->values + ((size_t)level * (size_t)a->n + (size_t)run) * (size_t)a->n_row;
}

static enum ml_status accuracy_put(void *context, const struct ml_block *block,
                                   struct ml_error *err)
{
    struct accuracy *a = context;
    (void)err;
    for (int64_t i = 0; i < block->n_run; i++) {
        const int64_t run = block->first + i;
        a->outcomes[(int64_t)a->level * a->n + run] = block->outcome[i];
        for (int o = 0; o < a->results.n_output; o++) {
            const size_t rows = (size_t)(a->first[o + 1] - a->first[o]);
            memcpy(accuracy_row(a, a->level, run) + a->first[o],
                   block->summary[o] + (size_t)i * rows, rows * sizeof(double));
        }
    }
    return ML_OK;
}

/* Steps made smaller; what is counted in them stays where it is in seconds. */
static void accuracy_refine(struct ml_ensemble *e, int times)
{
    for (int k = 0; k < times; k++)
        if (e->is_adaptive) {
            e->control.relative *= 0.1;
            e->control.absolute *= 0.1;
        } else {
            e->step *= 0.5;
            e->n_step *= 2;
            e->least_steps *= 2;
            e->observe_every *= 2;
            e->renormalise_every *= 2;
        }
}

static enum ml_status accuracy_compute(struct accuracy *a, int level,
                                       const struct ml_ensemble_options *how, struct ml_error *err)
{
    struct ml_ensemble e = *a->ensemble;
    const struct ml_sink sink = {.context = a, .put = accuracy_put};
    a->level = level;
    e.n_run = level == ACCURACY_QUARTER ? (a->n + 3) / 4 : a->n;
    e.block_runs = ML_LANES;
    e.values = accuracy_values;
    e.context = a;
    e.saving = (struct ml_saving){.run_every = 1};
    accuracy_refine(&e, level == ACCURACY_COARSE ? 0 : level == ACCURACY_QUARTER ? 2 : 1);
    return ml_ensemble_run(&e, how, &sink, err);
}

/* Largest difference of an output's rows between two levels of a run; NaN if one is not finite. */
static double accuracy_difference(const struct accuracy *a, int output, int run, int one, int other)
{
    const double *x = accuracy_row(a, one, run), *y = accuracy_row(a, other, run);
    double most = 0.0;
    for (int r = a->first[output]; r < a->first[output + 1]; r++) {
        const double d = fabs(x[r] - y[r]);
        most = isfinite(d) ? fmax(most, d) : (double)NAN;
        if (isnan(most))
            break;
    }
    return most;
}

static int accuracy_by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* NaN without numbers. */
static double accuracy_median(double *x, int n)
{
    if (n == 0)
        return (double)NAN;
    qsort(x, (size_t)n, sizeof *x, accuracy_by_size);
    return 0.5 * x[(n - 1) / 2] + 0.5 * x[n / 2];
}

/* Largest number of a run in an output; NaN if one is not finite. */
static double accuracy_largest(const struct accuracy *a, int output, int run)
{
    const double *x = accuracy_row(a, ACCURACY_HALF, run);
    double most = 0.0;
    for (int r = a->first[output]; r < a->first[output + 1] && !isnan(most); r++)
        most = isfinite(x[r]) ? fmax(most, fabs(x[r])) : (double)NAN;
    return most;
}

/* Size of an output: of the largest number of each run the median. */
static double accuracy_size(const struct accuracy *a, int output)
{
    int n = 0;
    for (int i = 0; i < a->n; i++) {
        const double most = accuracy_largest(a, output, i);
        if (!isnan(most))
            a->sorted[n++] = most;
    }
    return accuracy_median(a->sorted, n);
}

static bool accuracy_is_of_end(const struct accuracy *a, int output)
{
    return strncmp(a->results.outputs[output].name, "end_", 4) == 0;
}

/* What measures the error of a run, or its work, has no error worth telling. */
static bool accuracy_is_told(const struct accuracy *a, int output)
{
    const char *name = a->results.outputs[output].name;
    const char *ending = strstr(name, "_error");
    return strcmp(name, "energy_drift") != 0 && strcmp(name, "rejected_steps") != 0 &&
           !(ending && (strcmp(ending, "_error") == 0 || strcmp(ending, "_errors") == 0));
}

/* Chaotic is a run whose end moves by much with the step, and with half of it still when its start
 * is displaced by hardly anything. The errors of too large a step alone get smaller with the step.
 */
static int accuracy_find_chaos(struct accuracy *a)
{
    int n = 0;
    for (int o = 0; o < a->results.n_output; o++) {
        const double size = accuracy_size(a, o);
        for (int i = 0; accuracy_is_of_end(a, o) && i < a->n; i++) {
            const double much = large * fmax(size, accuracy_largest(a, o, i));
            const double moved = accuracy_difference(a, o, i, ACCURACY_HALF, ACCURACY_DISPLACED);
            if (accuracy_difference(a, o, i, ACCURACY_COARSE, ACCURACY_HALF) > much &&
                moved > fmax(much, displacement))
                a->is_chaotic[i] = true;
        }
    }
    for (int i = 0; i < a->n; i++)
        n += a->is_chaotic[i];
    return n;
}

/* Median error of an output: of its end in the regular runs, of others in all. */
static double accuracy_error(const struct accuracy *a, int output, int *n)
{
    *n = 0;
    for (int i = 0; i < a->n; i++) {
        const double d = accuracy_difference(a, output, i, ACCURACY_COARSE, ACCURACY_HALF);
        if (!isnan(d) && !(accuracy_is_of_end(a, output) && a->is_chaotic[i]))
            a->sorted[(*n)++] = d;
    }
    return accuracy_median(a->sorted, *n);
}

/* Observed order of a run's end state, of the number that has the largest error; NaN if rounding
 * leaves none to be seen. With a tolerance the power of it that the error follows. */
static double accuracy_order_of_run(const struct accuracy *a, int run)
{
    const double rounding = 1e-12, factor = a->ensemble->is_adaptive ? 10.0 : 2.0;
    double most = 0.0, order = (double)NAN;
    for (int o = 0; !a->is_chaotic[run] && o < a->results.n_output; o++) {
        const double fine = accuracy_difference(a, o, run, ACCURACY_HALF, ACCURACY_QUARTER);
        const double coarse = accuracy_difference(a, o, run, ACCURACY_COARSE, ACCURACY_HALF);
        if (!accuracy_is_of_end(a, o) || !(coarse > most) ||
            !(fine > rounding * accuracy_size(a, o)))
            continue;
        most = coarse;
        order = log(coarse / fine) / log(factor);
    }
    return order;
}

static double accuracy_order(const struct accuracy *a)
{
    int n = 0;
    for (int i = 0; i < (a->n + 3) / 4; i++) {
        const double order = accuracy_order_of_run(a, i);
        if (!isnan(order))
            a->orders[n++] = order;
    }
    return accuracy_median(a->orders, n);
}

/* Adds to the text what fits. */
static void accuracy_say(struct ml_accuracy *out, const char *format, ...)
{
    const size_t used = strlen(out->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out->text + used, sizeof out->text - used, format, args);
    va_end(args);
}

static void accuracy_say_output(struct accuracy *a, int output, int n_chaotic,
                                struct ml_accuracy *out)
{
    const struct ml_output *o = &a->results.outputs[output];
    const double size = accuracy_size(a, output);
    int n;
    const double error = accuracy_error(a, output, &n);
    const bool is_regular = n_chaotic > 0 && accuracy_is_of_end(a, output);
    if (n == 0)
        return;
    out->is_large |= error > large * size;
    accuracy_say(out, "%s %s ", *out->text ? "," : "step error:", o->name);
    if (error > per_mille * size)
        accuracy_say(out, "%.2g %%", 100.0 * error / size);
    else
        accuracy_say(out, "%.2g%s%s", error, strcmp(o->unit, "1") != 0 ? " " : "",
                     strcmp(o->unit, "1") != 0 ? o->unit : "");
    if (is_regular)
        accuracy_say(out, " in regular runs");
}

/* Runs that end in another way with half the step. */
static int accuracy_other_ends(const struct accuracy *a)
{
    int n = 0;
    for (int i = 0; i < a->n; i++)
        n += a->outcomes[ACCURACY_COARSE * a->n + i] != a->outcomes[ACCURACY_HALF * a->n + i];
    return n;
}

static void accuracy_conclude(struct accuracy *a, struct ml_accuracy *out)
{
    const int n_chaotic = accuracy_find_chaos(a), n_other = accuracy_other_ends(a);
    const double order = accuracy_order(a);
    for (int o = 0; o < a->results.n_output; o++)
        if (accuracy_is_told(a, o))
            accuracy_say_output(a, o, n_chaotic, out);
    if (*out->text)
        accuracy_say(out, " (median of %d run%s)", a->n, a->n > 1 ? "s" : "");
    if (*out->text && !isnan(order))
        accuracy_say(out, "; observed %s %.1f", a->ensemble->is_adaptive ? "exponent" : "order",
                     order);
    if (n_chaotic > 0)
        accuracy_say(out, "; %d of %d are chaotic: their end state is not determined by this %s",
                     n_chaotic, a->n, a->ensemble->is_adaptive ? "tolerance" : "step");
    if (n_other > 0)
        accuracy_say(out, "%s%d of %d end in another way with %s",
                     *out->text ? "; " : "step error: ", n_other, a->n,
                     a->ensemble->is_adaptive ? "a tenth of the tolerance" : "half the step");
    out->is_large |= n_other > 0;
}

static void accuracy_free(struct accuracy *a)
{
    free(a->values);
    free(a->sorted);
    free(a->orders);
    free(a->outcomes);
    free(a->is_chaotic);
}

static bool accuracy_begin(struct accuracy *a)
{
    const size_t n = (size_t)a->n;
    ml_results_describe(a->ensemble, &a->results);
    for (int o = 0; o < a->results.n_output; o++)
        a->first[o + 1] =
            a->first[o] + ml_output_rows(&a->results.outputs[o], a->ensemble->shape.n);
    a->n_row = a->first[a->results.n_output];
    a->values = calloc(ACCURACY_LEVELS * n * (size_t)a->n_row + 1, sizeof *a->values);
    a->sorted = calloc(n, sizeof *a->sorted);
    a->orders = calloc(n, sizeof *a->orders);
    a->outcomes = calloc(ACCURACY_LEVELS * n, sizeof *a->outcomes);
    a->is_chaotic = calloc(n, sizeof *a->is_chaotic);
    return a->values && a->sorted && a->orders && a->outcomes && a->is_chaotic;
}

/* Whether there is anything finer: step counts stay exact as doubles, and tolerances above
 * rounding. */
static bool accuracy_can_refine(const struct ml_ensemble *e)
{
    const double least = 1e-13;
    return e->is_adaptive ? e->control.relative >= least : e->n_step <= INT64_C(1) << 50;
}

enum ml_status ml_accuracy_of_runs(const struct ml_ensemble *ensemble, int n,
                                   const struct ml_ensemble_options *how, struct ml_accuracy *out,
                                   struct ml_error *err)
{
    struct accuracy a = {.ensemble = ensemble, .n = n < ensemble->n_run ? n : (int)ensemble->n_run};
    *out = (struct ml_accuracy){0};
    if (!accuracy_can_refine(ensemble))
        return ML_OK;
    enum ml_status status =
        accuracy_begin(&a) ? ML_OK : ml_fail(err, ML_E_MEMORY, "no memory for runs of accuracy");
    for (int level = 0; level < ACCURACY_LEVELS && status == ML_OK; level++)
        status = accuracy_compute(&a, level, how, err);
    if (status == ML_OK)
        accuracy_conclude(&a, out);
    accuracy_free(&a);
    return status;
}
