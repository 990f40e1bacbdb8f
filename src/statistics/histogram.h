/* Counts of numbers in bins of equal width. */
#ifndef ML_STATISTICS_HISTOGRAM_H
#define ML_STATISTICS_HISTOGRAM_H

#include <stdint.h>

/* Number of bins for n numbers by Rice's rule: the least k with k^3 >= 8 n; 1 of no number. */
int ml_histogram_bins(int64_t n);

/* Ends of bins of equal width from min to max; of min = max from min - 0.5 to max + 0.5, as numpy.
 *   edges  [n_bin + 1] out, ascending */
void ml_histogram_edges(double min, double max, int n_bin, double *edges);

/* Numbers in [edges[k], edges[k + 1]) for each bin; the last bin has its upper end too.
 *   ascending  [n] inside the edges
 *   counts     [n_bin] out, whole numbers */
void ml_histogram_count(const double *ascending, int64_t n, int n_bin, const double *edges,
                        double *counts);

#endif
