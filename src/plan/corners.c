/* A few runs for checks that cannot examine all runs. */
#include "plan/plausibility.h"

#include <math.h>

enum { MOST_SEARCHED = 4096 };

/* Where a key of an axis is smallest, or largest. */
static int64_t extreme(const struct ml_axis *axis, int key, bool is_largest)
{
    const struct ml_swept *swept = &axis->swept[key];
    int64_t best = 0;
    if (axis->is_range)
        return is_largest == (swept->high > swept->low) ? axis->count - 1 : 0;
    for (int64_t k = 1; k < axis->count; k++)
        if (is_largest ? swept->values[k] > swept->values[best]
                       : swept->values[k] < swept->values[best])
            best = k;
    return best;
}

/* Adds runs where the keys of lists of values but the first are at their ends, and every other axis
 * at its first value, while there is room. Returns how many runs there are then. */
static int add_further_keys(const struct ml_study_spec *spec, int n, int64_t *runs)
{
    int64_t stride = spec->runs.n;
    for (int a = 0; a < spec->runs.n_axis; a++) {
        const struct ml_axis *axis = &spec->runs.axes[a];
        const int n_end = axis->kind == ML_AXIS_EACH && !axis->sample ? 2 * (axis->n_swept - 1) : 0;
        stride /= axis->count;
        for (int end = 0; end < n_end && n < ML_MOST_CORNERS; end++)
            runs[n++] = stride * extreme(axis, 1 + end / 2, end % 2 == 1);
    }
    return n;
}

/* Corners of a grid by the first key of each axis: all of them up to four axes; and the ends of the
 * other keys. */
static int find_corners(const struct ml_study_spec *spec, int n_grid, int64_t *runs)
{
    const int most = spec->runs.sample ? 3 : 4; /* room for points of the sample */
    const int n_bit = n_grid < most ? n_grid : most;
    for (int corner = 0; corner < 1 << n_bit; corner++) {
        int64_t run = 0;
        for (int a = 0; a < spec->runs.n_axis; a++) {
            const bool is_largest = (corner >> a % most & 1) != (a / most & 1);
            run = run * spec->runs.axes[a].count +
                  (a < n_grid ? extreme(&spec->runs.axes[a], 0, is_largest) : 0);
        }
        runs[corner] = run;
    }
    return add_further_keys(spec, 1 << n_bit, runs);
}

/* Adds runs of a sample, at the first values of the axes of a grid: among the first points those
 * where a quantity is smallest and largest, while there is room. */
static int add_points(const struct ml_axis *axis, int n, int64_t *runs)
{
    const int64_t n_run = axis->count < MOST_SEARCHED ? axis->count : MOST_SEARCHED;
    for (int q = 0; q < axis->n_swept && n + 2 <= ML_MOST_CORNERS; q++, n += 2) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (int64_t k = 0; k < n_run; k++) {
            const double value = ml_axis_value(axis, q, k);
            runs[n] = value < least ? k : runs[n];
            runs[n + 1] = value > most ? k : runs[n + 1];
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    return n;
}

int ml_corners(const struct ml_study_spec *spec, int64_t runs[ML_MOST_CORNERS])
{
    const int n_grid = spec->runs.n_axis - (spec->runs.sample ? 1 : 0);
    int n = 1;
    for (int i = 0; i < ML_MOST_CORNERS; i++)
        runs[i] = 0;
    if (n_grid > 0)
        n = find_corners(spec, n_grid, runs);
    return spec->runs.sample ? add_points(ml_study_spec_sample(spec), n, runs) : n;
}
