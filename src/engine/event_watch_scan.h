/* Looks through the states behind many given steps for those in which there may be an event. A step
 * that is left out has none; one that is not may have none either. */
#ifndef ML_ENGINE_EVENT_WATCH_SCAN_H
#define ML_ENGINE_EVENT_WATCH_SCAN_H

#include "engine/batch.h"

/* At the start of the runs, behind ml_event_watch_begin. */
void ml_event_watch_scan_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Where the states behind the next steps are to be written, as history of struct ml_clock; batch->x
 * is the state before them. Keeps the last state of the steps before. */
double *ml_event_watch_history(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Prepares the look at n <= ML_WATCH_STEPS steps from step k on, whose history is there. */
void ml_event_watch_scan(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t k,
                         int n);

/* Of these steps the first from j on in which there may be an event of a lane that is alive; n if
 * no event is in them. */
int ml_event_watch_scan_next(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                             unsigned alive);

/* Makes step j of them what ml_event_watch_step looks at. */
void ml_event_watch_scan_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j);

#endif
