/* Runs of the starts of a fit: an ensemble with tangent vectors along the varied numbers, where
 * their derivatives are wanted, of which blocks become sums as they come. */
#ifndef ML_FIT_RUNS_H
#define ML_FIT_RUNS_H

#include "fit/starts.h"

/* Makes starts->ensemble, by which the starts are computed from then on; false without memory. */
bool ml_fit_runs_prepare(struct ml_starts *starts);

#endif
