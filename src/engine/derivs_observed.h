/* Derivatives of observed records and energies by the parameters, from their tangent vectors. */
#ifndef ML_ENGINE_DERIVS_OBSERVED_H
#define ML_ENGINE_DERIVS_OBSERVED_H

#include "engine/batch.h"

/* Derivatives by the parameters of state quantities first .. first + n - 1, as the batch is now.
 *   out  [rows of these quantities][n_sens] */
void ml_derivs_of_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int first,
                        int n, double *out);

/* The same of record i_record at time t, s: of a state quantity exact, else by central differences,
 * good to some 1e-10 of the record.
 *   out  [rows of the record][n_sens] */
void ml_derivs_of_record(const struct ml_ensemble *ensemble, const struct ml_batch *batch, double t,
                         int i_record, double *out);

/* Of the energies, each [n_sens]. Exact where the system says how, else by central
 * differences: some 1e-10 of the energy.
 *   scale  NULL: not asked for */
void ml_derivs_of_energy(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         double *kinetic, double *potential, double *scale);

#endif
