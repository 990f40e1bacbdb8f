/* Size of a batch: the one thing about lanes that code outside kernels may know. */
#ifndef ML_SIMD_LAYOUT_H
#define ML_SIMD_LAYOUT_H

/* Runs per batch on every instruction set: enough for several vectors in flight, 16 doubles being
 * two vectors of the widest set. A batched quantity with n components is an array [n][ML_LANES] of
 * double, 64-byte aligned: one row, two cache lines, per component. */
#define ML_LANES 16

/* Every lane of a batch, as a mask with lane 0 in bit 0. */
#define ML_ALL_LANES ((1u << ML_LANES) - 1u)

/* The first of some lanes from `lane` on; ML_LANES: all are before. */
static inline int ml_lane_from(unsigned lanes, int lane)
{
    return lanes >> lane ? lane + __builtin_ctz(lanes >> lane) : ML_LANES;
}

/* For each of these lanes; they may change on the way. */
#define ML_EACH_LANE(lane, lanes) \
    for (int lane = ml_lane_from(lanes, 0); lane < ML_LANES; lane = ml_lane_from(lanes, lane + 1))

/* Copies n rows from one lane to another; in some lanes. */
static inline void ml_lane_copy(int n, const double *from, int lane, double *to, int to_lane)
{
    for (int i = 0; i < n; i++)
        to[i * ML_LANES + to_lane] = from[i * ML_LANES + lane];
}

static inline void ml_lanes_copy(int n, const double *from, unsigned lanes, double *to)
{
    ML_EACH_LANE(lane, lanes & ML_ALL_LANES)
        ml_lane_copy(n, from, lane, to, lane);
}

/* Row of element (i, j), i >= j, of a symmetric matrix kept as packed lower triangle. */
static inline int ml_tri(int i, int j) { return i * (i + 1) / 2 + j; }

#endif
