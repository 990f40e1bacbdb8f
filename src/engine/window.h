/* Windows of a batch's steps, one after the other: as many given steps as are looked at together,
 * one step of each lane where lanes have steps of their own, or all steps up to the next stop of
 * runs that were integrated ahead. Events, indicators and samples look at all of them alike. */
#ifndef ML_ENGINE_WINDOW_H
#define ML_ENGINE_WINDOW_H

#include "base/arena.h"
#include "engine/batch.h"

/* Memory for windows; indicators look at the state behind every `every`-th step, INT64_MAX: at none
 * (ml_batch_observe_every). */
void ml_window_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_window *window);

/* Prepares the first window of a batch at the start of its runs.
 *   first  run in lane 0, which tells whether they were integrated ahead (ml_refill_has) */
void ml_window_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first);

/* Takes the window window->first .. window->end of the lanes `alive`. Where a run fails in it,
 * window->end becomes first + 1, so that the failing step is known. Only lanes in `alive` can be in
 * the faults; states of the other lanes mean nothing. */
struct ml_lane_faults ml_window_take(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                     unsigned alive);

#endif
