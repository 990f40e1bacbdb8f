/* Runs of the starts of a fit: an ensemble with tangent vectors along the varied numbers, where
 * their derivatives are wanted, of which blocks become sums as they come. */
#ifndef ML_FIT_RUNS_H
#define ML_FIT_RUNS_H

#include "fit/starts.h"

/* Makes starts->ensemble, by which the starts are computed from then on; false without memory. */
bool ml_fit_runs_prepare(struct ml_starts *starts);

/* Trajectories of a record's row in run j of a block, with derivatives where the runs have these.
 */
struct ml_fit_curve ml_fit_curve_of(const struct ml_ensemble *ensemble,
                                    const struct ml_block *block, int64_t j, int record, int row);

/* The records that are compared, and the first n_state, then their derivatives if these are wanted,
 * each ascending: [*n]; NULL without memory. */
const int *ml_fit_choose_records(struct ml_starts *starts, int n_state, int *n);

#endif
