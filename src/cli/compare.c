/* manylink compare: what integrators cost on a study's runs, and how exact they are. */
#include "manylink/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/signals.h"

enum { COMPARE_MAX_NAMES = 64 };

/* Names of --integrators, cut from a copy of its text. */
struct compare_names {
    char *text; /* owned */
    const char *words[COMPARE_MAX_NAMES];
    int n;
};

/* false if there are too many, or no memory. */
static bool compare_split(const char *list, struct compare_names *names)
{
    *names = (struct compare_names){.text = strdup(list)};
    for (char *at = names->text; at && names->n < COMPARE_MAX_NAMES;) {
        names->words[names->n++] = at;
        at = strchr(at, ',');
        if (!at)
            return true;
        *at++ = '\0';
    }
    return false;
}

static void compare_print_kernel(const char *kernel, const char *steps, const char *comma)
{
    if (kernel)
        printf("%s%s for steps %s", comma, kernel, steps);
}

static void compare_print_reference(const struct ml_study *study,
                                    const struct ml_comparison_reference *reference)
{
    printf("runs       %lld of %lld, %lld compared", (long long)reference->runs,
           (long long)ml_study_runs(study), (long long)reference->compared);
    if (reference->undetermined > 0)
        printf("; %lld left out: their end state is not determined, as in chaos",
               (long long)reference->undetermined);
    if (reference->unfinished > 0)
        printf("; %lld left out: they do not reach the end", (long long)reference->unfinished);
    printf("\nreference  %s at tolerance %g; %s differs from it by up to %.1e\n",
           reference->integrator, reference->tolerance, reference->check, reference->difference);
    printf("kernel     ");
    compare_print_kernel(reference->fixed_kernel, "that are given", "");
    compare_print_kernel(reference->chosen_kernel, "chosen by tolerance",
                         reference->fixed_kernel ? ", " : "");
    printf(" (%s)\n\n", reference->isa);
}

static void compare_print_head(const struct ml_study *study)
{
    struct ml_array_info quantity = {.size = sizeof quantity};
    printf("%-12s %-9s %-9s", "", "step or", "us");
    for (int q = 0; ml_study_state(study, q, &quantity); q++)
        say(stdout, " %9s %9s", quantity.name, "");
    printf("\n%-12s %-9s %-9s", "integrator", "tolerance", "per run");
    for (int q = 0; ml_study_state(study, q, &quantity); q++)
        printf(" %9s %9s", "largest", "median");
    printf(" %11s %9s %8s %9s\n", "evaluations", "steps", "rejected", "drift");
}

/* A mark stands at an error below what is known of the reference. */
static void compare_print_error(double error, double known)
{
    if (isnan(error))
        printf(" %9s", "-");
    else
        printf(" %s%.1e", error < known ? " <" : "  ", fmax(error, known));
}

static void compare_print_row(const struct ml_study *study, const struct ml_comparison_row *row,
                              double known)
{
    struct ml_array_info quantity = {.size = sizeof quantity};
    printf("%-12s %-9.4g %-9.3g", row->integrator, row->step > 0.0 ? row->step : row->tolerance,
           1e6 * row->seconds);
    for (int q = 0; ml_study_state(study, q, &quantity); q++) {
        compare_print_error(row->largest[q], known);
        compare_print_error(row->median[q], known);
    }
    printf(" %11.1f %9.1f %8.1f", row->evaluations, row->steps, row->rejected);
    compare_print_error(row->energy_drift, 0.0);
    if (row->failed > 0)
        printf("  %lld did not finish", (long long)row->failed);
    printf("\n");
}

/* The least digits that are read as the same number. */
static void compare_print_number(double x)
{
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    printf("%s", text);
}

static void compare_print_line(const struct ml_comparison_row *row)
{
    if (row->step > 0.0) {
        printf("integrator: %s and time: {step: ", row->integrator);
        compare_print_number(row->step);
    } else {
        printf("integrator: {type: %s, tolerance: ", row->integrator);
        compare_print_number(row->tolerance);
    }
    printf("}\n");
}

static void compare_print_cheapest(const struct ml_comparison *comparison)
{
    static const double accuracies[] = {1e-3, 1e-6, 1e-9, 1e-12};
    printf("\ncheapest\n");
    for (size_t i = 0; i < sizeof accuracies / sizeof *accuracies; i++) {
        struct ml_comparison_row row = {.size = sizeof row};
        const int best = ml_comparison_cheapest(comparison, accuracies[i]);
        printf("  within %-6g ", accuracies[i]);
        if (best < 0) {
            printf("none of these, as far as the reference tells\n");
            continue;
        }
        (void)ml_comparison_row(comparison, best, &row);
        printf("%9.3g us  ", 1e6 * row.seconds);
        compare_print_line(&row);
    }
}

static void compare_print(const struct ml_study *study, const struct ml_comparison *comparison)
{
    struct ml_comparison_reference reference = {.size = sizeof reference};
    struct ml_comparison_row row = {.size = sizeof row};
    ml_comparison_reference(comparison, &reference);
    compare_print_reference(study, &reference);
    compare_print_head(study);
    for (int i = 0; ml_comparison_row(comparison, i, &row); i++)
        compare_print_row(study, &row, reference.difference);
    compare_print_cheapest(comparison);
}

static int compare(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_comparison *comparison;
    struct compare_names names = {0};
    if (line->integrators && !compare_split(line->integrators, &names)) {
        free(names.text);
        return fail_usage(line->command, "--integrators: at most %d names", COMPARE_MAX_NAMES);
    }
    const struct ml_compare_options options = {.size = sizeof options,
                                               .integrators = names.text ? names.words : NULL,
                                               .n_integrator = names.n,
                                               .levels = (int)line->levels,
                                               .kernel = (enum ml_kernel_mode)line->kernel,
                                               .no_native = line->no_native,
                                               .stop = count_signals};
    catch_signals("\nstopping\n");
    int code = EXIT_DONE;
    if (ml_compare(study, &options, &comparison, &err) == ML_OK)
        compare_print(study, comparison);
    else
        code = fail_with(&err);
    ml_comparison_free(comparison);
    free(names.text);
    return code;
}

int command_compare(const struct command_line *line) { return with_study(line, compare); }
