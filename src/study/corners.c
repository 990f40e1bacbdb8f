/* A few runs for what must not look at all of them. */
#include "study/corners.h"

#include "study/values.h"

enum { MOST_SEARCHED = 4096 };

/* Where a quantity of an axis is smallest, or largest. */
static int64_t extreme(const struct ml_axis *axis, bool is_largest)
{
    int64_t best = 0;
    if (axis->is_range)
        return is_largest == (axis->swept[0].high > axis->swept[0].low) ? axis->count - 1 : 0;
    for (int64_t k = 1; k < axis->count; k++)
        if (is_largest ? axis->swept[0].values[k] > axis->swept[0].values[best]
                       : axis->swept[0].values[k] < axis->swept[0].values[best])
            best = k;
    return best;
}

/* Corners of a grid: all of them up to four axes. */
static int find_corners(const struct ml_study *study, int64_t *runs)
{
    const int n_bit = study->n_axis < 4 ? study->n_axis : 4;
    for (int corner = 0; corner < 1 << n_bit; corner++) {
        int64_t run = 0;
        for (int a = 0; a < study->n_axis; a++) {
            const bool is_largest = (corner >> a % 4 & 1) != (a / 4 & 1);
            run = run * study->axes[a].count + extreme(&study->axes[a], is_largest);
        }
        runs[corner] = run;
    }
    return 1 << n_bit;
}

/* Of a sample the first run, and among the first of all those where a quantity is smallest and
 * largest. */
static int find_points(const struct ml_study *study, struct ml_pool *pool, int64_t *runs)
{
    const struct ml_axis *axis = &study->axes[0];
    const int64_t n_run = axis->count < MOST_SEARCHED ? axis->count : MOST_SEARCHED;
    double *point = ml_pool_take(pool, (size_t)axis->n_swept, sizeof *point);
    double best[ML_MOST_CORNERS] = {0.0};
    int n = 1;
    for (int i = 0; i < ML_MOST_CORNERS; i++)
        runs[i] = 0;
    for (int64_t run = 0; run < n_run && point; run++) {
        ml_study_swept(study, run, point);
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

int ml_corners(const struct ml_study *study, struct ml_pool *pool, int64_t runs[ML_MOST_CORNERS])
{
    runs[0] = 0;
    if (study->n_axis == 0)
        return 1;
    return study->sampling == ML_GRID ? find_corners(study, runs) : find_points(study, pool, runs);
}
