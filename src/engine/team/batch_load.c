/* The start of a batch: values of its runs, constants, states, and all that begins with them. */
#include <math.h>
#include <string.h>

#include "engine/team/batch_run.h"

/* The low parts of a state, rounded off its sums, are 0 at the start. */
static void batch_load_clear_low(const struct ml_ensemble *ensemble, double *x)
{
    const int n_x = ml_n_x(&ensemble->model);
    const size_t size = (size_t)n_x * ML_LANES;
    memset(x + (size_t)(1 + ensemble->model.n_column) * size, 0, size * sizeof *x);
}

void ml_batch_load(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first, int n)
{
    const struct ml_system *system = ensemble->model.system;
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (lane < n) {
            ml_line_state_values(ensemble, &batch->line, first, lane, batch->run_values);
            if (system->parameters.derive)
                system->parameters.derive(&ensemble->model, batch->run_values);
        }
        batch->step[lane] = ml_ensemble_step(ensemble, batch->run_values);
        for (int v = 0; v < ensemble->numbers.n; v++)
            batch->values[v * ML_LANES + lane] = batch->run_values[v];
    }
    system->dynamics.prepare(&ensemble->model, batch->values, batch->constants, batch->x);
    const struct ml_instance *model = &ensemble->model;
    const int n_x = ml_n_x(model), n_tangent = model->n_column - model->n_sens;
    const bool is_slanted = n_tangent < n_x && (system->has_formulas || ensemble->time.is_adaptive);
    (is_slanted ? ml_slanted_vectors : ml_unit_vectors)(n_x, n_tangent, batch->x);
    if (ensemble->model.is_compensated)
        batch_load_clear_low(ensemble, batch->x);
    ml_forces_load(ensemble, batch->values, batch->constants);
    ml_derivs_load(ensemble, &batch->derivs, first, n, batch->values, batch->constants, batch->x);
    ml_start_load(ensemble, batch);
    ml_feedback_begin(ensemble, &batch->feedback, batch->constants, batch->x, batch->work);
    ml_step_control_begin(ensemble, batch, first, n);
}

void ml_line_state_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          struct ml_line_state *line)
{
    const size_t rows = ensemble->continuation.n_run > 0 ? (size_t)ml_rows_state(ensemble) : 0;
    *line = (struct ml_line_state){.stride = 1};
    line->end = ml_arena_take(arena, rows * ML_LANES, sizeof *line->end);
}

void ml_line_state_begin(const struct ml_ensemble *ensemble, struct ml_line_state *line)
{
    line->stride = ensemble->continuation.n_run;
    line->has_continuation = false;
    line->lost = line->ended = 0;
}

void ml_line_state_go_on(const struct ml_ensemble *ensemble, struct ml_line_state *line)
{
    line->has_continuation = true;
    line->lost = ML_ALL_LANES & ~line->ended;
    line->ended = 0;
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (line->lost >> lane & 1)
                line->end[i * ML_LANES + lane] = (double)NAN;
}

void ml_start_set(const struct ml_ensemble *ensemble, const double *state, int stride,
                  double *values)
{
    const struct ml_system *system = ensemble->model.system;
    const int first = ml_slot_initial(&ensemble->model, 0, 0);
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        values[first + i] = state[i * stride];
    ml_slots_clear_start(system, values);
}

void ml_line_state_values(const struct ml_ensemble *ensemble, const struct ml_line_state *line,
                          int64_t first, int lane, double *values)
{
    ensemble->numbers.values(ensemble->numbers.context, first + lane * line->stride, values);
    if (line->has_continuation)
        ml_start_set(ensemble, line->end + lane, ML_LANES, values);
}

void ml_line_state_keep_end(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes)
{
    struct ml_line_state *line = &batch->line;
    const double *state = batch->records.state[0];
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1)
                line->end[i * ML_LANES + lane] = state[i * ML_LANES + lane];
    line->ended |= lanes;
}
