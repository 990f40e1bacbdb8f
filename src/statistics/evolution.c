/* A generation of the evolution strategy: its children, and the step to the next one. */
#include "statistics/evolution.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "statistics/limit_state.h"

enum { PARENTS = ML_EVOLUTION_CHILDREN / 2 };

/* Numbers of the strategy by the tutorial's table 1. */
struct evolution_rates {
    double weights[PARENTS]; /* of the parents, with the sum 1 */
    double parents;          /* effective number */
    double path, size_path;  /* of the paths */
    double one, many;        /* of the covariance, by its path and by the parents */
    double damping;
    double length; /* mean length of a standard normal vector */
};

static struct evolution_rates evolution_rates(int n)
{
    struct evolution_rates r = {.parents = 0.0};
    const double d = n;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < PARENTS; i++) {
        r.weights[i] = log(0.5 * (ML_EVOLUTION_CHILDREN + 1)) - log(i + 1.0);
        sum += r.weights[i];
    }
    for (int i = 0; i < PARENTS; i++) {
        r.weights[i] /= sum;
        squares += r.weights[i] * r.weights[i];
    }
    r.parents = 1.0 / squares;
    r.path = (4.0 + r.parents / d) / (d + 4.0 + 2.0 * r.parents / d);
    r.size_path = (r.parents + 2.0) / (d + r.parents + 5.0);
    r.one = 2.0 / ((d + 1.3) * (d + 1.3) + r.parents);
    r.many = fmin(1.0 - r.one,
                  2.0 * (r.parents - 2.0 + 1.0 / r.parents) / ((d + 2.0) * (d + 2.0) + r.parents));
    r.damping = 1.0 + 2.0 * fmax(0.0, sqrt((r.parents - 1.0) / (d + 1.0)) - 1.0) + r.size_path;
    r.length = sqrt(d) * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));
    return r;
}

bool ml_evolution_begin(struct ml_evolution *e, struct ml_pool *pool, int n, const double *mean,
                        double size)
{
    const size_t d = (size_t)n;
    *e = (struct ml_evolution){
        .n = n,
        .size = size,
        .mean = ml_pool_take(pool, d, sizeof(double)),
        .path = ml_pool_take(pool, d, sizeof(double)),
        .size_path = ml_pool_take(pool, d, sizeof(double)),
        .covariance = ml_pool_take(pool, d * d, sizeof(double)),
        .factor = ml_pool_take(pool, d * d, sizeof(double)),
        .scores = ml_pool_take(pool, ML_EVOLUTION_CHILDREN * d, sizeof(double)),
        .moves = ml_pool_take(pool, ML_EVOLUTION_CHILDREN * d, sizeof(double)),
        .sums = ml_pool_take(pool, 2 * d, sizeof(double)),
    };
    if (pool->is_short)
        return false;
    ml_evolution_reset(e, mean, size);
    return true;
}

void ml_evolution_reset(struct ml_evolution *e, const double *mean, double size)
{
    const int n = e->n;
    e->size = size;
    memcpy(e->mean, mean, (size_t)n * sizeof *mean);
    for (int i = 0; i < n; i++) {
        e->path[i] = e->size_path[i] = 0.0;
        for (int j = 0; j < n; j++)
            e->covariance[i * n + j] = i == j;
    }
}

/* A coordinate of the mirrored cube in 0 .. 1. */
static double folded(double y)
{
    const double w = fabs(y) - 2.0 * floor(0.5 * fabs(y));
    return w > 1.0 ? 2.0 - w : w;
}

bool ml_evolution_draw(struct ml_evolution *e, uint64_t seed, int64_t first, double *z)
{
    const int n = e->n;
    memcpy(e->factor, e->covariance, (size_t)n * (size_t)n * sizeof *e->factor);
    if (!ml_cholesky_factorise(n, n, 0.0, e->factor))
        return false;
    for (int c = 0; c < ML_EVOLUTION_CHILDREN; c++)
        for (int i = 0; i < n; i++) {
            double move = 0.0;
            e->scores[c * n + i] = ml_normal_draw(seed, first + c, i);
            for (int j = 0; j <= i; j++)
                move += e->factor[i * n + j] * e->scores[c * n + j];
            e->moves[c * n + i] = move;
            z[c * n + i] = folded(e->mean[i] + e->size * move);
        }
    return true;
}

/* C by its path and by the moves of the parents.
 *   kept  that part of C's weight which a halted path leaves to C */
static void adapt_covariance(struct ml_evolution *e, const struct evolution_rates *r,
                             const int *order, double kept)
{
    const int n = e->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double many = 0.0;
            for (int p = 0; p < PARENTS; p++)
                many += r->weights[p] * e->moves[order[p] * n + i] * e->moves[order[p] * n + j];
            e->covariance[i * n + j] = (1.0 - r->one - r->many + kept) * e->covariance[i * n + j] +
                                       r->one * e->path[i] * e->path[j] + r->many * many;
        }
}

void ml_evolution_learn(struct ml_evolution *e, const int *order)
{
    const int n = e->n;
    const struct evolution_rates r = evolution_rates(n);
    double *score = e->sums, *move = e->sums + n, squares = 0.0;
    e->generation++;
    for (int i = 0; i < n; i++) {
        score[i] = move[i] = 0.0;
        for (int p = 0; p < PARENTS; p++) {
            score[i] += r.weights[p] * e->scores[order[p] * n + i];
            move[i] += r.weights[p] * e->moves[order[p] * n + i];
        }
        e->mean[i] += e->size * move[i];
        e->size_path[i] = (1.0 - r.size_path) * e->size_path[i] +
                          sqrt(r.size_path * (2.0 - r.size_path) * r.parents) * score[i];
        squares += e->size_path[i] * e->size_path[i];
    }
    const double faded = pow(1.0 - r.size_path, 2.0 * (double)e->generation);
    const bool moves = sqrt(squares / (1.0 - faded)) < (1.4 + 2.0 / (n + 1.0)) * r.length;
    for (int i = 0; i < n; i++)
        e->path[i] = (1.0 - r.path) * e->path[i] +
                     (moves ? sqrt(r.path * (2.0 - r.path) * r.parents) * move[i] : 0.0);
    adapt_covariance(e, &r, order, moves ? 0.0 : r.one * r.path * (2.0 - r.path));
    e->size *= exp(fmin(1.0, r.size_path / r.damping * (sqrt(squares) / r.length - 1.0)));
}

double ml_evolution_spread(const struct ml_evolution *e)
{
    double most = 0.0;
    for (int i = 0; i < e->n; i++)
        most = fmax(most, e->covariance[i * e->n + i]);
    return e->size * sqrt(most);
}
