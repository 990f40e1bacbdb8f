/* Runs a study given as text, and finds its summary by name. */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "study/study.h"

struct measured {
    struct ml_study *study;
    struct ml_results results;
    double **summary; /* [n_output] -> [n_run][rows] */
    int8_t *outcome;
    int64_t *steps;
};

static bool measured_has(void *context, int64_t block)
{
    (void)context, (void)block;
    return false;
}

static enum ml_status measured_put(void *context, const struct ml_block *block,
                                   struct ml_error *err)
{
    struct measured *m = context;
    (void)err;
    for (int o = 0; o < m->results.n_output; o++) {
        size_t rows = (size_t)ml_output_rows(&m->results.outputs[o], m->study->ensemble.shape.n);
        memcpy(m->summary[o] + (size_t)block->first * rows, block->summary[o],
               (size_t)block->n_run * rows * sizeof(double));
    }
    memcpy(m->outcome + block->first, block->outcome, (size_t)block->n_run);
    memcpy(m->steps + block->first, block->steps, (size_t)block->n_run * sizeof *m->steps);
    return ML_OK;
}

/* Stops the test if the study does not run. */
static inline struct measured measure(const char *text, const char *isa, int n_thread)
{
    struct measured m = {0};
    struct ml_error err = {0};
    if (ml_study_parse("test", text, strlen(text), NULL, 0, isa, &m.study, &err) != ML_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
    const struct ml_ensemble *e = &m.study->ensemble;
    ml_results_describe(e, &m.results);
    m.summary = calloc((size_t)m.results.n_output, sizeof *m.summary);
    m.outcome = calloc((size_t)e->n_run, sizeof *m.outcome);
    m.steps = calloc((size_t)e->n_run, sizeof *m.steps);
    for (int o = 0; o < m.results.n_output; o++)
        m.summary[o] =
            calloc((size_t)e->n_run * (size_t)ml_output_rows(&m.results.outputs[o], e->shape.n),
                   sizeof(double));
    struct ml_sink sink = {&m, measured_has, measured_put};
    struct ml_ensemble_options options = {.n_thread = n_thread};
    CHECK(ml_ensemble_run(e, &options, &sink, &err) == ML_OK);
    return m;
}

/* Numbers of one run in the output of that name. */
static inline const double *measured(const struct measured *m, const char *name, int64_t run)
{
    for (int o = 0; o < m->results.n_output; o++)
        if (strcmp(m->results.outputs[o].name, name) == 0)
            return m->summary[o] +
                   run * ml_output_rows(&m->results.outputs[o], m->study->ensemble.shape.n);
    (void)fprintf(stderr, "no output %s\n", name);
    exit(2);
}

static inline void measured_free(struct measured *m)
{
    for (int o = 0; o < m->results.n_output; o++)
        free(m->summary[o]);
    free(m->summary);
    free(m->outcome);
    free(m->steps);
    ml_study_free(m->study);
}

#endif
