/* manylink probability: the probability that a run fails a requirement. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/signals.h"
#include "manylink/failure.h"
#include "manylink/text.h"

const char *const failure_words[] = {[ML_FAILURE_SUBSET] = "subset",
                                     [ML_FAILURE_FORM] = "form",
                                     [ML_FAILURE_IMPORTANCE] = "importance",
                                     NULL};

static void probability_notice(void *context, const char *text)
{
    (void)context;
    say(stderr, "%s\n", text);
}

/* Axis k of the grid, and its value at a run; false past the last. The axis behind is the sample.
 */
static bool find_place(const struct ml_study *study, int64_t run, int k, struct ml_study_axis *axis,
                       double *value)
{
    struct ml_study_axis behind = {.size = sizeof behind};
    int64_t stride = 1;
    if (!ml_study_axis(study, k, axis) || !ml_study_axis(study, k + 1, &behind))
        return false;
    for (int i = k + 1; ml_study_axis(study, i, &behind); i++)
        stride *= behind.count;
    double *values = take((size_t)axis->count, sizeof *values);
    ml_study_axis_values(study, k, values);
    *value = values[run / stride % axis->count];
    free(values);
    return true;
}

static void json_numbers(json_t *object, const char *name, const double *values, int n)
{
    json_t *array = values ? json_array() : json_null();
    for (int i = 0; values && i < n; i++)
        json_array_append_new(array, json_number(values[i]));
    json_object_set_new(object, name, array);
}

static json_t *json_failure(const struct ml_study *study, const struct ml_failures *found, int i)
{
    const struct ml_failure *f = &found->failures[i];
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"probability", f->probability}, {"low", f->low},     {"high", f->high},
                   {"variation", f->variation},     {"index", f->index}, {"curved", f->curved}};
    struct ml_study_axis axis = {.size = sizeof axis};
    double value;
    json_t *object = json_object(), *at = json_object();
    json_object_set_new(object, "requirement", json_string(f->requirement));
    for (int k = 0; find_place(study, f->run, k, &axis, &value); k++)
        json_object_set_new(at, axis.name, json_number(value));
    json_object_set_new(object, "at", at);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        json_object_set_new(object, numbers[k].name, json_number(numbers[k].value));
    json_object_set_new(object, "levels", json_integer(f->levels));
    json_object_set_new(object, "runs", json_integer(f->runs));
    json_object_set_new(object, "without", json_integer(f->without));
    json_object_set_new(object, "doubt", json_string(f->doubt));
    json_numbers(object, "point", f->point, found->n_input);
    json_numbers(object, "scores", f->scores, found->n_input);
    json_numbers(object, "alpha", f->factors, found->n_input);
    return object;
}

static int print_json(const struct ml_study *study, const struct ml_failures *found)
{
    json_t *root = json_object(), *inputs = json_array(), *failures = json_array();
    for (int i = 0; i < found->n_input; i++)
        json_array_append_new(inputs, json_string(found->inputs[i].key));
    for (int i = 0; i < found->n; i++)
        json_array_append_new(failures, json_failure(study, found, i));
    json_object_set_new(root, "inputs", inputs);
    json_object_set_new(root, "failures", failures);
    return json_print(root);
}

static void print_point(const struct ml_failures *found, const struct ml_failure *f)
{
    printf("  %-40s %12s %9s %9s %8s\n", "point", "value", "score", "alpha", "alpha^2");
    for (int i = 0; i < found->n_input; i++) {
        const struct ml_failure_input *input = &found->inputs[i];
        const bool has_unit = strcmp(input->unit, "1") != 0;
        char *name = take_text("%s%s%s%s", input->key, has_unit ? " (" : "",
                               has_unit ? input->unit : "", has_unit ? ")" : "");
        say(stdout, "  %-40s %12.6g %9.4f %9.4f %8.4f\n", name, f->point[i], f->scores[i],
            f->factors[i], f->factors[i] * f->factors[i]);
        free(name);
    }
}

static void print_place(const struct ml_study *study, const struct ml_failure *f, bool is_first)
{
    struct ml_study_axis axis = {.size = sizeof axis};
    double value;
    int k = 0;
    for (; find_place(study, f->run, k, &axis, &value); k++)
        say(stdout, "%s%s = %.6g", k > 0 ? ", " : is_first ? "" : "\n", axis.name, value);
    if (k > 0)
        printf("\n");
}

static void print_numbers(const struct ml_failure *f)
{
    if (isnan(f->probability))
        printf("none found");
    else if (isnan(f->low))
        printf("%.4g by FORM", f->probability);
    else
        printf("%.3g, 95 %% interval %.3g .. %.3g", f->probability, f->low, f->high);
    if (!isnan(f->curved))
        printf(", %.4g by SORM", f->curved);
    if (!isnan(f->variation))
        printf(", coefficient of variation %.2g", f->variation);
    if (!isnan(f->index))
        printf(", reliability index %.5g", f->index);
    printf("; %lld runs", (long long)f->runs);
    if (f->levels > 0)
        printf(", %d level%s", f->levels, f->levels == 1 ? "" : "s");
    printf("\n");
}

static void print_failure(const struct ml_failures *found, const struct ml_failure *f)
{
    say(stdout, "probability of failure of %s: ", f->requirement);
    print_numbers(f);
    if (f->without > 0)
        printf("  %lld of the runs did not finish or lack the number, and count as failed\n",
               (long long)f->without);
    if (*f->doubt)
        printf("  %s\n", f->doubt);
    if (f->point)
        print_point(found, f);
}

static void print_all(const struct ml_study *study, const struct ml_failures *found, bool is_quiet)
{
    int64_t runs = 0;
    for (int i = 0; i < found->n; i++) {
        const struct ml_failure *f = &found->failures[i];
        if (i == 0 || f[-1].run != f->run)
            print_place(study, f, i == 0);
        print_failure(found, f);
        runs += f->runs;
    }
    if (!is_quiet)
        printf("\n%lld runs in %.2g s on %d thread%s\n", (long long)runs, found->seconds,
               found->threads, found->threads == 1 ? "" : "s");
}

static int find_probability(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_failures found = {.size = sizeof found};
    const struct ml_failure_options options = {
        .size = sizeof options,
        .method = (enum ml_failure_method)line->check.method,
        .n_thread = (int)line->threads,
        .stop = count_signals,
        .notice = line->quiet ? NULL : probability_notice,
        .kernel = (enum ml_kernel_mode)line->make.kernel,
        .no_native = line->no_native,
    };
    int code = EXIT_DONE;
    catch_signals("\nending the estimate\n");
    if (ml_failures_find(study, &options, &found, &err) != ML_OK)
        return fail_with(&err);
    if (line->json)
        code = print_json(study, &found);
    else
        print_all(study, &found, line->quiet);
    for (int i = 0; i < found.n; i++)
        code = isnan(found.failures[i].probability) ? EXIT_FAILED : code;
    ml_failures_free(&found);
    return code;
}

int command_probability(const struct command_line *line)
{
    return with_study(line, find_probability);
}
