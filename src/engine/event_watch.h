/* Watches the runs of a batch for events, and finds when they are: the step in which one is is
 * taken again from where it began, with lengths of each lane's own, until the time is known to its
 * last digits. The runs themselves go on as if nobody had looked. */
#ifndef ML_ENGINE_EVENT_WATCH_H
#define ML_ENGINE_EVENT_WATCH_H

#include "engine/batch.h"

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

#endif
