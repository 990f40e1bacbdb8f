/* How the runs of a result ended. */
#ifndef ML_STORE_TALLY_H
#define ML_STORE_TALLY_H

#include <stdint.h>

#include "engine/ensemble.h"

/* How many runs ended how; of each outcome that there is the first run, and when it ended, s. */
struct ml_tally {
    int64_t count[ML_N_OUTCOME];
    int64_t first_run[ML_N_OUTCOME];
    double first_time[ML_N_OUTCOME];
};

/* Counts a run. */
void ml_tally_add(struct ml_tally *tally, int outcome, int64_t run, double end_time);

#endif
