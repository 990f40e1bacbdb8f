/* The next window of a batch's steps: as many given steps as are looked at together, one step of
 * each lane's own where these differ, or all up to the next stop of runs that were integrated
 * ahead. Who looks at it (events, indicators, samples) need not know which. */
#ifndef ML_ENGINE_WINDOW_H
#define ML_ENGINE_WINDOW_H

#include "base/arena.h"
#include "engine/batch.h"

/* Memory for windows of whose states every `every`-th is looked at, INT64_MAX: none. */
void ml_window_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_window *window);

/* At the start of a batch's runs, which have been integrated ahead if `first`, that in lane 0, has
 * been. */
void ml_window_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first);

/* Takes a window of the lanes that are alive, from where the last one ended up to window->end, and
 * lowers that where many steps would hide the step in which a run fails. Faults are of lanes that
 * were alive; the others' states mean nothing. */
struct ml_lane_faults ml_window_take(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                     unsigned alive);

#endif
