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

/* The distance, max |F_s - F| (Kolmogorov and Smirnov), of each slice; NaN of an empty slice.
 *   y          [n] ascending outputs
 *   slices     [n] of these
 *   distances  [ML_PAWN_SLICES] out */
void ml_pawn_distances(const double *y, const int8_t *slices, int64_t n,
                       double distances[ML_PAWN_SLICES]);

/* The median of the distances of slices that are not empty; sorts these to the front. */
double ml_pawn_median(double distances[ML_PAWN_SLICES]);

#endif
