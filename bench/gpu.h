/* Our kernels with the GPU of this machine beside all of its threads. */
#ifndef ML_BENCH_GPU_H
#define ML_BENCH_GPU_H

#include "bench.h"
#include "engine/team/ensemble.h"

/* Compares end states of some runs of the ensemble bit for bit, then the speed of all threads with
 * and without the GPU. Without a GPU a note says why, and false is returned. */
bool ml_bench_gpu(struct ml_bench *bench, const struct ml_ensemble *ensemble, double seconds);

#endif
