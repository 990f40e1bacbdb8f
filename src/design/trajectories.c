/* Chooses trajectories by their distances. */
#include "design/trajectories.h"

#include <math.h>
#include <stdbool.h>

/* Sum of the distances of all pairs of points of two trajectories [n + 1][n]. */
static double trajectories_apart(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            double square = 0.0;
            for (int k = 0; k < n; k++) {
                const double d = a[i * n + k] - b[j * n + k];
                square += d * d;
            }
            sum += sqrt(square);
        }
    return sum;
}

static void find_distances(const struct ml_sample_points *points, double *distance, double *u)
{
    struct ml_sample_points all = *points;
    const int n = points->n_input;
    const int64_t m = points->n_candidate, size = (int64_t)(n + 1) * n;
    all.chosen = NULL;
    for (int64_t run = 0; run < m * (n + 1); run++)
        for (int i = 0; i < n; i++)
            u[run * n + i] = ml_sample_input(&all, run, i);
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b <= a; b++)
            distance[a * m + b] = distance[b * m + a] =
                a == b ? 0.0 : trajectories_apart(u + a * size, u + b * size, n);
}

static bool is_chosen(const int64_t *chosen, int64_t n, int64_t candidate)
{
    for (int64_t i = 0; i < n; i++)
        if (chosen[i] == candidate)
            return true;
    return false;
}

/* The candidate that is farthest from the first n chosen. */
static int64_t find_farthest(const double *distance, int64_t m, const int64_t *chosen, int64_t n)
{
    int64_t best = 0;
    double most = -1.0;
    for (int64_t a = 0; a < m; a++) {
        double sum = 0.0;
        for (int64_t i = 0; i < n; i++)
            sum += distance[a * m + chosen[i]] * distance[a * m + chosen[i]];
        if (sum > most && !is_chosen(chosen, n, a)) {
            most = sum;
            best = a;
        }
    }
    return best;
}

static void sort(int64_t *chosen, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = i; j > 0 && chosen[j] < chosen[j - 1]; j--) {
            const int64_t own = chosen[j];
            chosen[j] = chosen[j - 1];
            chosen[j - 1] = own;
        }
}

/* The first of the two candidates that are farthest apart. */
static int64_t find_first(const double *distance, int64_t m)
{
    int64_t first = 0;
    double most = -1.0;
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b < a; b++)
            if (distance[a * m + b] > most) {
                most = distance[a * m + b];
                first = b;
            }
    return first;
}

void ml_trajectories_choose(struct ml_sample_points *points, struct ml_pool *pool)
{
    const size_t n = (size_t)points->n_input, m = (size_t)points->n_candidate;
    struct ml_pool scratch = {0};
    points->chosen = NULL;
    if (points->design != ML_DESIGN_MORRIS || m == 0)
        return;
    double *distance = ml_pool_take(&scratch, m * m, sizeof *distance);
    double *u = ml_pool_take(&scratch, m * (n + 1) * n, sizeof *u);
    int64_t *chosen = ml_pool_take(pool, (size_t)points->n_point, sizeof *chosen);
    if (distance && u && chosen) {
        find_distances(points, distance, u);
        chosen[0] = find_first(distance, points->n_candidate);
        for (int64_t i = 1; i < points->n_point; i++)
            chosen[i] = find_farthest(distance, points->n_candidate, chosen, i);
        sort(chosen, points->n_point);
        points->chosen = chosen;
    }
    pool->is_short |= scratch.is_short;
    ml_pool_free(&scratch);
}
