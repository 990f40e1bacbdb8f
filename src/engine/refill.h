/* Lanes that take the next run as soon as theirs has ended. Runs that choose their steps end at
 * very different times; side by side from start to end, some lanes would wait for the slowest. So
 * the runs of several batches are integrated ahead, each at its own pace, and the state of each at
 * every stop (a tick at which it is looked at) is kept; the batches then go through the stops with
 * these states. No run's numbers depend on it. */
#ifndef ML_ENGINE_REFILL_H
#define ML_ENGINE_REFILL_H

#include "base/arena.h"
#include "engine/batch.h"

/* Takes memory for `refill` from the batch's arena; runs are observed every `every` ticks
 * (ml_batch_observe_every). Takes no memory if refilling does not serve the ensemble: lanes take
 * given steps, a stop changes the state (tangent vectors are made orthonormal), events are looked
 * for between the stops, the stops are too many to keep, or runs go on from others. */
void ml_refill_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_refill *refill);

/* Integrates the runs first .. first + n_run - 1 ahead, or as many of them as fit, unless run
 * `first` is one that has been. False if the batch was told to drop what it is doing. */
bool ml_refill_ahead(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int64_t n_run);

/* Has integrated no run, as in the beginning. */
void ml_refill_forget(struct ml_refill *refill);

/* Whether run `first`, which must be the first of its batch, has been integrated ahead. */
bool ml_refill_has(const struct ml_refill *refill, int64_t first);

/* Of the batch that begins with run `first`: sets its step_control to that of the end of each run;
 * sets its state to that at stop i; tells the lanes whose run failed on the way to this stop. */
void ml_refill_take_step_control(struct ml_batch *batch, int64_t first);
struct ml_lane_faults ml_refill_take_stop(const struct ml_ensemble *ensemble,
                                          struct ml_batch *batch, int64_t first, int64_t i);

#endif
