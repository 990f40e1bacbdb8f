/* Lines of runs, each of which begins as the one before it ended. Each lane integrates one line.
 * The end is given by the state quantities: a run that begins there by its own numbers is the
 * same. */
#ifndef ML_ENGINE_CONTINUATION_H
#define ML_ENGINE_CONTINUATION_H

#include "engine/team/batch.h"

/* Called after each batch with its n runs and the steps of all of them; returns false to stop. */
typedef bool ml_continued_fn(void *context, int64_t steps, int n);

/* Lines that are integrated side by side: n (<= ML_LANES) of them, of which the first begins with
 * run `first`, for as many positions. */
struct ml_lines {
    int64_t first;
    int n;
    int64_t n_position;
};

/* Integrates lines, and writes their results into the block. False if it was ended, or told to drop
 * its work. */
bool ml_continuation(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     struct ml_lines lines, struct ml_block *block, ml_continued_fn *continued,
                     void *context);

/* Whether a run begins by itself. */
bool ml_continuation_begins(const struct ml_continuation *continuation, int64_t run);

/* The values with which a run can be computed by itself, found by integrating its line up to there.
 *   values  [n_value] */
enum ml_status ml_continuation_find_values(const struct ml_ensemble *ensemble, int64_t run,
                                           double *values, struct ml_error *err);

#endif
