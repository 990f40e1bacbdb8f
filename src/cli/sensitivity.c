/* manylink sensitivity: the global sensitivity indices of a result's outputs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "manylink/fail.h"
#include "manylink/result.h"
#include "manylink/indices.h"
#include "manylink/text.h"

enum {
    N_RESAMPLE = 200,
    MOST_INPUTS = 4096,
    WIDEST = 16, /* numbers of a run: outputs with more are left out unless asked for */
    FEW = 32     /* points: below, the bootstrap's intervals miss much of the spread */
};

struct sensitivity {
    struct ml_result *result;
    struct ml_error *err;
    const char *inputs[MOST_INPUTS];
    int n_input, n_row;
    bool has_second;
    int64_t n_point;
    struct ml_sobol_indices found;
    int n_printed;
};

/* The design and the inputs of a result; false after a problem. */
static bool find_design(struct sensitivity *s)
{
    const char *design = NULL, *grid = NULL;
    struct ml_array_info info = {.size = sizeof info};
    if (ml_result_attribute(s->result, "runs", "design", 0, &design, s->err) != ML_OK)
        return false;
    if (!design || !ml_result_find(s->result, "runs/outcome", &info)) {
        ml_fail(s->err, ML_E_INPUT,
                "cannot find Sobol' indices: the runs are of no design for these; write `design: "
                "saltelli` below `sample` of the study");
        return false;
    }
    if (ml_result_attribute(s->result, "summary", "run_dims", 1, &grid, s->err) == ML_OK && grid) {
        ml_fail(s->err, ML_E_INPUT,
                "cannot find Sobol' indices at the points of a grid: run the study with values of "
                "the swept keys, `--set KEY=VALUE`");
        return false;
    }
    s->has_second = strstr(design, "second order") != NULL;
    while (s->n_input < MOST_INPUTS &&
           ml_result_attribute(s->result, "runs", "inputs", s->n_input, &s->inputs[s->n_input],
                               s->err) == ML_OK &&
           s->inputs[s->n_input])
        s->n_input++;
    s->n_row = 2 + (s->has_second ? 2 : 1) * s->n_input;
    s->n_point = info.shape[0] / s->n_row;
    return true;
}

static void print_index(const struct ml_index *index)
{
    printf("  %8.4f +- %-7.2g", index->value, index->half);
}

static void print_indices(const struct sensitivity *s, const char *name)
{
    const struct ml_sobol_indices *f = &s->found;
    double widest = 0.0;
    printf("%s%s: %lld of %lld points are complete\n", s->n_printed ? "\n" : "", name,
           (long long)f->n_complete, (long long)s->n_point);
    printf("  %-40s  %-19s  %s\n", "input", "first order", "total");
    for (int i = 0; i < s->n_input; i++) {
        printf("  %-40s", s->inputs[i]);
        print_index(&f->first[i]);
        print_index(&f->total[i]);
        printf("\n");
        widest = fmax(widest, f->total[i].half);
    }
    for (int i = 0; s->has_second && i < s->n_input; i++)
        for (int j = i + 1; j < s->n_input; j++) {
            printf("  %s, %s:", s->inputs[i], s->inputs[j]);
            print_index(&f->second[i * s->n_input + j]);
            printf("\n");
        }
    if (f->n_complete < FEW)
        printf("  intervals of fewer than %d points are too narrow\n", (int)FEW);
    else
        printf("  %lld points resolve total indices to +-%.2g; %lld would halve that\n",
               (long long)f->n_complete, widest, 4 * (long long)f->n_complete);
}

/* The indices of component k of a dataset, of which a run has `width`. */
static enum ml_status find_component(struct sensitivity *s, const struct ml_array_info *info,
                                     const double *all, int64_t width, int64_t k, double *y)
{
    char *name = NULL;
    for (int64_t i = 0; i < s->n_point * s->n_row; i++)
        y[i] = all[i * width + k];
    const enum ml_status status =
        ml_result_component(s->result, info, info->n_run_dim, info->rank, k, '.', &name, s->err);
    if (status != ML_OK)
        return status;
    if (ml_sobol_indices_find(y, s->n_point, s->n_input, N_RESAMPLE, &s->found))
        print_indices(s, name);
    else
        printf("%s%s: no indices: %s\n", s->n_printed ? "\n" : "", name,
               s->found.n_complete > 1 ? "the number is the same in all runs"
                                       : "fewer than two points have a finite number in all runs");
    s->n_printed++;
    free(name);
    return ML_OK;
}

static enum ml_status find_dataset(struct sensitivity *s, const struct ml_array_info *info)
{
    const int64_t width = ml_result_count(info, info->n_run_dim, info->rank);
    const size_t n_run = (size_t)s->n_point * (size_t)s->n_row, n = n_run * (size_t)width;
    double *all = malloc(n * sizeof *all), *y = malloc(n_run * sizeof *y);
    enum ml_status status = ML_E_MEMORY;
    if (all && y)
        status = ml_result_read(s->result, info->name, NULL, NULL, all, n, s->err);
    else
        ml_fail(s->err, ML_E_MEMORY, "out of memory");
    for (int64_t k = 0; all && y && k < width && status == ML_OK; k++)
        status = find_component(s, info, all, width, k, y);
    free(all);
    free(y);
    return status;
}

/* Whether a name is among the outputs of the summary, which has the inputs too. */
static bool is_output(const struct sensitivity *s, const char *name)
{
    const char *output = NULL;
    for (int i = 0;
         ml_result_attribute(s->result, "summary", "outputs", i, &output, s->err) == ML_OK &&
         output;
         i++)
        if (strcmp(output, name) == 0)
            return true;
    return false;
}

static bool is_asked(const struct sensitivity *s, const struct command_line *line,
                     const struct ml_array_info *info)
{
    const char *name = ml_result_name(info);
    if (strncmp(info->name, "summary/", 8) != 0 || info->n_run_dim != 1 || !is_output(s, name))
        return false;
    for (int i = 1; i < line->n_argument; i++)
        if (strcmp(line->arguments[i], name) == 0)
            return true;
    return line->n_argument == 1 && ml_result_count(info, info->n_run_dim, info->rank) <= WIDEST;
}

static enum ml_status find_all(struct sensitivity *s, const struct command_line *line)
{
    const size_t n = (size_t)s->n_input;
    struct ml_array_info info = {.size = sizeof info};
    struct ml_index *room = calloc(n * (n + 2) + 1, sizeof *room);
    enum ml_status status = room ? ML_OK : ml_fail(s->err, ML_E_MEMORY, "out of memory");
    s->found.size = sizeof s->found;
    s->found.first = room;
    s->found.total = room + n;
    s->found.second = s->has_second ? room + 2 * n : NULL;
    for (int i = 0; status == ML_OK && ml_result_dataset(s->result, i, &info); i++)
        if (is_asked(s, line, &info))
            status = find_dataset(s, &info);
    if (status == ML_OK && s->n_printed == 0)
        status = ml_fail(s->err, ML_E_INPUT,
                         "cannot find Sobol' indices: the summary has no such output; `manylink "
                         "info` prints the outputs");
    free(room);
    return status;
}

int command_sensitivity(const struct command_line *line)
{
    struct ml_error err = {0};
    struct sensitivity *s = calloc(1, sizeof *s);
    if (!s) {
        ml_fail(&err, ML_E_MEMORY, "out of memory");
        return fail_with(&err);
    }
    s->err = &err;
    enum ml_status status = ml_result_open(line->arguments[0], &s->result, &err);
    if (status == ML_OK && !find_design(s))
        status = err.status;
    if (status == ML_OK)
        status = find_all(s, line);
    ml_result_free(s->result);
    free(s);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}
