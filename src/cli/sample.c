/* Reads a sample: attributes of /study/runs name its design and inputs. */
#include "cli/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "manylink/fail.h"

enum { LEAST_PART = 16 /* points */ };

const char *sample_attribute(const struct sample *s, const char *path, const char *name, int64_t i)
{
    const char *text = NULL;
    if (ml_result_attribute(s->result, path, name, i, &text, s->err) == ML_E_MEMORY)
        (void)need(NULL);
    return text;
}

const char *sample_correlated(const struct sample *s, int64_t i)
{
    return sample_attribute(s, "runs", "correlated", i);
}

/* The estimator that the design allows; false after a problem. */
static bool choose_estimator(struct sample *s, struct ml_index_points *p, enum ml_estimator asked)
{
    const struct ml_index_table_kinds *of = ml_index_table_kinds(p->design);
    p->estimator =
        asked == ML_ESTIMATOR_AUTO || asked == ML_ESTIMATOR_DERIVATIVES ? of->first : asked;
    if (p->estimator < of->first || p->estimator > of->last)
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `%s` of runs of `design: %s`, which has %s",
                ml_estimator_word(p->estimator), of->design, of->estimators);
    else if (p->estimator == ML_ESTIMATOR_RANK && p->is_even)
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `rank` of a sequence of low discrepancy: neighbours along an "
                "input have opposite values of other inputs; use bins or rbd_fast");
    else if (p->estimator == ML_ESTIMATOR_SHAPLEY && (p->is_even || p->n_input > ML_SHAPLEY_INPUTS))
        ml_fail(
            s->err, ML_E_INPUT,
            p->is_even
                ? "cannot use estimator `shapley` of a sequence of low discrepancy: neighbours in "
                  "an input have opposite values of other inputs; draw points by `method: random` "
                  "or `latin_hypercube`"
                : "cannot use estimator `shapley` of %d inputs: the work doubles with every input; "
                  "draw %d inputs at most",
            p->n_input, (int)ML_SHAPLEY_INPUTS);
    else if (p->estimator == ML_ESTIMATOR_CHAOS && sample_correlated(s, 0))
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `chaos` of correlated inputs, such as `%s`: indices by a "
                "polynomial need independent inputs; use shapley",
                sample_correlated(s, 0));
    if (p->estimator == ML_ESTIMATOR_CHAOS)
        p->design = ML_INDEX_CHAOS;
    if (p->estimator == ML_ESTIMATOR_SHAPLEY)
        p->design = ML_INDEX_SHAPLEY;
    return s->err->status == ML_OK;
}

/* The design by its word; false after a problem. */
static bool read_design(struct sample *s, struct ml_index_points *p, const char *word)
{
    const char *levels = NULL;
    int design = 0;
    while (design < ML_INDEX_CHAOS &&
           strncmp(word, ml_index_table_kinds((enum ml_index_design)design)->design,
                   strlen(ml_index_table_kinds((enum ml_index_design)design)->design)) != 0)
        design++;
    if (design == ML_INDEX_CHAOS) {
        ml_fail(
            s->err, ML_E_INPUT,
            "cannot find sensitivity indices of runs of `design: %s`: this manylink has no such "
            "design; `manylink --version` prints the version",
            word);
        return false;
    }
    p->design = (enum ml_index_design)design;
    p->has_second = strstr(word, "second order") != NULL;
    if (design == ML_INDEX_MORRIS)
        levels = sample_attribute(s, "runs", "levels", 0);
    if (design == ML_INDEX_MORRIS && s->err->status == ML_OK)
        p->levels = levels ? (int)strtol(levels, NULL, 10) : 4;
    return s->err->status == ML_OK;
}

/* The runs of a sample, behind the axes of a grid: the shape of the first output; false without
 * outputs. */
static bool find_runs(struct sample *s)
{
    const char *output = sample_attribute(s, "summary", "outputs", 0);
    char path[256];
    struct ml_array_info info = {.size = sizeof info};
    if (!output)
        return false;
    (void)snprintf(path, sizeof path, "summary/%s", output);
    if (!ml_result_find(s->result, path, &info) || info.n_run_dim < 1)
        return false;
    s->n_run_dim = info.n_run_dim;
    s->n_place = ml_result_count(&info, 0, info.n_run_dim - 1);
    s->n_run = info.shape[info.n_run_dim - 1];
    return true;
}

/* Texts of an attribute of the runs; their number. */
static int read_names(const struct sample *s, const char *attribute, const char **names)
{
    int n = 0;
    while (n < MOST_INPUTS && (names[n] = sample_attribute(s, "runs", attribute, n)) != NULL)
        n++;
    return n;
}

/* The names of groups, each once, or of the inputs without groups; their number. */
static int find_groups(struct sample *s)
{
    int n_group = 0;
    if (read_names(s, "groups", s->names) != s->n_input)
        memcpy(s->names, s->inputs, sizeof s->names);
    for (int i = 0; i < s->n_input; i++) {
        int k = 0;
        while (k < n_group && strcmp(s->names[k], s->names[i]) != 0)
            k++;
        s->names[k] = s->names[i];
        n_group += k == n_group;
    }
    return n_group;
}

/* The design and the inputs of a result; false after a problem. */
static bool find_design(struct sample *s, enum ml_estimator asked)
{
    const char *design = NULL, *lie = NULL;
    struct ml_index_points *p = &s->parts[N_PART - 1];
    struct ml_array_info info = {.size = sizeof info};
    const bool has_runs = ml_result_find(s->result, "runs/outcome", &info) != 0;
    if (has_runs) {
        design = sample_attribute(s, "runs", "design", 0);
        lie = sample_attribute(s, "runs", "points", 0);
    }
    if (s->err->status != ML_OK)
        return false;
    if (!design || !find_runs(s)) {
        ml_fail(s->err, ML_E_INPUT,
                "cannot find sensitivity indices: the result has no runs of a whole sample with "
                "outputs; give the study a `sample`, or merge the shards");
        return false;
    }
    p->is_even = lie && strcmp(lie, "low discrepancy") == 0;
    s->n_input = read_names(s, "inputs", s->inputs);
    p->n_input = find_groups(s);
    if (s->err->status == ML_OK && s->n_input == 0)
        ml_fail(s->err, ML_E_INPUT, "cannot find sensitivity indices: the sample has no inputs");
    p->n_run = s->n_run;
    return s->err->status == ML_OK && read_design(s, p, design) && choose_estimator(s, p, asked);
}

/* An ml_index_read_fn. */
static int read_input(void *context, int input, int64_t n, double *values)
{
    const struct sample *s = context;
    const int64_t start = 0;
    char path[256];
    (void)snprintf(path, sizeof path, "runs/%s", s->inputs[input]);
    return ml_result_read(s->result, path, &start, &n, values, (size_t)n, s->err) == ML_OK;
}

static enum ml_status read_parts(struct sample *s, bool has_smaller)
{
    const struct ml_index_points all = *sample_points(s);
    const int64_t n_row = ml_index_rows(&all), n_point = all.n_run / n_row;
    if (has_smaller && (all.design == ML_INDEX_FAST || all.design == ML_INDEX_OAT))
        return ml_fail(s->err, ML_E_INPUT,
                       "cannot show the convergence of `design: %s`: a part of its runs is no such "
                       "design; leave --convergence out, and run with a smaller `count`",
                       ml_index_table_kinds(all.design)->design);
    s->room = take((size_t)all.n_input * ((size_t)all.n_input + ML_INDEX_KINDS), sizeof *s->room);
    bool is_read = true;
    for (int k = 0; k < N_PART && is_read; k++) {
        const int64_t n = n_point >> (N_PART - 1 - k);
        if (k < N_PART - 1 && (!has_smaller || n < LEAST_PART))
            continue;
        s->parts[k] = all;
        s->parts[k].n_run = n * n_row;
        is_read = ml_index_points_begin(&s->parts[k], read_input, s) != 0;
    }
    return is_read || s->err->status != ML_OK ? s->err->status : ML_E_MEMORY;
}

struct indices sample_indices(const struct sample *sample, const struct ml_index_points *part,
                              const char *name, double *y)
{
    struct indices found = {.points = part,
                            .inputs = sample->names,
                            .name = name,
                            .table = {.size = sizeof found.table}};
    const int is_found = ml_index_table_find(part, y, sample->room, &found.table);
    if (is_found == ML_INDEX_NO_MEMORY)
        (void)need(NULL);
    return found;
}

enum ml_status sample_open(struct sample *s, const struct command_line *line, struct ml_error *err)
{
    s->err = err;
    const enum ml_status status = ml_result_open(line->arguments[0], &s->result, err);
    if (status != ML_OK)
        return status;
    return find_design(s, (enum ml_estimator)line->table.estimator)
               ? read_parts(s, line->table.convergence)
               : err->status;
}

void sample_free(struct sample *s)
{
    for (int k = 0; k < N_PART; k++)
        ml_index_points_free(&s->parts[k]);
    free(s->room);
    ml_result_free(s->result);
}
