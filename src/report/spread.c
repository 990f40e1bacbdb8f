/* Which runs a page has the motion of: a fixed rule, so that the same page comes out again. */
#include "report/parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"

/* The root of x^(d + 1) = x + 1 above 1: the golden ratio for d = 1, the plastic number for 2. */
static double spread_ratio(int d)
{
    double x = 2.0;
    for (int i = 0; i < 60; i++)
        x = pow(1.0 + x, 1.0 / (d + 1));
    return x;
}

/* Point i of the sequence as the number of a run. */
static int64_t spread_run(const int64_t *sizes, int n_axis, double ratio, int64_t i)
{
    int64_t run = 0;
    double step = 1.0;
    for (int k = 0; k < n_axis; k++) {
        step /= ratio;
        const double way = 0.5 + (double)i * step, part = way - floor(way);
        const int64_t at = (int64_t)(part * (double)sizes[k]);
        run = run * sizes[k] + (at < sizes[k] ? at : sizes[k] - 1);
    }
    return run;
}

/* Sorts [n] and leaves each once; returns how many there are. */
static int64_t spread_sort(int64_t *runs, int64_t n)
{
    int64_t kept = 0;
    qsort(runs, (size_t)n, sizeof *runs, ml_compare_int64);
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || runs[kept - 1] != runs[i])
            runs[kept++] = runs[i];
    return kept;
}

void ml_report_spread(const int64_t *sizes, int n_axis, int64_t n, int64_t *chosen)
{
    const double ratio = spread_ratio(n_axis);
    int64_t all = 1, found = 0, next = 0;
    for (int k = 0; k < n_axis; k++)
        all *= sizes[k];
    /* Points of a fine sequence may fall on the same run of a coarse grid: more are taken. */
    while (found < n && n < all && next < 64 * n) {
        while (found < n)
            chosen[found++] = spread_run(sizes, n_axis, ratio, next++);
        found = spread_sort(chosen, found);
    }
    for (int64_t run = 0; found < n && run < all; run++) /* all of them, or the first that lack */
        if (n >= all || !bsearch(&run, chosen, (size_t)found, sizeof run, ml_compare_int64)) {
            chosen[found++] = run;
            if (n < all)
                found = spread_sort(chosen, found);
        }
}
