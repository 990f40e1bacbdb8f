/* Starts of a given energy, and on constraints. */
#ifndef ML_ENGINE_START_H
#define ML_ENGINE_START_H

#include "engine/batch.h"

/* Gives the rates of a batch that is prepared what ml_system.start says, and in the lanes that are
 * given an energy, what ml_system.first_rate says, and their derivatives along the parameters what
 * follows from that:
 *
 *   E = V + T_others + s^2 T_rates,   s' / s = (E' - V' - T') / (2 s^2 T_rates)
 *
 * with V' and T' of the rates s omega as if s were constant. The energy is the one that is
 * recorded. Where there is no such s the rates become NaN, and batch->impossible has the lane. */
void ml_start_load(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Refuses the lanes whose start does not hold the constraints, unless they go on from other runs:
 * their states become NaN, and batch->impossible has them. */
void ml_start_refuse(const struct ml_ensemble *ensemble, struct ml_batch *batch);

#endif
