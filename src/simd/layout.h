/* Size of a batch: the one thing about lanes that code outside kernels may know. */
#ifndef ML_SIMD_LAYOUT_H
#define ML_SIMD_LAYOUT_H

/* Runs per batch on every instruction set: enough for several vectors in flight, 16 doubles being
 * two vectors of the widest set. A batched quantity with n components is an array [n][ML_LANES] of
 * double, 64-byte aligned: one row, two cache lines, per component. */
#define ML_LANES 16

/* Every lane of a batch, as a mask with lane 0 in bit 0. */
#define ML_ALL_LANES ((1u << ML_LANES) - 1u)

/* Row of element (i, j), i >= j, of a symmetric matrix kept as packed lower triangle. */
static inline int ml_tri(int i, int j) { return i * (i + 1) / 2 + j; }

#endif
