/* Crossings within a step: the levels that a value passes, or the zeros of its derivative. */
#ifndef ML_ENGINE_EVENT_WATCH_PASS_H
#define ML_ENGINE_EVENT_WATCH_PASS_H

#include "engine/event_watch_find.h"

/* Where a value is among the levels at the beginning of a run, which it leaves with `slope`.
 *   span, change  s: length of the step it is about to take, and by how much it will change */
double ml_event_watch_start(const struct watched *w, double value, double slope, double span,
                            double change, int lane);

/* Finds the crossings in the steps of these lanes and takes them over; WATCH_PLACE goes on. */
void ml_event_watch_crossings(const struct watched *w, const struct origin *origin,
                              unsigned stepped);

#endif
