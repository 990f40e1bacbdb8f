/* Distances of the distribution of an output in slices of an input to that of all runs. */
#ifndef ML_STATISTICS_PAWN_H
#define ML_STATISTICS_PAWN_H

#include <stdint.h>

enum { ML_PAWN_SLICES = 10 };

/* The slice of each rank of an input: from one tenth quantile to the next, without the runs at the
 * largest value, as in SALib's pawn.analyze; -1: in none.
 *   ascending  [n] values of the input
 *   slices     [n] out */
void ml_pawn_slices(const double *ascending, int64_t n, int8_t *slices);

/* A run of a sample or resample. */
struct ml_pawn_run {
    int32_t place; /* in the order of the output */
    int32_t times; /* that the run was drawn */
};

/* The distance, max |F_s - F| (Kolmogorov and Smirnov), of each slice; NaN of an empty slice.
 *   ascending  outputs in their order
 *   slices     of these
 *   runs       [n_run] ascending in place
 *   distances  [ML_PAWN_SLICES] out */
void ml_pawn_distances(const double *ascending, const int8_t *slices,
                       const struct ml_pawn_run *runs, int64_t n_run,
                       double distances[ML_PAWN_SLICES]);

/* The median of the distances of slices that are not empty; sorts these to the front. */
double ml_pawn_median(double distances[ML_PAWN_SLICES]);

#endif
