#include "engine/batch.h"

static double *rows(struct ml_arena *arena, int n)
{
    return ml_arena_take(arena, (size_t)n * ML_LANES, sizeof(double));
}

static int count_indicators(const struct ml_kernels *kernels)
{
    int n = 0;
    while (kernels->indicators[n])
        n++;
    return n;
}

static int work_rows(const struct ml_ensemble *ensemble)
{
    const struct ml_system *system = ensemble->system;
    const struct ml_integrator *integrator = ensemble->kernels->integrators[ensemble->i_integrator];
    return system->n_x(&ensemble->shape) * (1 + integrator->state_rows) +
           system->rhs_rows(&ensemble->shape);
}

/* Pointers to rows of each record; `wanted` has bit q set for those that get memory. */
static double **record_rows(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                            uint32_t wanted)
{
    const struct ml_system *system = ensemble->system;
    double **out = ml_arena_take(arena, (size_t)system->n_record, sizeof *out);
    for (int q = 0; q < system->n_record; q++) {
        double *piece = wanted >> q & 1
                            ? rows(arena, ml_quantity_rows(&system->records[q], ensemble->shape.n))
                            : NULL;
        if (out)
            out[q] = piece;
    }
    return out;
}

void ml_batch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_batch *batch)
{
    const struct ml_system *system = ensemble->system;
    const int n = ensemble->shape.n, n_x = system->n_x(&ensemble->shape);
    const int n_indicator = count_indicators(ensemble->kernels);
    struct ml_results results;
    ml_results_describe(ensemble, &results);

    batch->run_values = ml_arena_take(arena, (size_t)ensemble->n_value, sizeof(double));
    batch->values = rows(arena, ensemble->n_value);
    batch->constants = rows(arena, system->constant_rows(&ensemble->shape));
    batch->x = rows(arena, n_x);
    batch->x_before = rows(arena, n_x);
    batch->work = rows(arena, work_rows(ensemble));
    batch->record = record_rows(ensemble, arena, ensemble->saving.records);
    batch->state = record_rows(ensemble, arena, (1u << system->n_state) - 1u);
    batch->kinetic = rows(arena, 1);
    batch->potential = rows(arena, 1);
    batch->scale = rows(arena, 1);
    batch->keep = ml_arena_take(arena, (size_t)n_indicator, sizeof *batch->keep);
    for (int i = 0; i < n_indicator; i++) {
        double *piece = rows(arena, ensemble->kernels->indicators[i]->keep_rows(system, n));
        if (batch->keep)
            batch->keep[i] = piece;
    }
    batch->out = ml_arena_take(arena, (size_t)results.n_output, sizeof *batch->out);
    for (int i = 0; i < results.n_output; i++) {
        double *piece = rows(arena, ml_output_rows(&results.outputs[i], n));
        if (batch->out)
            batch->out[i] = piece;
    }
}

/* Most trajectories that one block keeps. */
static int64_t most_saved(const struct ml_ensemble *ensemble)
{
    const struct ml_saving *saving = &ensemble->saving;
    return saving->every ? (ensemble->block_runs + saving->run_every - 1) / saving->run_every : 0;
}

void ml_block_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_block *block)
{
    const struct ml_system *system = ensemble->system;
    const size_t n_run = (size_t)ensemble->block_runs, n_saved = (size_t)most_saved(ensemble);
    struct ml_results results;
    ml_results_describe(ensemble, &results);

    *block = (struct ml_block){0};
    block->outcome = ml_arena_take(arena, n_run, sizeof *block->outcome);
    block->steps = ml_arena_take(arena, n_run, sizeof *block->steps);
    block->end_time = ml_arena_take(arena, n_run, sizeof *block->end_time);
    block->summary = ml_arena_take(arena, (size_t)results.n_output, sizeof *block->summary);
    for (int i = 0; i < results.n_output; i++) {
        size_t n_row = (size_t)ml_output_rows(&results.outputs[i], ensemble->shape.n);
        double *piece = ml_arena_take(arena, n_run * n_row, sizeof(double));
        if (block->summary)
            block->summary[i] = piece;
    }
    block->records = ml_arena_take(arena, (size_t)system->n_record, sizeof *block->records);
    for (int q = 0; q < system->n_record; q++) {
        size_t n_row = (size_t)ml_quantity_rows(&system->records[q], ensemble->shape.n);
        bool is_kept = n_saved > 0 && ensemble->saving.records >> q & 1;
        double *piece = is_kept ? ml_arena_take(arena, n_saved * n_row * (size_t)results.n_sample,
                                                sizeof(double))
                                : NULL;
        if (block->records)
            block->records[q] = piece;
    }
}
