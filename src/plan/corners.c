/* A few runs for checks that cannot examine all runs. */
#include "plan/corners.h"

#include "config/values.h"

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
    int64_t stride = spec->n_run;
    for (int a = 0; a < spec->n_axis; a++) {
        const struct ml_axis *axis = &spec->axes[a];
        const int n_end = axis->kind == ML_AXIS_EACH ? 2 * (axis->n_swept - 1) : 0;
        stride /= axis->count;
        for (int end = 0; end < n_end && n < ML_MOST_CORNERS; end++)
            runs[n++] = stride * extreme(axis, 1 + end / 2, end % 2 == 1);
    }
    return n;
}

/* Corners of a grid by the first key of each axis: all of them up to four axes; and the ends of the
 * other keys. */
static int find_corners(const struct ml_study_spec *spec, int64_t *runs)
{
    const int n_bit = spec->n_axis < 4 ? spec->n_axis : 4;
    for (int corner = 0; corner < 1 << n_bit; corner++) {
        int64_t run = 0;
        for (int a = 0; a < spec->n_axis; a++) {
            const bool is_largest = (corner >> a % 4 & 1) != (a / 4 & 1);
            run = run * spec->axes[a].count + extreme(&spec->axes[a], 0, is_largest);
        }
        runs[corner] = run;
    }
    return add_further_keys(spec, 1 << n_bit, runs);
}

/* Of a sample the first run, and among the first of all those where a quantity is smallest and
 * largest. */
static int find_points(const struct ml_study_spec *spec, struct ml_pool *pool, int64_t *runs)
{
    const struct ml_axis *axis = &spec->axes[0];
    const int64_t n_run = axis->count < MOST_SEARCHED ? axis->count : MOST_SEARCHED;
    double *point = ml_pool_take(pool, (size_t)axis->n_swept, sizeof *point);
    double best[ML_MOST_CORNERS] = {0.0};
    int n = 1;
    for (int i = 0; i < ML_MOST_CORNERS; i++)
        runs[i] = 0;
    for (int64_t run = 0; run < n_run && point; run++) {
        ml_study_swept(spec, run, point);
        n = 1;
        for (int q = 0; q < axis->n_swept && n + 2 <= ML_MOST_CORNERS; q++)
            for (int side = 0; side < 2; side++, n++) {
                const double value = side ? point[q] : -point[q];
                if (run == 0 || value > best[n]) {
                    best[n] = value;
                    runs[n] = run;
                }
            }
    }
    return n;
}

int ml_corners(const struct ml_study_spec *spec, struct ml_pool *pool,
               int64_t runs[ML_MOST_CORNERS])
{
    runs[0] = 0;
    if (spec->n_axis == 0)
        return 1;
    return spec->sampling == ML_GRID ? find_corners(spec, runs) : find_points(spec, pool, runs);
}
