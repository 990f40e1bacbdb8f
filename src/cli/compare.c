/* manylink compare: cost and errors of integrators on a study's runs. */
#include "manylink/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/signals.h"

enum { COMPARE_MAX_NAMES = 64 };

/* Names of --integrators, cut from a copy of its text. */
struct compare_names {
    char *text; /* owned */
    const char *words[COMPARE_MAX_NAMES];
    int n;
};

/* false if there are too many. */
static bool compare_split(const char *list, struct compare_names *names)
{
    *names = (struct compare_names){.text = take_text("%s", list)};
    for (char *at = names->text; names->n < COMPARE_MAX_NAMES;) {
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

static void compare_print_left_out(const struct ml_comparison_reference *about)
{
    if (about->undetermined > 0)
        printf("; %lld left out: their end state is not determined to %g, as in chaos",
               (long long)about->undetermined, about->determined);
    if (about->unfinished > 0)
        printf("; %lld left out: they do not reach the end", (long long)about->unfinished);
}

static void compare_print_pair(const struct ml_comparison_reference *about)
{
    if (about->means > 1)
        printf(
            "\nreference  mean of %d runs by %s and %d by %s at tolerance %g and less, %.1e from "
            "either's mean\n",
            about->means, about->integrator, about->means, about->check, about->tolerance,
            about->difference);
    else
        printf("\nreference  %s at tolerance %g; %s at %g differs by up to %.1e\n",
               about->integrator, about->tolerance, about->check, about->check_tolerance,
               about->difference);
}

static void compare_print_reference(const struct ml_study *study,
                                    const struct ml_comparison_reference *about)
{
    printf("runs       %lld of %lld, %lld compared", (long long)about->runs,
           (long long)ml_study_runs(study), (long long)about->compared);
    compare_print_left_out(about);
    compare_print_pair(about);
    if (about->is_stiff)
        printf(
            "           the study is stiff: explicit methods take more than ten times the work\n");
    printf("error      of the end state: largest |x - reference| / (1 + |reference|), units as in "
           "the study\n");
    printf("timed      the motion alone");
    if (about->tangents > 0)
        printf(", without the %d tangent vector%s of the study", about->tangents,
               about->tangents == 1 ? "" : "s");
    if (!about->is_end_only)
        printf(", without measurements and trajectories;\n           steps chosen by tolerance "
               "meet %lld ticks",
               (long long)about->ticks);
    printf("\nkernel     ");
    compare_print_kernel(about->fixed_kernel, "that are given", "");
    compare_print_kernel(about->chosen_kernel, "chosen by tolerance",
                         about->fixed_kernel ? ", " : "");
    printf(" (%s)\n\n", about->isa);
}

static void compare_print_head(const struct ml_study *study)
{
    struct ml_array_info quantity = {.size = sizeof quantity};
    printf("%-12s %-9s %-9s %9s %9s", "", "step or", "us", "", "");
    for (int q = 0; ml_study_state(study, q, &quantity); q++)
        say(stdout, " %9.9s", quantity.name);
    printf("\n%-12s %-9s %-9s %9s %9s", "integrator", "tolerance", "per run", "error", "median");
    for (int q = 0; ml_study_state(study, q, &quantity); q++)
        say(stdout, " %9.9s", quantity.unit);
    printf(" %11s %9s %8s %9s\n", "evaluations", "steps", "rejected", "energy");
}

/* A mark stands at an error below that of the reference. */
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
    compare_print_error(row->error, known);
    compare_print_error(row->median, known);
    for (int q = 0; ml_study_state(study, q, &quantity); q++)
        compare_print_error(row->largest[q], 0.0);
    printf(" %11.1f %9.1f %8.1f", row->evaluations, row->steps, row->rejected);
    compare_print_error(row->energy_error, 0.0);
    if (!row->converges)
        printf("  sweeps not converged: %.1e", row->residual);
    if (row->failed > 0)
        printf("  %lld did not end as the reference", (long long)row->failed);
    printf("\n");
}

/* Six digits, or as many as are read as the same number. */
static const char *compare_number(double x, char text[32])
{
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, 32, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return text;
}

/* Keys for the study: the integrator, and the time that goes with it. */
static void compare_print_keys(const struct ml_comparison_reference *about,
                               const struct ml_comparison_row *row, int indent)
{
    char text[32];
    if (row->n_step > 0 && !about->is_compensated)
        printf("integrator: %s", row->integrator);
    else
        printf("integrator: {type: %s", row->integrator);
    if (row->n_step == 0)
        printf(", tolerance: %s", compare_number(row->tolerance, text));
    if (about->is_compensated)
        printf(", summation: compensated");
    printf(row->n_step > 0 && !about->is_compensated ? "" : "}");
    printf("\n%*stime: {", indent, "");
    if (about->start != 0.0)
        printf("start: %s, ", compare_number(about->start, text));
    printf("end: %s", compare_number(about->end, text));
    if (row->n_step > 0)
        printf(", steps: %lld", (long long)row->n_step);
    else
        printf(", tick: %s",
               compare_number((about->end - about->start) / (double)about->ticks, text));
    printf("}\n");
}

static void compare_print_cheapest(const struct ml_comparison *comparison,
                                   const struct ml_comparison_reference *about)
{
    static const double accuracies[] = {1e-3, 1e-6, 1e-9, 1e-12};
    enum { INDENT = 31 };
    printf("\ncheapest\n");
    for (size_t i = 0; i < sizeof accuracies / sizeof *accuracies; i++) {
        struct ml_comparison_row row = {.size = sizeof row};
        const int best = ml_comparison_cheapest(comparison, accuracies[i]);
        printf("  within %-6g ", accuracies[i]);
        if (best < 0 && ML_COMPARE_MARGIN * about->difference > accuracies[i])
            printf("unknown: the reference is exact to %.1e only, and not to a hundredth of this\n",
                   about->difference);
        else if (best < 0)
            printf("none of these\n");
        if (best < 0)
            continue;
        (void)ml_comparison_row(comparison, best, &row);
        printf("%9.3g us   ", 1e6 * row.seconds);
        compare_print_keys(about, &row, INDENT);
    }
}

/* Integrators that the study cannot take or that take too long, and a warning about `every`. */
static void compare_print_remarks(const struct ml_comparison *comparison,
                                  const struct ml_comparison_reference *about)
{
    struct ml_comparison_row row = {.size = sizeof row}, next = {.size = sizeof next};
    for (int i = 0; ml_comparison_row(comparison, i, &row); i++) {
        if (ml_comparison_row(comparison, i + 1, &next) && next.level > 0)
            continue;
        if (row.level + 1 < about->levels)
            printf("\n%s: %d of %d levels, the next would take too long\n", row.integrator,
                   row.level + 1, about->levels);
        if (!row.fits)
            printf("\n%s is not for this study: it carries no tangent vectors of a plugin that has "
                   "none of its own, and `analyse` may need them\n",
                   row.integrator);
    }
    if (about->absent > 0)
        printf("\n%d integrators would take too long at any level\n", about->absent);
    if (!about->is_end_only)
        printf("\nThis study looks at its runs on the way: with other steps or ticks its keys "
               "`every`, which\ncount them, mean other times.\n");
}

static void compare_print(const struct ml_study *study, const struct ml_comparison *comparison)
{
    struct ml_comparison_reference about = {.size = sizeof about};
    struct ml_comparison_row row = {.size = sizeof row};
    ml_comparison_reference(comparison, &about);
    compare_print_reference(study, &about);
    compare_print_head(study);
    for (int i = 0; ml_comparison_row(comparison, i, &row); i++)
        compare_print_row(study, &row, about.difference);
    compare_print_cheapest(comparison, &about);
    compare_print_remarks(comparison, &about);
}

static int compare_study(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_comparison *comparison;
    struct compare_names names = {0};
    if (line->check.integrators && !compare_split(line->check.integrators, &names)) {
        free(names.text);
        return fail_usage(line->command, "--integrators: at most %d names", COMPARE_MAX_NAMES);
    }
    const struct ml_compare_options options = {.size = sizeof options,
                                               .integrators = names.text ? names.words : NULL,
                                               .n_integrator = names.n,
                                               .levels = (int)line->check.levels,
                                               .kernel = (enum ml_kernel_mode)line->make.kernel,
                                               .no_native = line->no_native,
                                               .stop = count_signals};
    catch_signals("\nstopping\n");
    enum ml_status status = ml_compare(study, &options, &comparison, &err);
    if (status == ML_OK)
        compare_print(study, comparison);
    if (status == ML_OK && line->output)
        status = ml_comparison_write(comparison, study, line->output, &err);
    const int code = status == ML_OK ? EXIT_DONE : fail_with(&err);
    if (status == ML_OK && line->output)
        print_result(line->output);
    ml_comparison_free(comparison);
    free(names.text);
    return code;
}

int command_compare(const struct command_line *line) { return with_study(line, compare_study); }
