/* What controllers see of their chain that do not see the present: its state some time ago, or at
 * their last sample, with errors of measurement. Ends of steps are kept as far back as that; before
 * each step a controller is told, in rows behind the constants, what it sees all through the step.
 * So kernels know nothing of the past, and what is seen does not depend on them. */
#ifndef ML_ENGINE_FEEDBACK_H
#define ML_ENGINE_FEEDBACK_H

#include "base/arena.h"
#include "engine/ensemble.h"

/* Of one batch; rows of ML_LANES, of which each lane fills its own. */
struct ml_feedback {
    int64_t capacity, most_breaks; /* of the next two; 0: all see the present */
    double *moments;   /* [capacity][2 + n_x] ends of steps: time, s, how many delays have passed
                          since it or its cause, if something breaks there, and state */
    double *breaks;    /* [most_breaks][2] those where something breaks: the first two of these */
    double *constants; /* those of the batch */
    int64_t n[ML_LANES], n_break[ML_LANES]; /* so far, of which the last are there */
    unsigned lost;                          /* lanes that see more than is there */
    bool is_retaken;                        /* steps are taken again whose ends are there already */
};

/* Memory for it. */
void ml_feedback_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                        struct ml_feedback *feedback);

/* At the start of the runs of a batch, before which all was as it is then.
 *   constants, x  of the batch */
void ml_feedback_begin(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                       double *constants, const double *x);

/* When a step of a lane must end that is at `now`, s: as something breaks then that is seen, or at
 * a sample, or as more is not known; INFINITY: whenever it likes. */
double ml_feedback_next(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                        int lane, double now);

/* Tells the controllers of a lane what they see from `begin` to `end`, s, which is not beyond
 * ml_feedback_next. */
void ml_feedback_tell(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                      double begin, double end);

/* Keeps the end of a step of a lane, in place of what may be there of that time or later, where a
 * step was cut.
 *   x      of the batch
 *   jumps  whether a signal does, then */
void ml_feedback_keep(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                      double t, const double *x, bool jumps);

#endif
