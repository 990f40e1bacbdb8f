/* Steps that end at events: where a force sets in or ends, the derivative of the motion has a
 * kink, and a step across it is of low order. With `align` a step is cut at the event, and those
 * behind it may be graded: short at first, growing to the given length. Lanes then have steps of
 * their own up to the next tick. Events that set the state (engine/reset.h) end steps that lanes
 * choose, too. */
#ifndef ML_ENGINE_ALIGN_H
#define ML_ENGINE_ALIGN_H

#include "engine/batch.h"

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

#endif
