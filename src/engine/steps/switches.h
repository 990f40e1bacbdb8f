/* Conditions of formulas that change along a run, ml_system.switches.conditions: a comparison or a
 * sign jumps where its number is 0, floor and mod where it is whole. Their places are rows of the
 * constants, which change between steps alone; a step ends where a condition changes. The state
 * stays the same there, but its derivative f jumps, and a tangent vector y (along a parameter p)
 * with it: with the number G of the condition,
 *
 *   dt = -(dG/dx y + dG/dp) / (dG/dx f- + dG/dt),   y+ = y- + (f- - f+) dt
 *
 * as at events that set the state (engine/events/event_watch.h), here with exact derivatives of G.
 */
#ifndef ML_ENGINE_SWITCHES_H
#define ML_ENGINE_SWITCHES_H

#include "engine/team/batch.h"

/* Memory, of a batch. */
void ml_switches_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                        struct ml_switches *switches);

/* Whether motions may slide on some condition. */
bool ml_switches_can_slide(const struct ml_ensemble *ensemble);

/* At the start of the runs: the places of all conditions. */
void ml_switches_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Updates the places of all conditions in these lanes, whose state x [n_x] an event has set at
 * `time` [1], s. */
void ml_switches_settle(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                        const double *time, const double *x, unsigned lanes);

/* Ends the steps of some lanes, from window->now to `end` [1], s, in and out, where conditions of
 * time change before: at the change if the number is linear in time, else behind it, unless the
 * number is back within a sixteenth of the step. */
void ml_switches_limit(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes,
                       double *end);

/* Finds where the conditions of the lanes `active` change first in the step that they have just
 * taken, from batch->x_before at window->before to watch->x_now at window->now: s [1], seconds
 * behind its beginning; INFINITY where none changes. Changes batch->x. */
void ml_switches_find(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned active,
                      double *s);

/* Notes the conditions of a lane that change up to s seconds behind the beginning of that step,
 * which ends there. */
void ml_switches_note(const struct ml_ensemble *ensemble, struct ml_batch *batch, int lane,
                      double s);

/* Changes the noted conditions of these lanes, at batch->x and window->now, and takes tangent
 * vectors across, and those of lanes that slide back onto the level; the notes of other lanes are
 * forgotten. */
void ml_switches_apply(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes);

#endif
