/* What runs that were computed again tell, in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "store/accuracy.h"

static const double large = 0.01, per_mille = 0.001; /* of the size of an output */
static const double clearly =
    3.0; /* the step's part in chaotic runs, if above this times the start's */

/* What measures the error of a run, or its work, has no error worth telling. */
static bool accuracy_is_told(const char *name)
{
    const char *ending = strstr(name, "_error");
    return strcmp(name, "energy_drift") != 0 && strcmp(name, "rejected_steps") != 0 &&
           !(ending && (strcmp(ending, "_error") == 0 || strcmp(ending, "_errors") == 0));
}

/* Adds to the text what fits. */
__attribute__((format(printf, 2, 3))) static void accuracy_say(struct ml_accuracy_verdict *out,
                                                               const char *format, ...)
{
    const size_t used = strlen(out->text);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out->text + used, sizeof out->text - used, format, args);
    va_end(args);
}

static void accuracy_say_output(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                int output, struct ml_accuracy_verdict *out)
{
    const struct ml_accuracy_output *o = &a->outputs[output];
    const double size = found->size[output], error = found->median[output];
    if (isnan(error))
        return;
    out->is_large |= error > large * size;
    accuracy_say(out, "%s %s ", *out->text ? "," : "step error:", o->name);
    if (error > per_mille * size)
        accuracy_say(out, "%.2g %%", 100.0 * error / size);
    else
        accuracy_say(out, "%.2g%s%s", error, strcmp(o->unit, "1") != 0 ? " " : "",
                     strcmp(o->unit, "1") != 0 ? o->unit : "");
}

/* Outputs of chaotic runs, other than their end, that differ by much with half the step: as much as
 * when the start is displaced, or by more, which is an error of the step. */
static void accuracy_say_chaotic(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                                 bool is_of_step, struct ml_accuracy_verdict *out)
{
    bool is_any = false;
    for (int o = 0; o < a->n_output; o++) {
        const char *name = a->outputs[o].name;
        const double much = large * found->size[o], step = found->chaotic[o];
        const double start = found->displaced[o];
        if (!(step > much) || !accuracy_is_told(name) || strncmp(name, "end_", 4) == 0 ||
            is_of_step != (step > clearly * start))
            continue;
        accuracy_say(out, "%s %s by %.2g %%",
                     is_any       ? ","
                     : is_of_step ? "; in them half the step changes"
                                  : ", and a start displaced by 1e-7 changes",
                     name, 100.0 * (is_of_step ? step : start) / found->size[o]);
        is_any = true;
    }
    if (is_any && !is_of_step)
        accuracy_say(out, ", about as much as half the step does");
    out->is_large |= is_any && is_of_step;
}

static void accuracy_say_chaos(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                               struct ml_accuracy_verdict *out)
{
    accuracy_say(out, "%s%d of %d are chaotic: their end state is not determined by this %s",
                 *out->text ? "; " : "step error: ", found->n_chaotic, a->n,
                 a->is_adaptive ? "tolerance" : "step");
    accuracy_say_chaotic(a, found, false, out);
    accuracy_say_chaotic(a, found, true, out);
}

static void accuracy_say_all(const struct ml_accuracy *a, const struct ml_accuracy_found *found,
                             struct ml_accuracy_verdict *out)
{
    for (int o = 0; o < a->n_output; o++)
        if (accuracy_is_told(a->outputs[o].name))
            accuracy_say_output(a, found, o, out);
    const int n = a->n - found->n_chaotic;
    if (*out->text)
        accuracy_say(out, " (median of %d %srun%s)", n, found->n_chaotic > 0 ? "regular " : "",
                     n > 1 ? "s" : "");
    if (*out->text && !isnan(found->median_order))
        accuracy_say(out, "; observed %s %.1f", a->is_adaptive ? "exponent" : "order",
                     found->median_order);
    if (found->n_chaotic > 0)
        accuracy_say_chaos(a, found, out);
    if (found->n_other > 0)
        accuracy_say(out, "%s%d of %d end in another way with %s",
                     *out->text ? "; " : "step error: ", found->n_other, a->n,
                     a->is_adaptive ? "a tenth of the tolerance" : "half the step");
    out->is_large |= found->n_other > 0;
}

bool ml_accuracy_judge(const struct ml_accuracy *accuracy, struct ml_accuracy_verdict *out)
{
    struct ml_accuracy_found found;
    *out = (struct ml_accuracy_verdict){0};
    const bool is_found = ml_accuracy_find(accuracy, &found);
    if (is_found && accuracy->n > 0)
        accuracy_say_all(accuracy, &found, out);
    ml_accuracy_found_free(&found);
    return is_found;
}
