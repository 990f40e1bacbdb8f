/* Systems of n degrees of freedom: what `arrays` say of any n, as the system of one study. */
#ifndef ML_CONFIG_EXPAND_H
#define ML_CONFIG_EXPAND_H

#include "model/system.h"
#include "yaml/pool.h"

/* `like` with the numbers of its arrays as params, by name: mass.wheel.body is row wheel, column
 * body. Of a pair in a symmetric matrix the first comes first. Advanced by the kernels of `like`;
 * belongs to `pool`. NULL without memory.
 *   names  [n] of the degrees of freedom */
const struct ml_system *ml_expand(struct ml_pool *pool, const struct ml_system *like, int n,
                                  const char *const *names);

/* First param of an array. */
int ml_expand_first(const struct ml_system *system, int i_array, int n);

#endif
