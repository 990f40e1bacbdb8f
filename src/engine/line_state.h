/* Position of a batch's runs on their continuation lines, and their starts: called when a batch is
 * loaded and when its runs end. */
#ifndef ML_ENGINE_LINE_STATE_H
#define ML_ENGINE_LINE_STATE_H

#include "base/arena.h"
#include "engine/batch.h"

/* Memory of a batch, which stands on no line yet. */
void ml_line_state_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          struct ml_line_state *line);

/* Before a batch: its runs begin by themselves, or go on from those that ended. */
void ml_line_state_begin(const struct ml_ensemble *ensemble, struct ml_line_state *line);
void ml_line_state_go_on(const struct ml_ensemble *ensemble, struct ml_line_state *line);

/* Numbers of the run in a lane: as ml_ensemble.values, with the start that it has on its line. */
void ml_line_state_values(const struct ml_ensemble *ensemble, const struct ml_line_state *line,
                          int64_t first, int lane, double *values);

/* Keeps the ends of some lanes, of which batch->state is the state. */
void ml_line_state_keep_end(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes);

/* Sets the state in a run's values, in place of any start: the energy of one is no longer given. */
void ml_start_set(const struct ml_ensemble *ensemble, const double *state, int stride,
                  double *values);

#endif
