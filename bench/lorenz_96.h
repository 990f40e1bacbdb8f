/* Lorenz-96 with all exponents by hand: a contender of bench/compare.py. */
#ifndef ML_BENCH_LORENZ_96_H
#define ML_BENCH_LORENZ_96_H

#include <stdint.h>

/* N = 40, F = 8, from x = 8 but x_1 = 8 + 0.01 (1 + run): RK4 steps of 0.02 of the state, and of 40
 * tangent vectors, which are made orthonormal every 50 steps, as those of a study are. n_run is
 * rounded up to whole vectors exponents  may be NULL: bare; [40] out: of run 0 */
void ml_lorenz_96(int64_t n_run, int64_t n_step, double *exponents);

#endif
