/* The terms of the equations of motion at the start of one run. */
#ifndef ML_ENGINE_EVALUATE_H
#define ML_ENGINE_EVALUATE_H

#include "engine/team/ensemble.h"

/* Terms of M q'' = f, state (quantities in the order of system->tables.state) and energies (J; NaN
 * if the system has none) of one run at its initial state. ML_E_INPUT if M is not positive definite
 * there or the system is not of this form. */
enum ml_status ml_ensemble_evaluate(const struct ml_ensemble *ensemble, int64_t run,
                                    const struct ml_terms *terms, double *state, double *kinetic,
                                    double *potential, struct ml_error *err);

/* A run at a time and state of its own. */
struct ml_rates_at {
    const struct ml_ensemble *ensemble; /* borrowed */
    int64_t run;
    const double *state; /* [rows of the state quantities]; NULL: its start */
    double time;         /* s */
};

/* An ensemble of that run alone, which starts there; borrows `at`. */
struct ml_ensemble ml_rates_ensemble(const struct ml_rates_at *at);

/* Fills in arguments that are not NULL; n_state are the rows of the state quantities.
 *   state       [n_state]
 *   rates       [1 + n_direction][n_state] of the state, then their derivatives along directions in
 *               the space of the run's values
 *   energies    [2] kinetic and potential, J; NaN if the system has none
 * ML_E_INPUT if the run cannot start. */
enum ml_status ml_rates_find(const struct ml_rates_at *at, const struct ml_direction *directions,
                             int n_direction, double *state, double *rates, double *energies,
                             struct ml_error *err);

/* Derivatives of dx/dt at the start of one run by each of its values, as they advance with the
 * state, against differences of dx/dt (central, of two sizes, extrapolated).
 *   error  [n_value] largest difference of the two over the largest derivative plus the size of
 *          dx/dt per size of the value: some 1e-11 if both are right
 * ML_E_MEMORY on failure. */
enum ml_status ml_ensemble_check_derivatives(const struct ml_ensemble *ensemble, int64_t run,
                                             double *error, struct ml_error *err);

#endif
