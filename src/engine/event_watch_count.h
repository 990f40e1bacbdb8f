/* The count of events, as far as they count. */
#ifndef ML_ENGINE_EVENT_WATCH_COUNT_H
#define ML_ENGINE_EVENT_WATCH_COUNT_H

#include "engine/event_watch_find.h"

/* Counts the event at batch->x and `time` in the lanes where it counts, and keeps it.
 *   derivs  [n_sens] of that time, where they are wanted; NULL: it does not move */
void ml_event_watch_count(const struct watched *w, const double *time, const double *derivs,
                          unsigned lanes);

/* Takes over an event that was found s [1] seconds behind the origin: it ends runs, or counts. */
void ml_event_watch_found(const struct watched *w, const struct origin *origin, const double *s,
                          unsigned lanes);

/* Time, s, until which the events of a run need not be known one by one: either none of them
 * counts, or all count and none is kept.
 *   counts  out: whether they count */
double ml_event_watch_until(const struct watched *w, double from, int lane, bool *counts);

#endif
