/* Events that set the state: impacts, switches, loads that are picked up. The step ends at the
 * event (engine/align.h), which is counted there, and the next begins from the state
 * x+ = R(t, x-, p). Tangent vectors go on by the saltation matrix: with G the number that is zero
 * at the event, f the derivative of the state by time, before (-) and behind (+), and y a tangent
 * vector (along a parameter p),
 *
 *   dt = -(dG/dx y + dG/dp) / (dG/dx f- + dG/dt)
 *   y+ = dR/dx (y- + f- dt) + dR/dt dt + dR/dp - f+ dt
 *
 * (M. di Bernardo, C. Budd, A. Champneys, P. Kowalczyk, Piecewise-smooth Dynamical Systems (2008),
 * section 2.5; the derivatives of G and R by differences of fourth order). */
#ifndef ML_ENGINE_RESET_H
#define ML_ENGINE_RESET_H

#include "engine/batch.h"

/* Whether some event of the ensemble sets the state. */
bool ml_reset_is_needed(const struct ml_ensemble *ensemble);

/* Memory, of the watch of a batch. */
void ml_reset_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_event_watch *watch);

/* Stops the lanes in which another event stops the run at the instant of one that sets the state,
 * as ml_event_watch_step does; the state is not set there. */
void ml_reset_stop(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes);

/* Counts the events with which the last step of these lanes ended, batch->watch.reset, and sets
 * batch->x, at window->now. */
void ml_reset_apply(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes);

#endif
