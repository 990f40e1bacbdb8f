/* The terms of the equations of motion at the start of one run. */
#ifndef ML_ENGINE_EVALUATE_H
#define ML_ENGINE_EVALUATE_H

#include "engine/ensemble.h"

/* Terms of M q'' = f, state (quantities in the order of system->state) and energies (J; NaN if the
 * system has none) of one run at its initial state. ML_E_INPUT if M is not positive definite there
 * or the system is not of this form. */
enum ml_status ml_ensemble_evaluate(const struct ml_ensemble *ensemble, int64_t run,
                                    const struct ml_terms *terms, double *state, double *kinetic,
                                    double *potential, struct ml_error *err);

#endif
