/* Reads a sample: attributes of /study/runs name its design and inputs. */
#include "cli/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"

enum { LEAST_PART = 16 /* points */ };

static const struct {
    const char *word; /* first of attribute `design` */
    enum estimator first, last;
    const char *estimators;
} designs[] = {
    [DESIGN_POINTS] = {"points", ESTIMATOR_BINS, ESTIMATOR_CHAOS, "bins, rank, rbd_fast and chaos"},
    [DESIGN_SALTELLI] = {"saltelli", ESTIMATOR_SALTELLI, ESTIMATOR_JANON,
                         "saltelli, jansen and janon"},
    [DESIGN_MORRIS] = {"morris", ESTIMATOR_MORRIS, ESTIMATOR_MORRIS, "morris"},
    [DESIGN_FAST] = {"fast", ESTIMATOR_FAST, ESTIMATOR_FAST, "fast"},
    [DESIGN_OAT] = {"oat", ESTIMATOR_OAT, ESTIMATOR_OAT, "oat"},
};
enum { N_DESIGN = sizeof designs / sizeof *designs };

/* The estimator that the design allows; false after a problem. */
static bool choose_estimator(struct sample *s, enum estimator asked)
{
    const enum design design = s->points.design;
    enum estimator *chosen = &s->points.estimator;
    *chosen = asked == ESTIMATOR_AUTO ? designs[design].first : asked;
    if (*chosen < designs[design].first || *chosen > designs[design].last)
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `%s` of runs of `design: %s`, which has %s",
                estimator_words[*chosen], designs[design].word, designs[design].estimators);
    else if (*chosen == ESTIMATOR_RANK && s->points.is_even)
        ml_fail(s->err, ML_E_INPUT,
                "cannot use estimator `rank` of a sequence of low discrepancy: neighbours along an "
                "input have opposite values of other inputs; use bins or rbd_fast");
    if (*chosen == ESTIMATOR_CHAOS)
        s->points.design = DESIGN_CHAOS;
    return s->err->status == ML_OK;
}

/* Runs of a point, of n_run. */
static int find_rows(const struct points *p, int64_t n_run)
{
    switch (p->design) {
    case DESIGN_SALTELLI:
        return 2 + (p->has_second ? 2 : 1) * p->n_input;
    case DESIGN_MORRIS:
        return 1 + p->n_input;
    case DESIGN_FAST:
        return p->n_input;
    case DESIGN_OAT:
        return (int)n_run;
    case DESIGN_POINTS:
    case DESIGN_CHAOS:
        break;
    }
    return 1;
}

/* The design by its word, and how many runs a point has; false after a problem. */
static bool read_design(struct sample *s, const char *word, int64_t n_run)
{
    struct points *p = &s->points;
    const char *levels = NULL;
    int design = 0;
    while (design < N_DESIGN &&
           strncmp(word, designs[design].word, strlen(designs[design].word)) != 0)
        design++;
    if (design == N_DESIGN) {
        ml_fail(
            s->err, ML_E_INPUT,
            "cannot find sensitivity indices of runs of `design: %s`: this manylink has no such "
            "design; `manylink --version` prints the version",
            word);
        return false;
    }
    p->design = (enum design)design;
    p->has_second = strstr(word, "second order") != NULL;
    p->n_row = find_rows(p, n_run);
    if (design == DESIGN_MORRIS &&
        ml_result_attribute(s->result, "runs", "levels", 0, &levels, s->err) == ML_OK) {
        const double n = levels ? strtod(levels, NULL) : 4.0;
        p->step = 0.5 * n / (n - 1.0);
    }
    return s->err->status == ML_OK;
}

/* The runs of a sample, behind the axes of a grid: the shape of the first output; false without
 * outputs. */
static bool find_runs(struct sample *s, int64_t *n_run)
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
static bool find_design(struct sample *s, enum estimator asked)
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
    p->is_even = lie && strcmp(lie, "low discrepancy") == 0;
    while (p->n_input < MOST_INPUTS &&
           ml_result_attribute(s->result, "runs", "inputs", p->n_input, &s->inputs[p->n_input],
                               s->err) == ML_OK &&
           s->inputs[p->n_input])
        p->n_input++;
    p->inputs = s->inputs;
    if (s->err->status == ML_OK && p->n_input == 0)
        ml_fail(s->err, ML_E_INPUT, "cannot find sensitivity indices: the sample has no inputs");
    if (s->err->status != ML_OK || !read_design(s, design, n_run))
        return false;
    s->n_point = n_run / p->n_row;
    return choose_estimator(s, asked);
}

/* Reads the inputs of a part, if the design needs these: of Morris' design those of a run beside
 * each other. */
static enum ml_status read_part(struct sample *s, struct part *part)
{
    const int n_input = s->points.n_input;
    const int64_t start = 0, n_run = part->n * s->points.n_row;
    const enum design design = s->points.design;
    const bool is_morris = design == DESIGN_MORRIS;
    const bool is_given = design == DESIGN_POINTS || design == DESIGN_CHAOS;
    enum ml_status status = ML_OK;
    char path[256];
    if (design == DESIGN_SALTELLI || design == DESIGN_FAST)
        return ML_OK;
    part->x = malloc((size_t)n_run * (size_t)n_input * sizeof *part->x + 1);
    double *column = malloc((size_t)n_run * sizeof *column + 1);
    for (int i = 0; part->x && column && i < n_input && status == ML_OK; i++) {
        (void)snprintf(path, sizeof path, "runs/%s", s->inputs[i]);
        status = ml_result_read(s->result, path, &start, &n_run, column, (size_t)n_run, s->err);
        for (int64_t r = 0; r < n_run; r++)
            part->x[is_morris ? r * n_input + i : i * n_run + r] = column[r];
    }
    const bool has_room = part->x && column;
    free(column);
    if (status == ML_OK && has_room && is_given)
        part->given = ml_given_inputs_make(part->x, n_run, n_input);
    if (status == ML_OK && (!has_room || (is_given && !part->given)))
        return ml_fail(s->err, ML_E_MEMORY, "out of memory");
    return status;
}

static enum ml_status read_parts(struct sample *s, bool has_smaller)
{
    const size_t n_input = (size_t)s->points.n_input;
    enum ml_status status = ML_OK;
    if (has_smaller && (s->points.design == DESIGN_FAST || s->points.design == DESIGN_OAT))
        return ml_fail(s->err, ML_E_INPUT,
                       "cannot show the convergence of `design: %s`: a part of its runs is no such "
                       "design; leave --convergence out, and run with a smaller `count`",
                       designs[s->points.design].word);
    s->room = calloc(n_input * (n_input + MOST_KINDS) + 1, sizeof *s->room);
    for (int k = 0; s->room && k < N_PART && status == ML_OK; k++) {
        struct part *part = &s->parts[k];
        part->n = s->n_point >> (N_PART - 1 - k);
        if (k < N_PART - 1 && (!has_smaller || part->n < LEAST_PART))
            part->n = 0;
        else
            status = read_part(s, part);
    }
    return s->room ? status : ml_fail(s->err, ML_E_MEMORY, "out of memory");
}

enum ml_status sample_open(struct sample *s, const struct command_line *line, struct ml_error *err)
{
    s->err = err;
    const enum ml_status status = ml_result_open(line->arguments[0], &s->result, err);
    if (status != ML_OK)
        return status;
    return find_design(s, (enum estimator)line->estimator) ? read_parts(s, line->convergence)
                                                           : err->status;
}

void sample_free(struct sample *s)
{
    for (int k = 0; k < N_PART; k++) {
        ml_given_inputs_free(s->parts[k].given);
        free(s->parts[k].x);
    }
    free(s->room);
    ml_result_free(s->result);
}
