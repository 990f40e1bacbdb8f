/* Bins of sorted numbers: each number is compared with the edges themselves. */
#include "statistics/histogram.h"

int ml_histogram_bins(int64_t n)
{
    int64_t k = 1;
    while (k * k * k / 8 < n) /* k^3 >= 8 n, without overflow of 8 n */
        k++;
    return (int)k;
}

void ml_histogram_edges(double min, double max, int n_bin, double *edges)
{
    const double low = min < max ? min : min - 0.5, high = min < max ? max : max + 0.5;
    edges[0] = low;
    edges[n_bin] = high;
    for (int k = 1; k < n_bin; k++) /* a difference of the ends could overflow */
        edges[k] = low * ((double)(n_bin - k) / n_bin) + high * ((double)k / n_bin);
}

void ml_histogram_count(const double *ascending, int64_t n, int n_bin, const double *edges,
                        double *counts)
{
    int64_t i = 0;
    for (int k = 0; k < n_bin; k++) {
        const int64_t first = i;
        while (i < n && (k == n_bin - 1 || ascending[i] < edges[k + 1]))
            i++;
        counts[k] = (double)(i - first);
    }
}
