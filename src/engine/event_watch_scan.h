/* Looks through the states behind many given steps for those in which there may be an event. A step
 * that is left out has none; one that is not may have none either. */
#ifndef ML_ENGINE_EVENT_WATCH_SCAN_H
#define ML_ENGINE_EVENT_WATCH_SCAN_H

#include "engine/batch.h"

/* At the start of the runs, behind ml_event_watch_begin. */
void ml_event_watch_scan_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Prepares the look at batch->window. */
void ml_event_watch_scan(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Of its steps the first from j on in which there may be an event of a lane that is alive, n_state
 * if no event is in them; j itself of a window without states. */
int ml_event_watch_scan_next(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                             unsigned alive);

/* Makes step j of them what ml_event_watch_step looks at; the state behind the last of them. */
void ml_event_watch_scan_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j);
const double *ml_event_watch_scan_end(const struct ml_ensemble *ensemble,
                                      const struct ml_batch *batch);

#endif
