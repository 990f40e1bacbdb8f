/* How fast an ensemble would run here. */
#ifndef ML_ENGINE_SPEED_H
#define ML_ENGINE_SPEED_H

#include "engine/team/ensemble.h"

struct ml_speed {
    double rate;  /* member-steps per s of a thread, counted as if no run ended early: the ensemble
                     takes n_run n_step / rate; 0: not known */
    double taken; /* part of the steps that is taken */
    bool is_at_most; /* it may take less: events may end runs behind the steps looked at */
};

/* Computes batches from all over the ensemble, for at most about so many seconds of the thread's
 * processor time, or one step of one batch, whichever is longer, so that other processes do not
 * matter. Short batches are computed several times, of which the shortest counts.
 *   stop  any level ends it, with the estimate so far
 * A rate of 0 without memory. */
struct ml_speed ml_ensemble_speed(const struct ml_ensemble *ensemble, double seconds,
                                  struct ml_stop stop);

#endif
