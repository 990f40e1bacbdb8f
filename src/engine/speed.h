/* How fast an ensemble would run here. */
#ifndef ML_ENGINE_SPEED_H
#define ML_ENGINE_SPEED_H

#include "engine/ensemble.h"

struct ml_speed {
    double rate;     /* member-steps per s of a thread, those counted too that runs leave out which
                            end early: of an ensemble that takes n_run n_step / rate; 0: not known */
    double taken;    /* part of the steps of its runs that are taken */
    bool is_at_most; /* it may take less: events may end runs later than was looked at */
};

/* Computes batches from all over the ensemble, for at most about so many seconds of the thread's
 * processor time, or one step of one batch, whichever is longer. What other processes do does not
 * count. Short ones are computed several times, of which the shortest counts.
 *   stop  any level ends it, with what is known then
 * A rate of 0 without memory. */
struct ml_speed ml_ensemble_speed(const struct ml_ensemble *ensemble, double seconds,
                                  struct ml_stop stop);

#endif
