/* F. Pianosi, T. Wagener, A simple and efficient method for global sensitivity analysis based on
 * cumulative distribution functions, Environ. Model. Softw. 67, 1 (2015). */
#include "statistics/pawn.h"

#include <math.h>

#include "statistics/quantile.h"

void ml_pawn_slices(const double *ascending, int64_t n, int8_t *slices)
{
    double bounds[ML_PAWN_SLICES + 1];
    int slice = 0;
    for (int s = 0; s <= ML_PAWN_SLICES; s++)
        bounds[s] = ml_quantile(ascending, n, fmin(s * 0.1, 1.0));
    for (int64_t j = 0; j < n; j++) {
        while (slice < ML_PAWN_SLICES && ascending[j] >= bounds[slice + 1])
            slice++;
        slices[j] = (int8_t)(slice < ML_PAWN_SLICES ? slice : -1);
    }
}

/* Distances at the numbers of a group of equal outputs, first .. end - 1: F_s and F before the
 * group, and behind. Between outputs of a slice F alone grows: the largest distance is at one of
 * these. */
static void visit_equal(const int8_t *slices, int64_t first, int64_t end, int64_t n,
                        const int64_t *sizes, int64_t *counts, double *distances)
{
    for (int side = 0; side < 2; side++) {
        const double whole = (double)(side ? end : first) / (double)n;
        for (int64_t j = first; side && j < end; j++)
            if (slices[j] >= 0)
                counts[slices[j]]++;
        for (int64_t j = first; j < end; j++) {
            const int8_t s = slices[j];
            const double distance =
                s < 0 ? 0.0 : fabs((double)counts[s] / (double)sizes[s] - whole);
            if (s >= 0 && distance > distances[s])
                distances[s] = distance;
        }
    }
}

void ml_pawn_distances(const double *y, const int8_t *slices, int64_t n,
                       double distances[ML_PAWN_SLICES])
{
    int64_t sizes[ML_PAWN_SLICES] = {0}, counts[ML_PAWN_SLICES] = {0};
    for (int64_t j = 0; j < n; j++)
        if (slices[j] >= 0)
            sizes[slices[j]]++;
    for (int s = 0; s < ML_PAWN_SLICES; s++)
        distances[s] = sizes[s] > 0 ? 0.0 : (double)NAN;
    for (int64_t first = 0, end; first < n; first = end) {
        end = first + 1;
        while (end < n && y[end] == y[first])
            end++;
        visit_equal(slices, first, end, n, sizes, counts, distances);
    }
}

double ml_pawn_median(double distances[ML_PAWN_SLICES])
{
    int n = 0;
    for (int s = 0; s < ML_PAWN_SLICES; s++) {
        const double distance = distances[s];
        int k = n;
        if (isnan(distance))
            continue;
        for (; k > 0 && distances[k - 1] > distance; k--)
            distances[k] = distances[k - 1];
        distances[k] = distance;
        n++;
    }
    return n > 0 ? 0.5 * (distances[(n - 1) / 2] + distances[n / 2]) : (double)NAN;
}
