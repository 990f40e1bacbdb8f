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

/* Slices, and a place that runs of no slice, -1, have too. */
enum { N_PLACE = 16 };

/* A slice, or all runs. */
struct share {
    double n, part; /* runs, and 1 / n */
    double below;   /* runs up to some output */
    double most;    /* distance so far */
};

/* |F_s - F|. Most are far below the largest distance, which products show without a division. */
static inline void visit(struct share *s, const struct share *all)
{
    const double slack = 1e-14; /* more than products and quotients differ by */
    if (fabs(s->below * s->part - all->below * all->part) > s->most - slack)
        s->most = fmax(s->most, fabs(s->below / s->n - all->below / all->n));
}

/* Distances at the numbers of a group of equal outputs: F_s and F before the group, and behind.
 * Between outputs of a slice F alone grows: the largest distance is at one of these. */
static void visit_equal(const int8_t *slices, const struct ml_pawn_run *runs, int64_t n,
                        struct share *shares, struct share *all)
{
    for (int64_t k = 0; k < n; k++)
        visit(&shares[slices[runs[k].place] & (N_PLACE - 1)], all);
    for (int64_t k = 0; k < n; k++) {
        shares[slices[runs[k].place] & (N_PLACE - 1)].below += runs[k].times;
        all->below += runs[k].times;
    }
    for (int64_t k = 0; k < n; k++)
        visit(&shares[slices[runs[k].place] & (N_PLACE - 1)], all);
}

void ml_pawn_distances(const double *ascending, const int8_t *slices,
                       const struct ml_pawn_run *runs, int64_t n_run,
                       double distances[ML_PAWN_SLICES])
{
    struct share shares[N_PLACE] = {{0}}, all = {0};
    for (int64_t k = 0; k < n_run; k++) {
        shares[slices[runs[k].place] & (N_PLACE - 1)].n += runs[k].times;
        all.n += runs[k].times;
    }
    all.part = 1.0 / all.n;
    for (int s = 0; s < N_PLACE; s++)
        shares[s].part = 1.0 / shares[s].n;
    for (int64_t first = 0, end; first < n_run; first = end) {
        const double y = ascending[runs[first].place];
        end = first + 1;
        while (end < n_run && ascending[runs[end].place] == y)
            end++;
        visit_equal(slices, runs + first, end - first, shares, &all);
    }
    for (int s = 0; s < ML_PAWN_SLICES; s++)
        distances[s] = shares[s].n > 0.0 ? shares[s].most : (double)NAN;
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
