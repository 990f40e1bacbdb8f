/* A run of any system with its tangent vectors, without the rest of the engine; and runs of systems
 * without segments, whose values are parameters and state alone. */
#ifndef TRANSITION_H
#define TRANSITION_H

#include "check.h"
#include "engine/team/batch_run.h"
#include "reference/reference.h"

enum { MOST_ROWS = 16, MOST_VALUES = 32 };

/* Batch and memory of an ensemble. */
struct bench {
    struct ml_ensemble ensemble;
    struct ml_arena arena;
    struct ml_batch batch;
};

/* Runs 0 .. n_run - 1 of `like` with n_column unit vectors; to be put away with bench_free. */
static inline void bench_init(struct bench *bench, const struct ml_ensemble *like, int n_column,
                              const char *integrator, int n_run)
{
    *bench = (struct bench){.ensemble = *like};
    struct ml_ensemble *e = &bench->ensemble;
    e->model.n_column = n_column;
    e->method = ref_integrator(e->kernels, integrator);
    ml_batch_layout(e, &bench->arena, &bench->batch);
    if (!ml_arena_reserve(&bench->arena))
        ref_stop("no memory");
    ml_batch_layout(e, &bench->arena, &bench->batch);
    ml_batch_load(e, &bench->batch, 0, n_run);
}

static inline struct ml_lane_faults bench_try(struct bench *bench, double start, double step,
                                              int64_t k0, int64_t n_step)
{
    bench->ensemble.time.start = start;
    for (int lane = 0; lane < ML_LANES; lane++)
        bench->batch.step[lane] = step;
    return ml_batch_advance(&bench->ensemble, &bench->batch, 1.0, k0, n_step, ML_ALL_LANES);
}

static inline void bench_advance(struct bench *bench, double start, double step, int64_t k0,
                                 int64_t n_step)
{
    const struct ml_lane_faults faults = bench_try(bench, start, step, k0, n_step);
    CHECK(!faults.nonfinite && !faults.singular);
}

static inline void bench_free(struct bench *bench) { ml_arena_free(&bench->arena); }

/* State and tangent vectors of one lane. */
struct transition {
    double x[MOST_ROWS], column[MOST_ROWS][MOST_ROWS]; /* column[c][i] = dx_i/dx0_c */
};

static inline struct transition bench_lane(const struct bench *bench, int lane)
{
    struct transition out = {0};
    const struct ml_instance *model = &bench->ensemble.model;
    const int n_x = ml_n_x(model);
    for (int i = 0; i < n_x; i++)
        for (int c = 0; c <= model->n_column; c++)
            *(c == 0 ? &out.x[i] : &out.column[c - 1][i]) =
                bench->batch.x[(n_x * c + i) * ML_LANES + lane];
    return out;
}

/* Steps from time `start`, after `offset` was added to state row c. */
static inline struct transition advance(const struct ml_ensemble *like, int n_column, double start,
                                        double step, int64_t n_step, int c, double offset)
{
    struct bench bench;
    const int lane = 3;
    bench_init(&bench, like, n_column, "rk4", 1);
    bench.batch.x[c * ML_LANES + lane] += offset;
    bench_advance(&bench, start, step, 0, n_step);
    struct transition out = bench_lane(&bench, lane);
    bench_free(&bench);
    return out;
}

/* Runs of a system without segments; the one of number r has every value times 1 + spread r. */
struct numbers {
    double values[MOST_VALUES], spread;
    struct ml_ensemble ensemble; /* must stay where numbers_init found it */
};

static inline void numbers_values(const void *context, int64_t run, double *values)
{
    const struct numbers *numbers = context;
    for (int i = 0; i < numbers->ensemble.numbers.n; i++)
        values[i] = numbers->values[i] * (1.0 + numbers->spread * (double)run);
}

/* With all parameters at their defaults. */
static inline void numbers_init(struct numbers *numbers, const struct ml_kernels *kernels,
                                const char *name, const double *x0)
{
    const struct ml_system *system = ref_system(kernels, name);
    *numbers =
        (struct numbers){.ensemble = {.kernels = kernels,
                                      .model = {.system = system, .n = 1},
                                      .numbers.n = ml_slot_forces(&(struct ml_instance){system, 1}),
                                      .n_run = ML_LANES,
                                      .time.step = 1.0,
                                      .time.n_step = 1,
                                      .indicators.observe_every = 1,
                                      .block_runs = ML_LANES,
                                      .saving = {.run_every = 1},
                                      .numbers.values = numbers_values,
                                      .numbers.context = numbers}};
    for (int i = 0; i < system->tables.n_param; i++)
        numbers->values[i] = system->tables.params[i].default_value;
    memcpy(numbers->values + system->tables.n_param, x0,
           (size_t)system->tables.n_state * sizeof *x0);
}

static inline void numbers_set(struct numbers *numbers, const char *name, double value)
{
    const struct ml_system *system = numbers->ensemble.model.system;
    numbers->values[ref_param(system->tables.params, system->tables.n_param, name)] = value;
}

/* Largest difference of the tangent vectors, to the largest number among them. */
static inline double transition_error(const struct transition *a, const struct transition *b,
                                      int n_x)
{
    double worst = 0.0, scale = 0.0;
    for (int c = 0; c < n_x; c++)
        for (int i = 0; i < n_x; i++) {
            scale = fmax(scale, fabs(b->column[c][i]));
            worst = fmax(worst, fabs(a->column[c][i] - b->column[c][i]));
        }
    return worst / scale;
}

#endif
