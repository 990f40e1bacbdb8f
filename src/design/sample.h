/* Points of a sample in the unit cube: each coordinate is a function of seed, run and quantity. */
#ifndef ML_DESIGN_SAMPLE_H
#define ML_DESIGN_SAMPLE_H

#include <stdint.h>

#include "design/axis.h"

enum { ML_HALTON_DIMENSIONS = 32 };

/* Coordinate `quantity` of run `run` of `count`, in [0, 1). */
double ml_sample(enum ml_sampling sampling, uint64_t seed, int64_t count, int64_t run,
                 int quantity);

/* A permutation of 0 .. count-1 that depends on seed and quantity; no table. */
int64_t ml_permuted(uint64_t seed, int quantity, int64_t count, int64_t i);

#endif
