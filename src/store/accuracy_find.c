/* Findings from runs computed again with smaller steps: errors, chaos and observed orders, and the
 * same in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/text.h"

#include "store/accuracy.h"

static const double large = 0.01; /* of the size of an output */

/* Largest absolute number of a row; NaN if one is not finite. */
static double find_largest(const double *x, const double *less, int n)
{
    double most = 0.0;
    for (int r = 0; r < n; r++) {
        const double d = fabs(less ? x[r] - less[r] : x[r]);
        if (!isfinite(d))
            return (double)NAN;
        most = fmax(most, d);
    }
    return most;
}

/* Finds the largest number of a run in an output, and the largest differences. */
static double accuracy_find_find_number(const struct ml_accuracy *a, int output, int i)
{
    return find_largest(ml_accuracy_row(a, ML_ACCURACY_FINER, output, i), NULL,
                        ml_accuracy_rows(a, output));
}

/* From the values with half the step. */
static double find_difference_to(const struct ml_accuracy *a, enum ml_accuracy_values which,
                                 int output, int i)
{
    return find_largest(ml_accuracy_row(a, which, output, i),
                        ml_accuracy_row(a, ML_ACCURACY_FINER, output, i),
                        ml_accuracy_rows(a, output));
}

/* With half the step; with a quarter more where the two agree by chance, as extremes that were seen
 * at the same time. */
static double find_difference(const struct ml_accuracy *a, int output, int i)
{
    const double coarse = find_largest(ml_accuracy_row(a, ML_ACCURACY_DIFFERENCE, output, i), NULL,
                                       ml_accuracy_rows(a, output));
    const double fine = find_difference_to(a, ML_ACCURACY_FINEST, output, i);
    return fine > coarse ? fine : coarse;
}

/* Outputs that can be 0 up to rounding because their terms cancel: their errors are relative to the
 * size of the terms. */
static const char *const find_sums[] = {ML_LYAPUNOV_SUM, ML_MEAN_TRACE};
enum { N_SUM = sizeof find_sums / sizeof *find_sums };

/* Number of the output; -1 if not found. */
static int find_output(const struct ml_accuracy *a, const char *name)
{
    for (int o = 0; o < a->n_output; o++)
        if (strcmp(a->outputs[o].name, name) == 0)
            return o;
    return -1;
}

static void find_sizes_of_sums(const struct ml_accuracy *a, struct ml_accuracy_found *found)
{
    const int parts = find_output(a, ML_LYAPUNOV_SPECTRUM);
    for (int s = 0; s < N_SUM; s++) {
        const int sum = find_output(a, find_sums[s]);
        if (sum >= 0 && parts >= 0)
            found->size[sum] = fmax(found->size[sum], found->size[parts]);
    }
}

static bool find_is_of_end(const struct ml_accuracy *a, int output)
{
    return strncmp(a->outputs[output].name, "end_", 4) == 0;
}

/* An end can be nearly 0 by chance, such as the rate of an oscillator after its period: below a
 * hundredth of its share of all ends, which is that of its move in the moves of all, where the
 * start is displaced. Its size is that share then. */
static void find_sizes_of_ends(const struct ml_accuracy *a, struct ml_accuracy_found *found,
                               double *scratch)
{
    double all = 0.0, all_moved = 0.0,
           *moved = found->displaced; /* find_medians fills these later */
    for (int o = 0; o < a->n_output; o++) {
        int n = 0;
        for (int i = 0; i < a->n; i++) {
            scratch[n] = find_difference_to(a, ML_ACCURACY_DISPLACED, o, i);
            n += !isnan(scratch[n]);
        }
        moved[o] = ml_median(scratch, n);
        if (find_is_of_end(a, o) && found->size[o] + moved[o] < (double)INFINITY) {
            all += found->size[o];
            all_moved += moved[o];
        }
    }
    for (int o = 0; o < a->n_output && all_moved > 0.0; o++) {
        const double share = all * (moved[o] / all_moved);
        if (find_is_of_end(a, o) && found->size[o] < large * share)
            found->size[o] = share;
    }
    for (int o = 0; o < a->n_output;
         o++) /* where motion has come to rest, hardly anything is left */
        if (find_is_of_end(a, o) && found->size[o] < ML_ACCURACY_DISPLACEMENT)
            found->size[o] = ML_ACCURACY_DISPLACEMENT;
}

static void find_sizes(const struct ml_accuracy *a, struct ml_accuracy_found *found,
                       double *scratch)
{
    for (int o = 0; o < a->n_output; o++) {
        int n = 0;
        for (int i = 0; i < a->n; i++) {
            scratch[n] = accuracy_find_find_number(a, o, i);
            n += !isnan(scratch[n]);
        }
        found->size[o] = ml_median(scratch, n);
    }
    find_sizes_of_sums(a, found);
    find_sizes_of_ends(a, found, scratch);
}

/* Chaotic is a run whose end moves by much with the step, and with half of it still when its start
 * is displaced by hardly anything. The errors of too large a step alone get smaller with the step,
 * unless half of it is too large too: then none is called chaotic. */
static void find_chaos(const struct ml_accuracy *a, struct ml_accuracy_found *found)
{
    for (int i = 0; i < a->n; i++) {
        for (int o = 0; o < a->n_output; o++) {
            if (!find_is_of_end(a, o))
                continue;
            const double much = large * fmax(found->size[o], accuracy_find_find_number(a, o, i));
            const double moved = find_difference_to(a, ML_ACCURACY_DISPLACED, o, i);
            if (!a->is_unstable && find_difference(a, o, i) > much &&
                moved > fmax(much, ML_ACCURACY_DISPLACEMENT))
                found->is_chaotic[i] = 1;
        }
        found->n_chaotic += found->is_chaotic[i];
        found->n_other += a->outcomes[0][i] != a->outcomes[1][i];
    }
}

/* Median of the differences of an output in the chaotic runs, or in the regular ones. */
static double find_median_of(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                             int output, bool is_chaotic, bool is_displaced, double *scratch)
{
    int n = 0;
    for (int i = 0; i < a->n; i++) {
        scratch[n] = is_displaced ? find_difference_to(a, ML_ACCURACY_DISPLACED, output, i)
                                  : find_difference(a, output, i);
        n += !isnan(scratch[n]) && is_chaotic == (found->is_chaotic[i] != 0);
    }
    return ml_median(scratch, n);
}

static void find_medians(const struct ml_accuracy *a, struct ml_accuracy_found *found,
                         double *scratch)
{
    for (int o = 0; o < a->n_output; o++) {
        found->median[o] = find_median_of(a, found, o, false, false, scratch);
        found->chaotic[o] = find_median_of(a, found, o, true, false, scratch);
        found->displaced[o] = find_median_of(a, found, o, true, true, scratch);
    }
}

/* NaN where rounding or chaos leaves none to be seen. */
static double find_order(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                         int output, int i)
{
    const double rounding = 1e-12, factor = a->is_adaptive ? 10.0 : 2.0;
    const double fine = find_difference_to(a, ML_ACCURACY_FINEST, output, i);
    const double coarse = find_difference(a, output, i);
    if (!(coarse > 0.0) || !(fine > rounding * found->size[output]) ||
        (find_is_of_end(a, output) && found->is_chaotic[i]))
        return (double)NAN;
    return log(coarse / fine) / log(factor);
}

/* The order of the number of a run's end state which has the largest error; NaN: no such number. */
static double find_order_of_end(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                int i)
{
    double most = 0.0, order = (double)NAN;
    for (int o = 0; o < a->n_output; o++) {
        const double own = found->order[(size_t)i * (size_t)a->n_output + (size_t)o];
        if (!find_is_of_end(a, o) || isnan(own) || !(find_difference(a, o, i) > most))
            continue;
        most = find_difference(a, o, i);
        order = own;
    }
    return order;
}

static void find_orders(const struct ml_accuracy *a, struct ml_accuracy_found *found,
                        double *scratch)
{
    int n = 0;
    for (int i = 0; i < a->n; i++) {
        for (int o = 0; o < a->n_output; o++)
            found->order[(size_t)i * (size_t)a->n_output + (size_t)o] = find_order(a, found, o, i);
        scratch[n] = find_order_of_end(a, found, i);
        n += !isnan(scratch[n]);
    }
    found->median_order = ml_median(scratch, n);
}

bool ml_accuracy_find(const struct ml_accuracy *accuracy, struct ml_accuracy_found *out)
{
    const size_t n = (size_t)accuracy->n, outputs = (size_t)accuracy->n_output;
    *out = (struct ml_accuracy_found){0};
    double *bytes = calloc((n + 4) * (outputs + 1) + n + 2, sizeof *bytes);
    if (!bytes)
        return false;
    out->bytes = bytes;
    out->order = bytes;
    out->size = out->order + n * outputs;
    out->median = out->size + outputs;
    out->chaotic = out->median + outputs;
    out->displaced = out->chaotic + outputs;
    double *scratch = out->displaced + outputs; /* [n + 1]: one past the last may be tried */
    out->is_chaotic = (int8_t *)(scratch + n + 1);
    find_sizes(accuracy, out, scratch);
    find_chaos(accuracy, out);
    find_medians(accuracy, out, scratch);
    find_orders(accuracy, out, scratch);
    return true;
}

void ml_accuracy_found_free(struct ml_accuracy_found *found)
{
    free(found->bytes);
    found->bytes = NULL;
}

static const double per_mille = 0.001; /* of the size of an output */
/* The step's part in chaotic runs is told if it is above so many times the start's, in the medians
 * of so many runs or more: those of fewer differ by as much from chance. */
static const double clearly = 3.0;
enum { CLEARLY_RUNS = 8 };

/* Outputs that measure the error of a run, its work or its doubts have no error of interest. */
static bool accuracy_is_told(const char *name)
{
    const char *ending = strstr(name, "_error");
    return strcmp(name, "energy_drift") != 0 && strcmp(name, "rejected_steps") != 0 &&
           strcmp(name, ML_SWEEP_RESIDUAL) != 0 && strcmp(name, ML_DOUBTFUL_CONDITION) != 0 &&
           !(ending && (strcmp(ending, "_error") == 0 || strcmp(ending, "_errors") == 0));
}

/* Text being written, cut off at its size. */
struct accuracy_text {
    char *text;
    size_t size;
    bool is_brief; /* only the worst numbers */
    bool is_large; /* an error beyond a hundredth was told */
};

__attribute__((format(printf, 2, 3))) static void accuracy_say(struct accuracy_text *out,
                                                               const char *format, ...)
{
    const size_t used = strlen(out->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out->text + used, out->size - used, format, args);
    va_end(args);
}

/* "3.4 %", "118 %" */
static void accuracy_say_percent(double percent, struct accuracy_text *out)
{
    const double hundred = 99.5; /* with two digits: 1e+02 */
    accuracy_say(out, percent < hundred ? "%.2g %%" : "%.0f %%", percent);
}

/* The beginning of the next sentence. */
static const char *accuracy_next(const struct accuracy_text *out)
{
    return *out->text ? "; " : "step error: ";
}

static const char *accuracy_finer(const struct ml_accuracy *a)
{
    return a->is_adaptive ? "a tenth of the tolerance" : "half the step";
}

/* The error as a part of the output's size. */
static double accuracy_relative(const struct ml_accuracy_found *found, int output)
{
    return found->median[output] / found->size[output];
}

/* The output of the end, or of all others, with the largest error in regular runs; -1: no output of
 * these changes. */
static int accuracy_worst(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                          bool is_of_end)
{
    int worst = -1;
    for (int o = 0; o < a->n_output; o++)
        if (accuracy_is_told(a->outputs[o].name) && find_is_of_end(a, o) == is_of_end &&
            found->median[o] > 0.0 &&
            (worst < 0 || accuracy_relative(found, o) > accuracy_relative(found, worst)))
            worst = o;
    return worst;
}

/* Whether a brief text has an output: the worst of the end, and one that is worse. */
static bool accuracy_is_brief(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                              int output)
{
    const int end = accuracy_worst(a, found, true), other = accuracy_worst(a, found, false);
    return output == end || (output == other && (end < 0 || accuracy_relative(found, other) >
                                                                accuracy_relative(found, end)));
}

/* An output with the error that regular runs have in it.
 *   is_first  of the list */
static void accuracy_say_output(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                int output, bool is_first, struct accuracy_text *out)
{
    const struct ml_accuracy_output *o = &a->outputs[output];
    const double size = found->size[output], error = found->median[output];
    accuracy_say(out, "%s%s ", is_first ? accuracy_next(out) : ", ", o->name);
    if (error > per_mille * size)
        accuracy_say_percent(100.0 * error / size, out);
    else
        accuracy_say(out, "%.2g%s", error, ml_unit_text(" ", o->unit, "").text);
}

/* Numbers that are the same: counts, values of the start, and all that neither step determines. */
static void accuracy_say_unchanged(const struct ml_accuracy *a,
                                   const struct ml_accuracy_found *found, bool is_any,
                                   struct accuracy_text *out)
{
    bool is_first = true;
    if (!is_any)
        accuracy_say(out, "%sno number changes with %s", accuracy_next(out), accuracy_finer(a));
    for (int o = 0; o < a->n_output && is_any && !out->is_brief; o++) {
        if (!accuracy_is_told(a->outputs[o].name) || found->median[o] != 0.0)
            continue;
        accuracy_say(out, "%s%s", is_first ? "; unchanged: " : ", ", a->outputs[o].name);
        is_first = false;
    }
}

/* All of them, those with large errors first, and how they are found. */
static void accuracy_say_regular(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                 struct accuracy_text *out)
{
    enum { MOST_LARGE = 3 }; /* in a brief text */
    const int n = a->n - found->n_chaotic;
    int n_told = 0;
    for (int pass = 0; pass < 2 && n > 0; pass++)
        for (int o = 0; o < a->n_output; o++) {
            const double error = found->median[o];
            const bool is_large = error > large * found->size[o];
            if (!accuracy_is_told(a->outputs[o].name) || !(error > 0.0) || is_large != (pass == 0))
                continue;
            out->is_large |= is_large;
            if (out->is_brief &&
                (is_large ? n_told >= MOST_LARGE : !accuracy_is_brief(a, found, o)))
                continue;
            accuracy_say_output(a, found, o, n_told++ == 0, out);
        }
    if (n == 0)
        return;
    if (n_told == 0)
        accuracy_say_unchanged(a, found, false, out);
    accuracy_say(out, " (median of %d %srun%s)", n, found->n_chaotic > 0 ? "regular " : "",
                 n > 1 ? "s" : "");
    if (!isnan(found->median_order) && n > 1) /* that of one run is left to chance */
        accuracy_say(out, "; observed %s %.1f", a->is_adaptive ? "exponent" : "order",
                     found->median_order);
    if (n_told > 0)
        accuracy_say_unchanged(a, found, true, out);
}

/* Chaotic runs in which an output is finite. */
static int accuracy_chaotic_runs(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                 int output)
{
    int n = 0;
    for (int i = 0; i < a->n; i++)
        n += found->is_chaotic[i] && !isnan(find_difference(a, output, i));
    return n;
}

/* Whether an output of chaotic runs, other than their end, differs by much with half the step: as
 * much as when the start is displaced, or by more, which is an error of the step. */
static bool accuracy_is_chaotic(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                int output, bool is_of_step)
{
    const double step = found->chaotic[output];
    const bool is_more = step > clearly * found->displaced[output];
    return step > large * found->size[output] && accuracy_is_told(a->outputs[output].name) &&
           !find_is_of_end(a, output) && is_of_step == is_more &&
           (!is_more || accuracy_chaotic_runs(a, found, output) >= CLEARLY_RUNS);
}

static void accuracy_say_chaotic(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                 bool is_of_step, struct accuracy_text *out)
{
    const char *finer = accuracy_finer(a);
    bool is_any = false;
    for (int o = 0; o < a->n_output && !(is_any && out->is_brief); o++) {
        if (!accuracy_is_chaotic(a, found, o, is_of_step))
            continue;
        if (!is_any && is_of_step)
            accuracy_say(out, "%sof chaotic runs %s changes", accuracy_next(out), finer);
        else if (!is_any)
            accuracy_say(out, ", and a start displaced by 1e-7 changes");
        accuracy_say(out, "%s %s by ", is_any ? "," : "", a->outputs[o].name);
        accuracy_say_percent(
            100.0 * (is_of_step ? found->chaotic[o] : found->displaced[o]) / found->size[o], out);
        is_any = true;
    }
    if (is_any && is_of_step)
        accuracy_say(out, ", by far more than a displaced start does");
    else if (is_any)
        accuracy_say(out, ", about as much as %s does", finer);
    out->is_large |= is_any && is_of_step;
}

/* Faults first, then the numbers. */
static void accuracy_say_errors(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                struct accuracy_text *out)
{
    if (found->n_other > 0)
        accuracy_say(out, "%s%d of %d run%s end%s otherwise with %s", accuracy_next(out),
                     found->n_other, a->n, a->n > 1 ? "s" : "", found->n_other > 1 ? "" : "s",
                     accuracy_finer(a));
    out->is_large |= found->n_other > 0;
    accuracy_say_chaotic(a, found, true, out);
    accuracy_say_regular(a, found, out);
}

static void accuracy_say_chaos(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                               struct accuracy_text *out)
{
    if (found->n_chaotic == 0)
        return;
    accuracy_say(out, "%s%d of %d are chaotic: their end state is not determined by this %s",
                 accuracy_next(out), found->n_chaotic, a->n, a->is_adaptive ? "tolerance" : "step");
    accuracy_say_chaotic(a, found, false, out);
}

bool ml_accuracy_judge(const struct ml_accuracy *accuracy, struct ml_accuracy_verdict *out)
{
    struct ml_accuracy_found found;
    *out = (struct ml_accuracy_verdict){0};
    struct accuracy_text whole = {out->text, sizeof out->text, false, false};
    struct accuracy_text brief = {out->brief, sizeof out->brief, true, false};
    struct accuracy_text chaos = {out->chaos, sizeof out->chaos, true, false};
    const bool is_found = ml_accuracy_find(accuracy, &found);
    if (is_found && accuracy->n > 0) {
        accuracy_say_errors(accuracy, &found, &whole);
        accuracy_say_chaos(accuracy, &found, &whole);
        accuracy_say_errors(accuracy, &found, &brief);
        accuracy_say_chaos(accuracy, &found, &chaos);
    }
    out->is_large = whole.is_large;
    ml_accuracy_found_free(&found);
    return is_found;
}

bool ml_sweeps_say(const double *residual, size_t n, double *largest, size_t size, char *text)
{
    size_t n_large = 0;
    *largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        n_large += residual[i] > ML_SWEEPS_CONVERGED;
        *largest = residual[i] > *largest ? residual[i] : *largest;
    }
    if (n_large == 0)
        return false;
    (void)snprintf(text, size,
                   "sweeps have not converged in %zu of %zu run%s: the last one of each step still "
                   "changed the state, by up to %.2g in all, so energy may drift",
                   n_large, n, n > 1 ? "s" : "", *largest);
    return true;
}
