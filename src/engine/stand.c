/* Passes the ends of a batch's runs on to those that go on from them. */
#include "engine/stand.h"

#include <math.h>

void ml_stand_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_stand *stand)
{
    const size_t rows = ensemble->walk.n_run > 0 ? (size_t)ml_rows_state(ensemble) : 0;
    *stand = (struct ml_stand){.stride = 1};
    stand->end = ml_arena_take(arena, rows * ML_LANES, sizeof *stand->end);
}

void ml_stand_begin(const struct ml_ensemble *ensemble, struct ml_stand *stand)
{
    stand->stride = ensemble->walk.n_run;
    stand->goes_on = false;
    stand->lost = stand->ended = 0;
}

void ml_stand_go_on(const struct ml_ensemble *ensemble, struct ml_stand *stand)
{
    stand->goes_on = true;
    stand->lost = ML_ALL_LANES & ~stand->ended;
    stand->ended = 0;
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (stand->lost >> lane & 1)
                stand->end[i * ML_LANES + lane] = (double)NAN;
}

void ml_start_set(const struct ml_ensemble *ensemble, const double *state, int stride,
                  double *values)
{
    const struct ml_system *system = ensemble->system;
    const int first = ml_slot_initial(system, ensemble->shape.n, 0, 0);
    const int energy = ml_slot_energy(system);
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        values[first + i] = state[i * stride];
    if (energy >= 0)
        values[energy] = (double)NAN;
}

void ml_stand_values(const struct ml_ensemble *ensemble, const struct ml_stand *stand,
                     int64_t first, int lane, double *values)
{
    ensemble->values(ensemble->context, first + lane * stand->stride, values);
    if (stand->goes_on)
        ml_start_set(ensemble, stand->end + lane, ML_LANES, values);
}

void ml_stand_keep_end(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes)
{
    struct ml_stand *stand = &batch->stand;
    const double *state = batch->state[0];
    for (int i = 0; i < ml_rows_state(ensemble); i++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1)
                stand->end[i * ML_LANES + lane] = state[i * ML_LANES + lane];
    stand->ended |= lanes;
}
