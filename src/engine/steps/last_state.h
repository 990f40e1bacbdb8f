/* The state from which a run failed. */
#ifndef ML_ENGINE_LAST_STATE_H
#define ML_ENGINE_LAST_STATE_H

#include "engine/team/ensemble.h"

struct ml_last_state {
    enum ml_outcome outcome; /* finished, or too_many_steps: the run was cut off before it failed */
    double time;             /* s, of the state */
    double mean;             /* s, mean length of the steps up to there */
    double tried;            /* s, length of the step that failed or comes next */
    double reach;            /* s, longest that the failing step was */
    double steps;            /* accepted ones */
};

/* Integrates a run again, with at most as many steps as take a second or two.
 *   state  [rows of the state quantities] out
 * ML_E_MEMORY on failure. */
enum ml_status ml_last_state_find(const struct ml_ensemble *ensemble, int64_t run, double *state,
                                  struct ml_last_state *out, struct ml_error *err);

#endif
