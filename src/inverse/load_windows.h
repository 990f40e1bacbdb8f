/* Laws of forces with the pieces of their tables that a motion needs. */
#ifndef ML_INVERSE_LOAD_WINDOWS_H
#define ML_INVERSE_LOAD_WINDOWS_H

#include "engine/team/ensemble.h"
#include "yaml/pool.h"

/* The model's laws for each batch of ML_LANES instants of a motion, [batch][n_law]: their tables
 * have the pieces at these instants alone, so that a piece is found among ML_LANES pieces instead
 * of all samples of a plate. Forces are those of the whole tables, to the bit. NULL without memory.
 *   model  its laws see the present; borrowed with its tables
 *   time   [n_time] s, ascending
 *   pool   owns the laws */
const struct ml_law *ml_load_windows(const struct ml_instance *model, int64_t n_time,
                                     const double *time, struct ml_pool *pool);

#endif
