/* Runs a study given as text, and finds its summary and trajectories by name. */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "engine/team/team.h"
#include "plan/study.h"
#include "study.h"

struct measured {
    struct ml_study *study;
    struct ml_results results; /* the study's */
    double **summary;          /* [n_output] -> [n_run][rows] */
    double **records;          /* [ml_saving_records] -> [n_saved][rows][n_sample] */
    int8_t *outcome;
    int64_t *steps;
};

/* Numbers of a saved run in the k-th record that is kept. */
static inline size_t measured_size(const struct measured *m, int k)
{
    const struct ml_ensemble *e = &m->study->ensemble;
    return (size_t)ml_record_rows(e, e->saving.records[k]) * (size_t)m->results.n_sample;
}

static bool measured_has(void *context, int64_t block)
{
    (void)context, (void)block;
    return false;
}

static enum ml_status measured_write(void *context, const struct ml_block *block,
                                     struct ml_error *err)
{
    struct measured *m = context;
    (void)err;
    for (int o = 0; o < m->results.n_output; o++) {
        size_t rows = (size_t)ml_output_rows(&m->results.outputs[o], m->study->ensemble.model.n);
        memcpy(m->summary[o] + (size_t)block->first * rows, block->summary[o],
               (size_t)block->n_run * rows * sizeof(double));
    }
    int64_t saved = ml_saving_index(&m->study->ensemble.saving, block->first);
    for (int k = 0; k < ml_saving_records(&m->study->ensemble.saving); k++)
        memcpy(m->records[k] + (size_t)saved * measured_size(m, k), block->records[k],
               (size_t)block->n_saved * measured_size(m, k) * sizeof(double));
    memcpy(m->outcome + block->first, block->outcome, (size_t)block->n_run);
    memcpy(m->steps + block->first, block->steps, (size_t)block->n_run * sizeof *m->steps);
    return ML_OK;
}

/* Stops the test if the study does not run. */
static inline struct measured measure(const char *text, const char *isa, int n_thread)
{
    struct measured m = {0};
    struct ml_error err = {0};
    study_set_isa(isa);
    if (ml_study_load(STUDY_TEXT("test", text), &m.study, &err) != ML_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(2);
    }
    const struct ml_ensemble *e = &m.study->ensemble;
    m.results = m.study->results;
    m.summary = calloc((size_t)m.results.n_output, sizeof *m.summary);
    m.outcome = calloc((size_t)e->n_run, sizeof *m.outcome);
    m.steps = calloc((size_t)e->n_run, sizeof *m.steps);
    for (int o = 0; o < m.results.n_output; o++)
        m.summary[o] =
            calloc((size_t)e->n_run * (size_t)ml_output_rows(&m.results.outputs[o], e->model.n),
                   sizeof(double));
    m.records = calloc((size_t)ml_saving_records(&e->saving) + 1, sizeof *m.records);
    for (int k = 0; k < ml_saving_records(&e->saving); k++)
        m.records[k] = calloc((size_t)ml_saving_index(&e->saving, e->n_run),
                              measured_size(&m, k) * sizeof(double));
    struct ml_sink sink = {&m, measured_has, measured_write};
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
                   run * ml_output_rows(&m->results.outputs[o], m->study->ensemble.model.n);
    (void)fprintf(stderr, "no output %s\n", name);
    exit(2);
}

/* Trajectories of a saved run in the record of that name: [rows][n_sample]. */
static inline const double *measured_record(const struct measured *m, const char *name,
                                            int64_t saved)
{
    const struct ml_ensemble *e = &m->study->ensemble;
    for (int k = 0; k < ml_saving_records(&e->saving); k++)
        if (strcmp(ml_ensemble_record(e, e->saving.records[k])->name, name) == 0)
            return m->records[k] + (size_t)saved * measured_size(m, k);
    (void)fprintf(stderr, "no record %s\n", name);
    exit(2);
}

/* Everything that two measurements of one study hold. */
static inline bool measured_same(const struct measured *a, const struct measured *b)
{
    const struct ml_ensemble *e = &a->study->ensemble;
    const size_t n_run = (size_t)e->n_run;
    bool same = memcmp(a->steps, b->steps, n_run * sizeof *a->steps) == 0 &&
                memcmp(a->outcome, b->outcome, n_run) == 0;
    for (int o = 0; o < a->results.n_output; o++) {
        size_t rows = (size_t)ml_output_rows(&a->results.outputs[o], e->model.n);
        same &= memcmp(a->summary[o], b->summary[o], n_run * rows * sizeof(double)) == 0;
    }
    for (int k = 0; k < ml_saving_records(&e->saving); k++)
        same &= memcmp(a->records[k], b->records[k],
                       (size_t)ml_saving_index(&e->saving, e->n_run) * measured_size(a, k) *
                           sizeof(double)) == 0;
    return same;
}

static inline void measured_free(struct measured *m)
{
    for (int o = 0; o < m->results.n_output; o++)
        free(m->summary[o]);
    for (int k = 0; k < ml_saving_records(&m->study->ensemble.saving); k++)
        free(m->records[k]);
    free(m->records);
    free(m->summary);
    free(m->outcome);
    free(m->steps);
    ml_study_free(m->study);
}

#endif
