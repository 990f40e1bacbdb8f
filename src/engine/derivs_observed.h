/* What the parameters' tangent vectors say of what is looked at on the way. */
#ifndef ML_ENGINE_SLOPES_SEEN_H
#define ML_ENGINE_SLOPES_SEEN_H

#include "engine/batch.h"

/* Derivatives by the parameters of state quantities first .. first + n - 1, as the batch is now.
 *   out  [rows of these quantities][n_sens] */
void ml_derivs_of_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int first,
                        int n, double *out);

/* Of a record at time t: of a state quantity as above, else by central differences, some 1e-10 of
 * it.
 *   out  [rows][n_sens] */
void ml_derivs_of_record(const struct ml_ensemble *ensemble, const struct ml_batch *batch, double t,
                         int i_record, double *out);

/* Of the energies, each [n_sens]. Exact where the system says how, else by central
 * differences: some 1e-10 of the energy.
 *   scale  NULL: not asked for */
void ml_derivs_of_energy(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         double *kinetic, double *potential, double *scale);

#endif
