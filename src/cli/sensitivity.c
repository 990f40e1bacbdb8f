/* manylink sensitivity: the global sensitivity indices of a result's outputs. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/indices.h"
#include "manylink/fail.h"
#include "manylink/result.h"
#include "manylink/text.h"

enum {
    MOST_INPUTS = 4096,
    WIDEST = 16, /* numbers of a run: outputs with more are left out unless asked for */
    N_SIZE = 4,
    LEAST_PART = 16 /* points */
};

struct sensitivity {
    const struct command_line *line;
    struct ml_result *result;
    struct ml_error *err;
    const char *inputs[MOST_INPUTS];
    struct points points;
    int n_run_dim;            /* of outputs: axes of a grid, and the sample */
    int64_t n_point, n_place; /* points of the sample; points of the grid, each with the sample */
    struct part {
        int64_t n;                     /* points; 0: left out */
        double *x;                     /* [n_input][n]; NULL with Saltelli's design */
        struct ml_given_inputs *given; /* the same */
    } parts[N_SIZE];                   /* N/8, N/4, N/2, N points */
    struct ml_index *room;
    int n_printed;
};

/* The estimator that the design allows; false after a problem. */
static bool choose_estimator(struct sensitivity *s)
{
    const bool is_saltelli = s->points.n_row > 1;
    enum estimator *chosen = &s->points.estimator;
    if (s->line->estimator == ESTIMATOR_AUTO)
        *chosen = is_saltelli ? ESTIMATOR_SALTELLI : ESTIMATOR_BINS;
    else
        *chosen = (enum estimator)s->line->estimator;
    if ((*chosen <= ESTIMATOR_JANON) != is_saltelli)
        ml_fail(s->err, ML_E_INPUT,
                is_saltelli ? "cannot use estimator `%s` of runs of `design: saltelli`, which has "
                              "saltelli, jansen and janon"
                            : "cannot use estimator `%s` without `design: saltelli` below `sample` "
                              "of the study; a sample of points has bins, rank and rbd_fast",
                estimator_words[*chosen]);
    else if (*chosen == ESTIMATOR_RANK && s->points.is_even)
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `rank` of a sequence of low discrepancy: neighbours along an "
                "input have opposite values of other inputs; use bins or rbd_fast");
    return s->err->status == ML_OK;
}

/* The runs of a sample, behind the axes of a grid: the shape of the first output; false without
 * outputs. */
static bool find_runs(struct sensitivity *s, int64_t *n_run)
{
    const char *output = NULL;
    char path[256];
    struct ml_array_info info = {.size = sizeof info};
    if (ml_result_attribute(s->result, "summary", "outputs", 0, &output, s->err) != ML_OK ||
        !output)
        return false;
    (void)snprintf(path, sizeof path, "summary/%s", output);
    if (!ml_result_find(s->result, path, &info) || info.n_run_dim < 1)
        return false;
    s->n_run_dim = info.n_run_dim;
    s->n_place = ml_result_count(&info, 0, info.n_run_dim - 1);
    *n_run = info.shape[info.n_run_dim - 1];
    return true;
}

/* The design and the inputs of a result; false after a problem. */
static bool find_design(struct sensitivity *s)
{
    const char *design = NULL, *lie = NULL;
    struct points *p = &s->points;
    int64_t n_run = 0;
    if (ml_result_attribute(s->result, "runs", "design", 0, &design, s->err) != ML_OK ||
        ml_result_attribute(s->result, "runs", "points", 0, &lie, s->err) != ML_OK)
        return false;
    if (!design || !find_runs(s, &n_run)) {
        ml_fail(s->err, ML_E_INPUT,
                "cannot find sensitivity indices: the runs are no whole sample with outputs; give "
                "the study a `sample`, or merge the shards");
        return false;
    }
    p->has_second = strstr(design, "second order") != NULL;
    p->is_even = lie && strcmp(lie, "low discrepancy") == 0;
    while (p->n_input < MOST_INPUTS &&
           ml_result_attribute(s->result, "runs", "inputs", p->n_input, &s->inputs[p->n_input],
                               s->err) == ML_OK &&
           s->inputs[p->n_input])
        p->n_input++;
    p->inputs = s->inputs;
    p->n_row = strncmp(design, "saltelli", 8) != 0 ? 1 : 2 + (p->has_second ? 2 : 1) * p->n_input;
    s->n_point = n_run / p->n_row;
    return s->err->status == ML_OK && choose_estimator(s);
}

/* Reads the inputs of the first points of a sample without Saltelli's design. */
static enum ml_status read_part(struct sensitivity *s, struct part *part)
{
    const int n_input = s->points.n_input;
    enum ml_status status = ML_OK;
    const int64_t start = 0;
    char path[256];
    if (s->points.n_row > 1)
        return ML_OK;
    part->x = malloc((size_t)part->n * (size_t)n_input * sizeof *part->x + 1);
    for (int i = 0; part->x && i < n_input && status == ML_OK; i++) {
        (void)snprintf(path, sizeof path, "runs/%s", s->inputs[i]);
        status = ml_result_read(s->result, path, &start, &part->n, part->x + i * part->n,
                                (size_t)part->n, s->err);
    }
    if (status != ML_OK)
        return status;
    part->given = part->x ? ml_given_inputs_make(part->x, part->n, n_input) : NULL;
    return part->given ? ML_OK : ml_fail(s->err, ML_E_MEMORY, "out of memory");
}

static enum ml_status read_parts(struct sensitivity *s)
{
    const size_t n_input = (size_t)s->points.n_input;
    enum ml_status status = ML_OK;
    s->room = calloc(n_input * (n_input + 4) + 1, sizeof *s->room);
    for (int k = 0; s->room && k < N_SIZE && status == ML_OK; k++) {
        struct part *part = &s->parts[k];
        part->n = s->n_point >> (N_SIZE - 1 - k);
        if (k < N_SIZE - 1 && (!s->line->convergence || part->n < LEAST_PART))
            part->n = 0;
        else
            status = read_part(s, part);
    }
    return s->room ? status : ml_fail(s->err, ML_E_MEMORY, "out of memory");
}

/* Prints the point of the grid: the numbers of its axes. */
static enum ml_status print_place(struct sensitivity *s, const struct ml_array_info *info,
                                  const int64_t *start)
{
    const int64_t one = 1;
    enum ml_status status = ML_OK;
    char path[256];
    for (int d = 0; d < s->n_run_dim - 1 && status == ML_OK; d++) {
        double value;
        (void)snprintf(path, sizeof path, "summary/%s", info->dim[d]);
        status = ml_result_read(s->result, path, &start[d], &one, &value, 1, s->err);
        if (status == ML_OK)
            printf("%s%s = %.6g", d > 0 ? ", " : "", info->dim[d], value);
    }
    if (s->n_run_dim > 1 && status == ML_OK)
        printf(":\n");
    return status;
}

/* The indices of component k of a dataset, of which a run has `width`.
 *   start  [n_run_dim] the point of the grid */
static enum ml_status find_component(struct sensitivity *s, const struct ml_array_info *info,
                                     const int64_t *start, const double *all, int64_t width,
                                     int64_t k, double *y)
{
    char *name = NULL;
    enum ml_status status =
        ml_result_component(s->result, info, info->n_run_dim, info->rank, k, '.', &name, s->err);
    for (int i = 0; i < N_SIZE && status == ML_OK; i++) {
        const struct part *part = &s->parts[i];
        if (part->n == 0)
            continue;
        for (int64_t r = 0; r < part->n * s->points.n_row; r++)
            y[r] = all[r * width + k];
        if (s->n_printed++ > 0)
            printf("\n");
        status = print_place(s, info, start);
        if (status == ML_OK)
            print_indices(&s->points, part->n, part->given, name, y, s->room);
    }
    free(name);
    return status;
}

/* The indices of a dataset at a point of the grid.
 *   all, y  [runs of the sample][width], [runs of the sample] */
static enum ml_status find_at(struct sensitivity *s, const struct ml_array_info *info,
                              int64_t place, int64_t width, double *all, double *y)
{
    const int64_t n_run = s->n_point * s->points.n_row;
    int64_t start[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    for (int d = 0; d < info->rank; d++)
        count[d] = info->shape[d];
    count[s->n_run_dim - 1] = n_run;
    for (int d = s->n_run_dim - 2; d >= 0; d--) {
        start[d] = place % info->shape[d];
        place /= info->shape[d];
        count[d] = 1;
    }
    enum ml_status status =
        ml_result_read(s->result, info->name, start, count, all, (size_t)(n_run * width), s->err);
    for (int64_t k = 0; k < width && status == ML_OK; k++)
        status = find_component(s, info, start, all, width, k, y);
    return status;
}

static enum ml_status find_dataset(struct sensitivity *s, const struct ml_array_info *info)
{
    const int64_t width = ml_result_count(info, info->n_run_dim, info->rank);
    const size_t n_run = (size_t)s->n_point * (size_t)s->points.n_row;
    double *all = malloc(n_run * (size_t)width * sizeof *all + 1);
    double *y = malloc(n_run * sizeof *y + 1);
    enum ml_status status = all && y ? ML_OK : ml_fail(s->err, ML_E_MEMORY, "out of memory");
    for (int64_t place = 0; place < s->n_place && status == ML_OK; place++)
        status = find_at(s, info, place, width, all, y);
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

static bool is_asked(const struct sensitivity *s, const struct ml_array_info *info)
{
    const char *name = ml_result_name(info);
    if (strncmp(info->name, "summary/", 8) != 0 || info->n_run_dim != s->n_run_dim ||
        !is_output(s, name))
        return false;
    for (int i = 1; i < s->line->n_argument; i++)
        if (strcmp(s->line->arguments[i], name) == 0)
            return true;
    return s->line->n_argument == 1 && ml_result_count(info, info->n_run_dim, info->rank) <= WIDEST;
}

static enum ml_status find_all(struct sensitivity *s)
{
    struct ml_array_info info = {.size = sizeof info};
    enum ml_status status = read_parts(s);
    for (int i = 0; status == ML_OK && ml_result_dataset(s->result, i, &info); i++)
        if (is_asked(s, &info))
            status = find_dataset(s, &info);
    if (status == ML_OK && s->n_printed == 0)
        status = ml_fail(s->err, ML_E_INPUT,
                         "cannot find sensitivity indices: the summary has no such output; "
                         "`manylink info` prints the outputs");
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
    s->line = line;
    s->err = &err;
    enum ml_status status = ml_result_open(line->arguments[0], &s->result, &err);
    if (status == ML_OK && !find_design(s))
        status = err.status;
    if (status == ML_OK)
        status = find_all(s);
    for (int k = 0; k < N_SIZE; k++) {
        ml_given_inputs_free(s->parts[k].given);
        free(s->parts[k].x);
    }
    free(s->room);
    ml_result_free(s->result);
    free(s);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}
