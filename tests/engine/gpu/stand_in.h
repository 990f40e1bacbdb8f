/* Control of the stand-in for the library of a GPU's driver (stand_in.c), for tests that load it.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

/* What fails from now on; counts of calls begin again at 0. The environment's STAND_IN has the same
 * text for the time after loading.
 *   plan  words: FUNCTION N CODE: call N of that function, from 1 on, fails; `lost` behind these: so do all
 *         later calls; `delay MS`: each wait takes so long; `wrong`: kernels have a wrong bit; NULL
 * or "": nothing fails */
typedef void stand_in_plan_fn(const char *plan);

/* Contexts, modules, streams and pieces of memory that are there. */
typedef int stand_in_live_fn(void);

/* Calls of a function. */
typedef int stand_in_calls_fn(const char *function);

#endif
