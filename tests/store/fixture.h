/* Studies and blocks made by hand, without integrating anything: every number in a result is a
 * function of what it stands for, so a reader can tell each from every other. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/team/team.h"
#include "h5/h5.h"
#include "store/store.h"

enum fixture_sweep {
    FIXTURE_SINGLE,
    FIXTURE_GRID,     /* 4 x 3 x 7 */
    FIXTURE_TOGETHER, /* 5 x 6, the first axis moves two quantities */
    FIXTURE_LOG,      /* 9 log-spaced x 4 */
    FIXTURE_SAMPLE,   /* 100 */
    FIXTURE_LONG,     /* 1000 x 1000 */
    N_FIXTURE
};

enum { FIXTURE_AXES = 3, FIXTURE_COUNT = 1000, FIXTURE_RECORDS = 32 };

struct fixture {
    struct ml_study study;
    struct ml_axis axes[FIXTURE_AXES];
    struct ml_sample_points sample;
    struct ml_swept swept[FIXTURE_AXES][2];
    double values[FIXTURE_AXES][2][FIXTURE_COUNT];
    char *segment_names[2];
    int records[FIXTURE_RECORDS];
    char folder[64], path[128];
};

static inline void fixture_axis(struct fixture *f, int64_t count, const char *name)
{
    static const char *const paths[] = {"initial.angle.upper", "system.segments.lower.mass",
                                        "forces.brace.coefficient"};
    int k = f->study.spec.runs.n_axis++;
    for (int i = 0; i < FIXTURE_COUNT; i++)
        f->values[k][0][i] = i - 2.5 * k;
    f->swept[k][0] = (struct ml_swept){.weight = 1.0,
                                       .path = (char *)paths[k],
                                       .unit = "rad",
                                       .doc = "swept",
                                       .values = f->values[k][0]};
    f->axes[k] = (struct ml_axis){.name = (char *)(name ? name : paths[k]),
                                  .count = count,
                                  .swept = f->swept[k],
                                  .n_swept = 1};
    f->study.ensemble.n_run *= count;
}

static inline void fixture_sweep(struct fixture *f, enum fixture_sweep sweep)
{
    static const int64_t counts[N_FIXTURE][FIXTURE_AXES] = {
        [FIXTURE_GRID] = {4, 3, 7}, [FIXTURE_TOGETHER] = {5, 6},   [FIXTURE_LOG] = {9, 4},
        [FIXTURE_SAMPLE] = {100},   [FIXTURE_LONG] = {1000, 1000},
    };
    for (int k = 0; k < FIXTURE_AXES && counts[sweep][k] > 0; k++)
        fixture_axis(f, counts[sweep][k], sweep == FIXTURE_TOGETHER && k == 0 ? "softness" : NULL);
    if (sweep == FIXTURE_TOGETHER) {
        f->axes[0].n_swept = 2;
        f->axes[0].kind = ML_AXIS_EACH;
        f->swept[0][1] = f->swept[0][0];
        f->swept[0][1].path = (char *)"forces.brace.kd";
        f->swept[0][1].values = f->values[0][1];
        for (int i = 0; i < FIXTURE_COUNT; i++)
            f->values[0][1][i] = 100.0 + i;
    }
    if (sweep == FIXTURE_LOG) {
        f->axes[0].is_log = true;
        for (int i = 0; i < FIXTURE_COUNT; i++)
            f->values[0][0][i] = ldexp(1.0, i % 100);
    }
    if (sweep == FIXTURE_SAMPLE) {
        f->sample = (struct ml_sample_points){ML_RANDOM, .n_point = 100, .n_input = 1};
        f->study.spec.runs.sample = &f->sample;
        f->axes[0].sample = &f->sample;
        f->axes[0].kind = ML_AXIS_EACH;
        f->swept[0][0].low = -1.0;
        f->swept[0][0].high = 1.0;
    }
}

/* A double pendulum of 8 runs per block, in a fresh folder. */
static inline void fixture_init(struct fixture *f, enum fixture_sweep sweep)
{
    memset(f, 0, sizeof *f);
    const struct ml_kernels *kernels = ml_kernels_at(0);
    f->segment_names[0] = (char *)"upper";
    f->segment_names[1] = (char *)"l\xc3\xb6wer";
    f->study = (struct ml_study){.spec = {.name = (char *)"fixture",
                                          .definition = (char *)"manylink: 1 # as given\n",
                                          .title = (char *)"A made-up pendulum \xcf\x86",
                                          .segment_names = f->segment_names,
                                          .runs.axes = f->axes},
                                 .resolved = (char *)"manylink: 1\ntitle: a\ntime:\n  end: 20\n"};
    f->study.ensemble =
        (struct ml_ensemble){.method = ml_methods[0],
                             .kernels = kernels,
                             .model = {.system = kernels->registry->systems[0], .n = 2},
                             .time.start = 0.3,
                             .time.step = 0.1,
                             .time.n_step = 95,
                             .indicators.observe_every = 1,
                             .n_run = 1,
                             .block_runs = 8};
    fixture_sweep(f, sweep);
    if (!ml_results_describe(&f->study.ensemble, &f->study.pool, &f->study.results))
        abort();
    (void)snprintf(f->folder, sizeof f->folder, "store-test-XXXXXX");
    if (!mkdtemp(f->folder))
        abort();
    (void)snprintf(f->path, sizeof f->path, "%s/out.h5", f->folder);
}

/* Keeps every record that has numbers, of runs 0, run_every, ... below run_first, every 10th step.
 */
static inline void fixture_save(struct fixture *f, int64_t run_every, int64_t run_first)
{
    const struct ml_instance *model = &f->study.ensemble.model;
    int n = 0;
    for (int i = 0; i < model->system->tables.n_record; i++)
        if (ml_instance_rows(model, &model->system->tables.records[i]) >
            0) /* none without contacts */
            f->records[n++] = i;
    f->study.ensemble.saving = (struct ml_saving){10, run_every, run_first, f->records, n};
    f->study.results.n_sample = ml_ensemble_samples(&f->study.ensemble);
}

static inline void fixture_remove(struct fixture *f)
{
    ml_pool_free(&f->study.pool);
    char command[256];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    if (system(command) != 0)
        abort();
}

/* The numbers. Run 5 of every 11 did not finish. */
static inline int8_t fixture_outcome(int64_t run)
{
    return (int8_t)(run % 11 == 5 ? 1 + run % ML_SINGULAR_MASS : 0);
}
static inline double fixture_output(int64_t run, int output, int row)
{
    return fixture_outcome(run) ? (double)NAN : (double)run + 0.25 * output + 0.0625 * row;
}
static inline double fixture_record(int64_t run, int record, int row, int64_t sample)
{
    if (fixture_outcome(run) && sample > 3)
        return (double)NAN;
    return 1e3 * (double)run + (double)sample + 0.25 * record + 0.03125 * row;
}

static inline double *fixture_block_output(const struct ml_block *block, int i, int rows)
{
    double *out = malloc((size_t)(block->n_run * rows) * sizeof *out);
    for (int64_t j = 0; j < block->n_run * rows; j++)
        out[j] = fixture_output(block->first + j / rows, i, (int)(j % rows));
    return out;
}

static inline double *fixture_block_record(const struct fixture *f, const struct ml_block *block,
                                           int i, int64_t n_sample)
{
    const struct ml_ensemble *e = &f->study.ensemble;
    int64_t rows = ml_instance_rows(&e->model, &e->model.system->tables.records[i]), k = 0;
    double *out = malloc((size_t)(block->n_saved * rows * n_sample + 1) * sizeof *out);
    for (int64_t run = block->first; run < block->first + block->n_run; run++)
        for (int64_t j = 0; j < rows * n_sample && ml_saving_keeps(&e->saving, run); j++)
            out[k++] = fixture_record(run, i, (int)(j / n_sample), j % n_sample);
    return out;
}

static inline struct ml_block fixture_block(const struct fixture *f, int64_t index)
{
    const struct ml_ensemble *e = &f->study.ensemble;
    const struct ml_results results = f->study.results;
    struct ml_block b = {.index = index, .first = index * e->block_runs};
    b.n_run = e->n_run - b.first < e->block_runs ? e->n_run - b.first : e->block_runs;
    b.outcome = malloc((size_t)b.n_run);
    b.steps = malloc((size_t)b.n_run * sizeof *b.steps);
    b.end_time = malloc((size_t)b.n_run * sizeof *b.end_time);
    for (int64_t i = 0; i < b.n_run; i++) {
        b.outcome[i] = fixture_outcome(b.first + i);
        b.steps[i] = 1000 + b.first + i;
        b.end_time[i] = 0.5 * (double)(b.first + i);
        b.n_saved += ml_saving_keeps(&e->saving, b.first + i);
    }
    b.summary = calloc((size_t)results.n_output + 1, sizeof *b.summary);
    for (int i = 0; i < results.n_output; i++)
        b.summary[i] = fixture_block_output(&b, i, ml_output_rows(&results.outputs[i], e->model.n));
    b.records = calloc(FIXTURE_RECORDS, sizeof *b.records);
    for (int i = 0; i < ml_saving_records(&e->saving); i++)
        b.records[i] = fixture_block_record(f, &b, e->saving.records[i], results.n_sample);
    return b;
}

static inline void fixture_block_free(struct ml_block *b)
{
    for (int i = 0; b->summary[i]; i++)
        free(b->summary[i]);
    for (int i = 0; i < FIXTURE_RECORDS; i++)
        free(b->records[i]);
    free(b->summary);
    free(b->records);
    free(b->outcome);
    free(b->steps);
    free(b->end_time);
}

static inline const struct ml_provenance *fixture_provenance(void)
{
    static const struct ml_provenance provenance = {
        .study = "/a/study.yaml",
        .version = "0.0.0",
        .compiler = "a compiler",
        .isa = "baseline",
        .host = "here",
        .threads = 3,
        .start_time = "2001-02-03T04:05:06Z",
        .end_time = "2001-02-03T04:05:07Z",
    };
    return &provenance;
}

/* Opens the store of the whole study without waiting for anybody. */
static inline enum ml_status fixture_open(const struct ml_study *study, const char *path,
                                          struct ml_store **store, enum ml_store_state *state,
                                          struct ml_error *err)
{
    const struct ml_store_options options = {.shard = ML_UNSHARDED};
    return ml_store_open(study, path, &options, store, state, err);
}

/* Puts blocks first, first + stride, ... modulo the number of blocks: `n` of them. */
static inline enum ml_status fixture_write(const struct fixture *f, struct ml_store *store,
                                           int64_t first, int64_t stride, int64_t n,
                                           struct ml_error *err)
{
    struct ml_sink sink = ml_store_sink(store);
    int64_t n_block = ml_ensemble_blocks(&f->study.ensemble);
    for (int64_t i = 0; i < n; i++) {
        struct ml_block block = fixture_block(f, (first + i * stride) % n_block);
        enum ml_status status = sink.put(sink.context, &block, err);
        fixture_block_free(&block);
        if (status != ML_OK)
            return status;
    }
    return ML_OK;
}

#endif
