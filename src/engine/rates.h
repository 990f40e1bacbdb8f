/* The equations of one run at a state: rates of the state's quantities and their derivatives. */
#ifndef ML_ENGINE_RATES_H
#define ML_ENGINE_RATES_H

#include "engine/ensemble.h"

/* A run at a time and state of its own. */
struct ml_rates_at {
    const struct ml_ensemble *ensemble; /* borrowed */
    int64_t run;
    const double *state; /* [rows of the state quantities]; NULL: its start */
    double time;         /* s */
};

/* An ensemble of that run alone, which starts there; borrows `at`. */
struct ml_ensemble ml_rates_ensemble(const struct ml_rates_at *at);

/* Fills in what is not NULL; n_state are the rows of the state quantities.
 *   state       [n_state]
 *   rates       [1 + n_direction][n_state] of the state, then their derivatives along directions in
 *               the space of the run's values
 *   energies    [2] kinetic and potential, J; NaN if the system has none
 * ML_E_INPUT if the run cannot start. */
enum ml_status ml_rates_find(const struct ml_rates_at *at, const struct ml_direction *directions,
                             int n_direction, double *state, double *rates, double *energies,
                             struct ml_error *err);

#endif
