/* How the instant of an event moves with a parameter. */
#ifndef ML_ENGINE_EVENT_WATCH_DERIV_H
#define ML_ENGINE_EVENT_WATCH_DERIV_H

#include "engine/event_watch_find.h"

/* Derivatives of the time of the event at batch->x and `time` [1] by each parameter, to
 * watch->time_derivs [n_sens]: with G what is zero at the event, y the tangent vector along
 * the parameter p and f the derivative of the state by time,
 *
 *   dt/dp = -(dG/dx y + dG/dp) / (dG/dx f + dG/dt)
 *
 * by differences of fourth order. Changes watch->probe and watch->rate. */
void ml_event_watch_time_derivs(const struct watched *w, const double *time);

/* Of the state x [n_x (1 + n_column)] at an event at `time`: what its tangent vectors along
 * parameters are where the instant moves too, y + f dt/dp, in some lanes. */
void ml_event_watch_move(const struct watched *w, const double *time, unsigned lanes, double *x);

/* Derivatives of what is kept of the event that was counted last, by each parameter: to its
 * outputs, in some lanes. batch->x has the tangent vectors of ml_event_watch_move.
 *   time_derivs  [n_sens] of the event's time; NULL: it does not move */
void ml_event_watch_kept_derivs(const struct watched *w, const double *time,
                                const double *time_derivs, unsigned lanes);

#endif
