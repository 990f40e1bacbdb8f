/* Compares trials: their segments, the zero of their angles and their runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "tools/gait/gait.h"

/* Numbers of a segment, and how far trials of one body are apart in each: lengths by markers differ
 * by up to 3 % from trial to trial, and moments of inertia by their squares. */
static const struct {
    const char *key;
    double tolerance;
} compared[] = {{"length", 0.03}, {"mass", 0.01}, {"com", 0.03}, {"inertia", 0.07}};
static const double mass_tolerance = 0.01; /* of `per_mass`, and gravity */

enum { WORD = 64 };

/* The value of a key in the resolved text of a study, "    # length: 0.4 (derived: body)": of a
 * segment of its system, or for NULL a key of a section. "" without such a key. */
static const char *find_value(const char *text, const char *segment, const char *key,
                              char value[WORD])
{
    char name[WORD] = "";
    bool is_system = false;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *begin = line + strspn(line, " #-");
        const size_t length = strcspn(begin, ":\n");
        const char *at = begin + length + strspn(begin + length, ": ");
        (void)snprintf(value, WORD, "%.*s", at < end ? (int)strcspn(at, " \n") : 0, at);
        if (begin == line) {
            is_system = strncmp(line, "system:", strlen("system:")) == 0;
            *name = '\0';
        }
        if (is_system && length == strlen("name") && strncmp(begin, "name", length) == 0)
            (void)snprintf(name, sizeof name, "%s", value);
        if (strlen(key) == length && strncmp(begin, key, length) == 0 &&
            strcmp(name, segment ? segment : "") == 0)
            return value;
    }
    *value = '\0';
    return value;
}

/* Compares a number, which either text may lack: expressions and swept numbers are no numbers. */
static enum ml_status compare_number(const struct gait_trial *first, const struct gait_trial *trial,
                                     const char *const texts[2], const char *segment,
                                     const char *key, double tolerance, struct ml_error *err)
{
    char words[2][WORD], *ends[2];
    double numbers[2];
    for (int i = 0; i < 2; i++)
        numbers[i] = strtod(find_value(texts[i], segment, key, words[i]), &ends[i]);
    const bool are_numbers = *words[0] && *words[1] && !*ends[0] && !*ends[1];
    if (!are_numbers || fabs(numbers[1] - numbers[0]) <= tolerance * fabs(numbers[0]))
        return ML_OK;
    return ml_fail(
        err, ML_E_INPUT,
        "%s: cannot report the trial with %s: `%s`%s%s is %.6g, there %.6g, more than %g %% "
        "apart; a report is of one body: make a report for each body, or correct the "
        "study that is wrong",
        trial->path, first->path, key, segment ? " of " : "", segment ? segment : "", numbers[1],
        numbers[0], 100.0 * tolerance);
}

/* Whether n numbers of runs, such as drawn masses, are the same; or the same parts of two numbers
 * of a study, such as of lengths that markers give, which differ by little. */
static bool are_same_runs(const double *a, const double *b, size_t n)
{
    const double rounding = 1e-9, most = 0.07, own = fabs(b[0] - a[0]);
    bool are_equal = memcmp(a, b, n * sizeof *a) == 0, are_parts = own <= most * fabs(a[0]);
    for (size_t i = 0; i < n; i++)
        are_parts = are_parts && fabs(a[i] * b[0] - b[i] * a[0]) <= rounding * fabs(a[0] * b[0]);
    return are_equal || are_parts;
}

/* The numbers of the runs are those of the first trial. */
static enum ml_status check_runs(const struct gait *gait, const struct gait_trial *trial,
                                 struct ml_error *err)
{
    const struct gait_trial *first = &gait->trials[0];
    const size_t n = (size_t)trial->n_run;
    struct ml_array_info info = {.size = sizeof info}, own = {.size = sizeof own};
    double *values = malloc(2 * n * sizeof *values);
    enum ml_status status = values ? ML_OK : ML_E_MEMORY;
    const char *differs = "number of runs";
    bool is_same = trial->n_run == first->n_run;
    for (int i = 0; status == ML_OK && is_same && ml_result_dataset(first->result, i, &info); i++) {
        if (strncmp(info.name, "runs/", strlen("runs/")) != 0 || info.type != ML_ARRAY_DOUBLE ||
            (size_t)ml_result_count(&info, 0, info.rank) != n)
            continue;
        differs = info.name + strlen("runs/");
        is_same = ml_result_find(trial->result, info.name, &own) && own.type == info.type &&
                  (size_t)ml_result_count(&own, 0, own.rank) == n;
        if (is_same)
            status = ml_result_read(first->result, info.name, NULL, NULL, values, n, err);
        if (is_same && status == ML_OK)
            status = ml_result_read(trial->result, info.name, NULL, NULL, values + n, n, err);
        is_same = is_same && status == ML_OK && are_same_runs(values, values + n, n);
    }
    free(values);
    if (status != ML_OK || is_same)
        return status;
    return ml_fail(
        err, ML_E_INPUT,
        "%s: cannot report the trial with %s: their runs differ, in `%s`; give both studies the "
        "same `sweep` or `sample`, so that run K is the same body",
        trial->path, first->path, differs);
}

/* Compares the segments of a trial with those of another trial of the same leg. */
static enum ml_status check_segments(const struct gait *gait, const struct gait_trial *first,
                                     const struct gait_trial *trial, const char *text,
                                     struct ml_error *err)
{
    const char *texts[2] = {NULL, text};
    enum ml_status status = ml_result_text(first->result, "resolved", 0, &texts[0], err);
    for (int j = 0; j < gait->n_joint && trial != first; j++)
        for (size_t k = 0; k < sizeof compared / sizeof *compared && status == ML_OK; k++)
            status = compare_number(first, trial, texts, gait->joints[j], compared[k].key,
                                    compared[k].tolerance, err);
    return status;
}

enum ml_status gait_check_body(const struct gait *gait, const struct gait_trial *trial,
                               struct ml_error *err)
{
    const struct gait_trial *first = &gait->trials[0];
    const int of_side = trial->side == GAIT_LEFT ? gait->n_side_trial[GAIT_RIGHT] : 0;
    const char *texts[2] = {NULL, NULL};
    char zeros[2][WORD];
    enum ml_status status = ml_result_text(first->result, "resolved", 0, &texts[0], err);
    if (status == ML_OK)
        status = ml_result_text(trial->result, "resolved", 0, &texts[1], err);
    if (status != ML_OK || trial == first)
        return status;
    for (int i = 0; i < 2; i++)
        (void)find_value(texts[i], NULL, "zero", zeros[i]);
    if (strcmp(zeros[0], zeros[1]) != 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot report the trial with %s: its angles have `zero: %s`, there "
                       "`zero: %s`; give both studies the same",
                       trial->path, first->path, zeros[1], zeros[0]);
    status = check_segments(gait, &gait->trials[of_side], trial, texts[1], err);
    if (status == ML_OK)
        status = compare_number(first, trial, texts, NULL, "per_mass", mass_tolerance, err);
    if (status == ML_OK)
        status = compare_number(first, trial, texts, NULL, "gravity.y", mass_tolerance, err);
    return status == ML_OK ? check_runs(gait, trial, err) : status;
}

/* Lines of a section of a resolved study; "" without it. */
static const char *find_section(const char *text, const char *heading)
{
    const char *section = strstr(text, heading);
    return section ? section + strlen(heading) : "";
}

static void add_smoothing(char smoothing[GAIT_SMOOTHING], const char *before, const char *text)
{
    const size_t used = strlen(smoothing);
    char own[GAIT_SMOOTHING];
    (void)snprintf(own, sizeof own, "%s%.*s, ", before, (int)strcspn(text, "\n"), text);
    if (!strstr(smoothing, own)) /* with its end: 2 is not 20 */
        (void)snprintf(smoothing + used, GAIT_SMOOTHING - used, "%s", own);
}

static const char *next_line(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return line + length + (line[length] != '\0');
}

void gait_smoothing(const struct gait_trial *trial, char smoothing[GAIT_SMOOTHING])
{
    const char *text = "";
    bool is_own = false;
    struct ml_error err = {0};
    if (ml_result_text(trial->result, "resolved", 0, &text, &err) != ML_OK)
        text = "";
    ml_error_clear(&err);
    *smoothing = '\0';
    /* keys of the section have two spaces, keys below these and of forces four */
    for (const char *line = find_section(text, "\ninverse:\n"); *line == ' ';
         line = next_line(line))
        if (strncmp(line, "    ", 4) != 0)
            is_own = strncmp(line, "  filter:", 9) == 0 || strncmp(line, "  spline:", 9) == 0;
        else if (is_own)
            add_smoothing(smoothing, "", line + 4);
    for (const char *line = find_section(text, "\nforces:\n"); *line == ' '; line = next_line(line))
        if (strncmp(line, "    filter:", 11) == 0)
            add_smoothing(smoothing, "load ", line + 4);
    if (!*smoothing)
        (void)snprintf(smoothing, GAIT_SMOOTHING, "none");
    else
        smoothing[strlen(smoothing) - 2] = '\0';
}
