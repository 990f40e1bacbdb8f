#include "kernel_only.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernels/kernel_choice.h"
#include "engine/team/team.h"
#include "runs.h"

static int find_param(const struct ml_param *params, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(params[i].name, name) == 0)
            return i;
    abort();
}

static int find_state(const struct ml_system *system, const char *name)
{
    for (int q = 0; q < system->tables.n_state; q++)
        if (strcmp(system->tables.state[q].name, name) == 0)
            return q;
    abort();
}

/* Every slot's default; the initial state is 0. */
static void fill_defaults(const struct ml_system *system, int n, double *values)
{
    const struct ml_instance model = {.system = system, .n = n};
    for (int p = 0; p < system->tables.n_param; p++)
        values[ml_slot_param(p)] = system->tables.params[p].default_value;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < system->tables.n_segment_param; p++)
            values[ml_slot_segment(system, i, p)] = system->tables.segment_params[p].default_value;
    for (int q = 0; q < system->tables.n_state; q++)
        for (int i = 0; i < n; i++)
            values[ml_slot_initial(&model, q, i)] = 0.0;
}

void ml_bench_table_set(const struct ml_system *system, const struct ml_bench_runs *runs,
                        struct ml_bench_table *table)
{
    const int n = runs->n;
    const struct ml_instance model = {.system = system, .n = n};
    const int length =
        find_param(system->tables.segment_params, system->tables.n_segment_param, "length");
    const int mass =
        find_param(system->tables.segment_params, system->tables.n_segment_param, "mass");
    const int angle = find_state(system, "angle");
    for (int64_t r = 0; r < table->n_run; r++) {
        double *values = table->values + r * table->n_value;
        for (int i = 0; i < n; i++) {
            values[ml_slot_segment(system, i, length)] = runs->length[r * n + i];
            values[ml_slot_segment(system, i, mass)] = runs->mass[r * n + i];
            values[ml_slot_initial(&model, angle, i)] = runs->angle[r * n + i];
        }
    }
}

struct ml_bench_table ml_bench_table(const struct ml_kernels *kernels,
                                     const struct ml_bench_runs *runs)
{
    const struct ml_system *system = kernels->registry->systems[0];
    const struct ml_instance model = {.system = system, .n = runs->n};
    struct ml_bench_table table = {.n_value = ml_slot_forces(&model), .n_run = runs->n_run};
    table.values = malloc((size_t)table.n_run * (size_t)table.n_value * sizeof(double));
    if (!table.values)
        return table;
    for (int64_t r = 0; r < table.n_run; r++)
        fill_defaults(system, runs->n, table.values + r * table.n_value);
    ml_bench_table_set(system, runs, &table);
    return table;
}

struct ml_bench_table ml_bench_table_of(const struct ml_ensemble *ensemble, int64_t n_run)
{
    struct ml_bench_table table = {.n_value = ensemble->numbers.n, .n_run = n_run};
    table.values = malloc((size_t)n_run * (size_t)table.n_value * sizeof(double));
    for (int64_t r = 0; table.values && r < n_run; r++)
        ensemble->numbers.values(ensemble->numbers.context, r, table.values + r * table.n_value);
    return table;
}

static void copy_row(const void *context, int64_t run, double *values)
{
    const struct ml_bench_table *table = context;
    memcpy(values, table->values + run % table->n_run * table->n_value,
           (size_t)table->n_value * sizeof *values);
}

static const struct ml_method *find_rk4(void)
{
    int i = 0;
    while (strcmp(ml_methods[i]->name, "rk4") != 0)
        i++;
    return ml_methods[i];
}

struct ml_ensemble ml_bench_ensemble_of(const struct ml_ensemble *ensemble,
                                        const struct ml_bench_table *table)
{
    struct ml_ensemble out = *ensemble;
    out.n_run = table->n_run;
    out.block_runs = ML_LANES;
    out.numbers.values = copy_row;
    out.numbers.context = table;
    return out;
}

struct ml_ensemble ml_bench_kernel_only_ensemble(const struct ml_kernels *kernels, int n,
                                                 int64_t n_step, const struct ml_bench_table *table)
{
    return (struct ml_ensemble){
        .kernels = kernels,
        .model = {.system = kernels->registry->systems[0],
                  .n = n,
                  .solver = ml_solver_auto(kernels->registry->systems[0], n)},
        .numbers.n = table->n_value,
        .method = find_rk4(),
        .time.step = ML_BENCH_STEP,
        .time.n_step = n_step,
        .indicators.observe_every = n_step,
        .saving = {.run_every = 1},
        .n_run = table->n_run,
        .block_runs = ML_LANES,
        .numbers.values = copy_row,
        .numbers.context = table,
    };
}

void ml_bench_take_made(struct ml_ensemble *ensemble)
{
    const struct ml_kernel_wish wish = {
        .mode = ML_KERNEL_ONLY_MADE, .n_run = ensemble->n_run, .n_thread = 1};
    /* Never ended: the ensemble has its address, and the kernel is used until the program ends. */
    struct ml_kernel_choice *choice = calloc(1, sizeof *choice);
    if (choice)
        (void)ml_kernel_choose(ensemble, &wish, choice, NULL);
}

static enum ml_status count_unfinished(void *context, const struct ml_block *block,
                                       struct ml_error *err)
{
    int64_t *unfinished = context;
    (void)err;
    for (int64_t i = 0; i < block->n_run; i++)
        *unfinished += block->outcome[i] != (int8_t)ML_FINISHED;
    return ML_OK;
}

void ml_bench_kernel_only_run(void *context, int64_t n_run)
{
    struct ml_bench_kernel_only *self = context;
    struct ml_ensemble_options options = {
        .n_thread = self->n_thread, .gpus = self->gpu, .n_gpu = self->gpu ? 1 : 0};
    struct ml_sink sink = {.context = &self->unfinished, .put = count_unfinished};
    self->ensemble.n_run = n_run;
    if (ml_ensemble_run(&self->ensemble, &options, &sink, NULL) != ML_OK)
        self->unfinished += n_run;
}

/* Where end states go. */
struct ends {
    const struct ml_ensemble *ensemble;
    double *end;
};

static enum ml_status copy_ends(void *context, const struct ml_block *block, struct ml_error *err)
{
    const struct ends *ends = context;
    const int n = ends->ensemble->model.n;
    struct ml_outputs at = {.ensemble = ends->ensemble};
    (void)err;
    for (int o = 0; ml_outputs_next(&at); o++) {
        bool is_rate = strcmp(at.output.name, "end_rate") == 0;
        if (!is_rate && strcmp(at.output.name, "end_angle") != 0)
            continue;
        for (int64_t r = 0; r < block->n_run; r++)
            memcpy(ends->end + (block->first + r) * 2 * n + (is_rate ? n : 0),
                   block->summary[o] + r * n, (size_t)n * sizeof(double));
    }
    return ML_OK;
}

void ml_bench_ends(const struct ml_ensemble *ensemble, const struct ml_ensemble_options *options,
                   int64_t n_run, double *end)
{
    struct ml_ensemble e = *ensemble;
    struct ends ends = {&e, end};
    struct ml_sink sink = {.context = &ends, .put = copy_ends};
    for (int64_t i = 0; i < n_run * 2 * e.model.n; i++)
        end[i] = (double)NAN;
    e.n_run = n_run;
    (void)ml_ensemble_run(&e, options, &sink, NULL);
}

void ml_bench_kernel_only_end(const struct ml_ensemble *ensemble, int64_t n_run, double *end)
{
    ml_bench_ends(ensemble, &(struct ml_ensemble_options){.n_thread = 1}, n_run, end);
}

const struct ml_kernels *ml_bench_fastest(void)
{
    const struct ml_kernels *fastest = NULL, *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        fastest = k;
    return fastest;
}
