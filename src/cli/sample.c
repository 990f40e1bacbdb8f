/* Reads a sample: attributes of /study/runs name its design and inputs. */
#include "cli/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"

enum { LEAST_PART = 16 /* points */ };

/* The estimator that the design allows; false after a problem. */
static bool choose_estimator(struct sample *s, enum estimator asked)
{
    const bool is_saltelli = s->points.n_row > 1;
    enum estimator *chosen = &s->points.estimator;
    if (asked == ESTIMATOR_AUTO)
        *chosen = is_saltelli ? ESTIMATOR_SALTELLI : ESTIMATOR_BINS;
    else
        *chosen = asked;
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
    if (strcmp(design, "points") != 0 && strncmp(design, "saltelli", 8) != 0) {
        ml_fail(s->err, ML_E_INPUT,
                "cannot find indices of `design: %s`: manylink computes those of `points` and "
                "`saltelli`; docs/study.md describes the order of the runs for other programs",
                design);
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
    return s->err->status == ML_OK && choose_estimator(s, asked);
}

/* Reads the inputs of the first points of a sample without Saltelli's design. */
static enum ml_status read_part(struct sample *s, struct part *part)
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

static enum ml_status read_parts(struct sample *s, bool has_smaller)
{
    const size_t n_input = (size_t)s->points.n_input;
    enum ml_status status = ML_OK;
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
