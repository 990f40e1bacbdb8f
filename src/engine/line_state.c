/* Passes the ends of a batch's runs on to those that go on from them. */
#include "engine/line_state.h"

#include <math.h>

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
    ensemble->values(ensemble->context, first + lane * line->stride, values);
    if (line->has_continuation)
        ml_start_set(ensemble, line->end + lane, ML_LANES, values);
}

void ml_line_state_keep_end(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes)
{
    struct ml_line_state *line = &batch->line;
    const double *state = batch->state[0];
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1)
                line->end[i * ML_LANES + lane] = state[i * ML_LANES + lane];
    line->ended |= lanes;
}
