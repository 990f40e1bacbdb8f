/* Watches the runs of a batch for events, and finds when they are: the step in which one is is
 * taken again from where it began, with lengths of each lane's own, until the time is known to its
 * last digits. The runs themselves go on as if nobody had looked. */
#ifndef ML_ENGINE_EVENT_WATCH_H
#define ML_ENGINE_EVENT_WATCH_H

#include "engine/team/batch.h"

/* Memory for the watch of a batch, behind ml_window_layout. */
void ml_event_watch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                           const struct ml_window *window, struct ml_event_watch *watch);

/* At the start of the runs. */
void ml_event_watch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Looks at a step of batch->window for the lanes `stepped`: number j of its states, or the one that
 * leads from batch->x_before at window->before (and window->step_control) to batch->x at
 * window->now; all of which stay. Sets `stopped`, with the states and times of these lanes. */
void ml_event_watch_step(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                         unsigned stepped);

/* Takes the counts of events back, NaN, in lanes whose runs end here and in which the number of the
 * event could not be followed. */
void ml_event_watch_doubt(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                          unsigned lanes);

/* Steps that end at events: where a force sets in or ends, the derivative of the motion has a
 * kink, and a step across it is of low order. With `align` a step is cut at the event, and those
 * behind it may be graded: short at first, growing to the given length. Lanes then have steps of
 * their own up to the next tick. Events that set the state (engine/steps/reset.c) end steps that
 * lanes choose, too. */

enum { ML_ALIGN_ROWS = 5 }; /* of a batch */

/* Whether some event of the ensemble cuts its steps. */
bool ml_align_is_needed(const struct ml_ensemble *ensemble);

/* At the start of the runs, behind ml_event_watch_begin: one that begins on the level of such an
 * event has its steps graded from there. */
void ml_align_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Takes one step of the lanes `active`, from batch->x at window->now to at most end [1], s, and to
 * the first such event on the way: batch->x_before and window->before are where it began. */
struct ml_lane_faults ml_align_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                    const double *end, unsigned active);

/* Cuts the step that the lanes `active` have just taken, from batch->x_before at window->before to
 * batch->x at window->now, at the first such event on the way. The lanes in which an event follows
 * itself so closely that no step is between them. */
unsigned ml_align_to_events(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned active);

/* Events that set the state: impacts, switches, loads that are picked up. The step ends at the
 * event (engine/steps/align.c), which is counted there, and the next begins from the state
 * x+ = R(t, x-, p). Tangent vectors go on by the saltation matrix: with G the number that is zero
 * at the event, f the derivative of the state by time, before (-) and behind (+), and y a tangent
 * vector (along a parameter p),
 *
 *   dt = -(dG/dx y + dG/dp) / (dG/dx f- + dG/dt)
 *   y+ = dR/dx (y- + f- dt) + dR/dt dt + dR/dp - f+ dt
 *
 * (M. di Bernardo, C. Budd, A. Champneys, P. Kowalczyk, Piecewise-smooth Dynamical Systems (2008),
 * section 2.5; the derivatives of G and R by differences of fourth order). */

/* Whether some event of the ensemble sets the state. */
bool ml_reset_is_needed(const struct ml_ensemble *ensemble);

/* Memory, of the watch of a batch. */
void ml_reset_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_event_watch *watch);

/* Stops the lanes in which another event stops the run at the instant of one that sets the state,
 * as ml_event_watch_step does; the state is not set there. */
void ml_reset_stop(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes);

/* Counts the events with which the last step of these lanes ended, batch->watch.reset, and sets
 * batch->x, at window->now. Adds to `ended` the lanes in which the intervals of an event have
 * become so short, and shrink so, that there is a time before which infinitely many follow. */
void ml_reset_apply(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes);

#endif
