/* Floating-point operations of one RK4 step of one run, as the sources have them. */
#ifndef ML_BENCH_FLOPS_H
#define ML_BENCH_FLOPS_H

#include "linalg/solve.h"

/* For a chain of n segments without joint torques, `recursive` or `interleaved` solver. An
 * addition, subtraction, multiplication or division counts 1, a fused multiply-add 2; negations,
 * comparisons, selections, integer work and everything that is not done at every step count 0. */
double ml_bench_flops_rk4(int n, enum ml_solver_kind solver);

/* Of one sine and cosine. */
double ml_bench_flops_sincos(void);

#endif
