/* The past of a run, for controllers that do not see the present, and for formulas with x(t -
 * delay): the state some time ago, or at the controller's last sample, with errors of measurement.
 * Ends of steps are kept as far back as these views look. Before each step a view gets, in rows
 * behind the constants, the polynomial or the sample that it sees all through the step. So kernels
 * know nothing of the past, and the past does not depend on the kernel. */
#ifndef ML_ENGINE_FEEDBACK_H
#define ML_ENGINE_FEEDBACK_H

#include "base/arena.h"
#include "engine/team/ensemble.h"

/* States of a chosen step: its beginning, a sixth of it, a third and two thirds. */
enum { ML_FEEDBACK_PARTS = 4 };

/* The past of the lanes of one batch, in rows of ML_LANES; each lane fills its own rows. */
struct ml_feedback {
    int64_t capacity, most_breaks; /* of `moments` and `breaks`; 0: all see the present */
    double *moments;   /* [capacity] ends of steps: time, s; rank, the number of delays since the
                          break that it follows from; [rows of x + n_rate] state and rates; and of a
                          chosen step the same [2], those at a third and two thirds of it */
    double *breaks;    /* [most_breaks][2] ends where the motion breaks: time, s, and rank */
    double *parts;     /* [ML_FEEDBACK_PARTS][rows of x + n_rate] the beginning of the step that
                          lanes have chosen, and states on its way, with rates; NULL: steps are
                          given */
    double *now;       /* [rows of x + n_rate] the end of a step that is to be kept, as that */
    double *rates;     /* [rows of x] scratch */
    double *constants; /* of the batch */
    int64_t n[ML_LANES], n_break[ML_LANES]; /* so far; the last ones are kept */
    unsigned lost;                          /* lanes that look back beyond the kept ends */
    bool is_retaken;                        /* steps are taken again; their ends are kept already */
};

/* Whether controllers with a delay see steps that lanes chose. */
bool ml_feedback_has_parts(const struct ml_ensemble *ensemble);

/* Takes memory for the past of a batch from the arena. */
void ml_feedback_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                        struct ml_feedback *feedback);

/* Begins at the start of the runs of a batch; before it the state was as at the start.
 *   constants  [constant_rows][ML_LANES] of the batch
 *   x, work    [rows of x][ML_LANES] of the batch, and its scratch */
void ml_feedback_begin(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                       double *constants, const double *x, double *work);

/* Into how many parts delays and samples cut a step, in the lane with most.
 *   step   [ML_LANES] s
 *   share  of that which the step is */
double ml_feedback_parts(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                         const double *step, double share);

/* Numbers of a state with the rates that are kept. */
size_t ml_feedback_part_size(const struct ml_ensemble *ensemble);

/* Puts the rates that are kept behind a state.
 *   t  [ML_LANES] s
 *   x  [rows of x + n_rate][ML_LANES] */
void ml_feedback_find_rates(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                            const double *t, double *x, double *work);

/* Takes the state of all lanes at the ends of their steps, to be kept.
 *   t  [ML_LANES] s
 *   x  [rows of x][ML_LANES] */
void ml_feedback_look(const struct ml_ensemble *ensemble, struct ml_feedback *feedback,
                      const double *t, const double *x, double *work);

/* s: when the step that a lane begins at `now`, s, must end at the latest: at a sample, where a
 * controller sees a break, or where the known past of a controller ends; INFINITY: no limit. */
double ml_feedback_next(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                        int lane, double now);

/* Tells the controllers of a lane the past that they see from `begin` to `end`, s; `end` is not
 * beyond ml_feedback_next. Whether that is within the tolerance of lanes that choose their steps.
 */
bool ml_feedback_report(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                        double begin, double end);

/* Whether the polynomial through the ends and thirds of a step of a lane, of h s, has the state a
 * sixth on its way to the tolerance. The states are in feedback->parts, its end in `now`. */
bool ml_feedback_is_smooth(const struct ml_ensemble *ensemble, const struct ml_feedback *feedback,
                           int lane, double h);

/* Keeps the end of a step of a lane that was looked at, at time t, s, and the thirds of a chosen
 * step. Ends kept for that time or later, where a step was cut, are dropped.
 *   jumps  whether a signal jumps at t */
void ml_feedback_keep(const struct ml_ensemble *ensemble, struct ml_feedback *feedback, int lane,
                      double t, bool jumps);

#endif
