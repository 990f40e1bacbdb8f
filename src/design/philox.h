/* Philox4x32-10: random numbers from a counter, without a state.
 *
 * Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011). */
#ifndef ML_DESIGN_PHILOX_H
#define ML_DESIGN_PHILOX_H

#include <stdint.h>

struct ml_philox {
    uint32_t word[4];
};

/* 128 random bits: a function of counter and key only. */
struct ml_philox ml_philox(const uint32_t counter[4], const uint32_t key[2]);

#endif
