/* Chooses trajectories by their distances. */
#include "design/trajectories.h"

#include <math.h>
#include <stdbool.h>

/* The candidates, in levels, which are whole numbers: sums of their squares are exact. */
struct candidates {
    int n;               /* inputs */
    double *start, *end; /* [candidate][n] level before and after the input has moved */
    int *mover;          /* [candidate][n] input that moves from row i to row i + 1 */
};

static void find_candidates(const struct ml_sample_points *points, const struct candidates *c)
{
    struct ml_sample_points all = *points;
    const double scale = (double)(points->levels - 1);
    const int n = c->n;
    all.chosen = NULL;
    for (int64_t a = 0; a < points->n_candidate; a++)
        for (int i = 0; i < n; i++) {
            const int64_t first = a * (n + 1), at = a * n;
            c->start[at + i] = nearbyint(scale * ml_sample_input(&all, first, i));
            c->end[at + i] = nearbyint(scale * ml_sample_input(&all, first + n, i));
            c->mover[at + ml_morris_turn(&all, a, i)] = i;
        }
}

static double square_of(double x) { return x * x; }

/* Sum of the distances of all pairs of points of trajectories a and b, in levels: along b one
 * coordinate of a pair changes from row to row.
 *   row  [n] */
static double trajectories_apart(const struct candidates *c, int64_t a, int64_t b, double *row)
{
    const int n = c->n;
    const double *start = c->start + b * n, *end = c->end + b * n;
    const int *mover = c->mover + b * n;
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        row[k] = c->start[a * n + k];
    for (int i = 0; i <= n; i++) {
        double square = 0.0;
        for (int k = 0; k < n; k++)
            square += square_of(row[k] - start[k]);
        sum += sqrt(square);
        for (int j = 0; j < n; j++) {
            const int k = mover[j];
            square += square_of(row[k] - end[k]) - square_of(row[k] - start[k]);
            sum += sqrt(square);
        }
        if (i < n)
            row[c->mover[a * n + i]] = c->end[a * n + c->mover[a * n + i]];
    }
    return sum;
}

static void find_distances(const struct candidates *c, int64_t m, double *distance, double *row)
{
    for (int64_t a = 0; a < m; a++)
        for (int64_t b = 0; b <= a; b++)
            distance[a * m + b] = distance[b * m + a] =
                a == b ? 0.0 : trajectories_apart(c, a, b, row);
}

int64_t ml_trajectories_most(int n_input)
{
    const double most = 0x1p30; /* coordinates of pairs of points: some seconds */
    const double n = (double)n_input;
    return (int64_t)sqrt(2.0 * most / ((n + 1.0) * (2.0 * n + 1.0)));
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
    const struct candidates c = {.n = points->n_input,
                                 .start = ml_pool_take(&scratch, m * n, sizeof(double)),
                                 .end = ml_pool_take(&scratch, m * n, sizeof(double)),
                                 .mover = ml_pool_take(&scratch, m * n, sizeof(int))};
    double *row = ml_pool_take(&scratch, n, sizeof *row);
    int64_t *chosen = ml_pool_take(pool, (size_t)points->n_point, sizeof *chosen);
    if (distance && c.start && c.end && c.mover && row && chosen) {
        find_candidates(points, &c);
        find_distances(&c, points->n_candidate, distance, row);
        chosen[0] = find_first(distance, points->n_candidate);
        for (int64_t i = 1; i < points->n_point; i++)
            chosen[i] = find_farthest(distance, points->n_candidate, chosen, i);
        sort(chosen, points->n_point);
        points->chosen = chosen;
    }
    pool->is_short |= scratch.is_short;
    ml_pool_free(&scratch);
}
