/* Evolution strategies side by side. Children are mean + size L z with the Cholesky factor L of the
 * covariance and standard normal z, and the path of the size is that of the chosen z (O. Krause, D.
 * Arbones, C. Igel, CMA-ES with optimal covariance update and storage complexity, NIPS 2016).
 * Beyond its ends the cube is mirrored, so that the strategy knows no bounds. */
#include "statistics/least.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "design/sample.h"
#include "manylink/fail.h"
#include "statistics/limit_state.h"

enum { CHILDREN = ML_LEAST_CHILDREN, PARENTS = CHILDREN / 2 };

static const double wide_size = 0.15, close_size = 0.05, again_size = 0.02, least_spread = 1e-7,
                    narrow = 1e-3, near_by = 0.02, least_change = 1e-12, least_range = 1e-13;

/* Numbers of the strategy by the tutorial's table 1. */
struct least_rates {
    double weights[PARENTS]; /* of the parents, with the sum 1 */
    double parents;          /* effective number */
    double path, size_path;  /* of the paths */
    double one, many;        /* of the covariance, by its path and by the parents */
    double damping;
    double length; /* mean length of a standard normal vector */
};

struct least_start {
    double *mean, *path, *size_path; /* [n] */
    double *covariance, *factor;     /* [n][n] lower triangles */
    double *scores, *moves;          /* [children][n] z and L z */
    double size, spread;
    int64_t generation,
        improved; /* the last in which the best improved by more than least_change */
    double *z;    /* [n] best point */
    struct ml_merit merit;
    bool is_at_end, is_again; /* begun once more at the best point */
};

struct least_search {
    const struct ml_least_of *of;
    struct least_rates rates;
    struct least_start *starts, *best; /* [n_start]; NULL: no point was tried */
    double *z;                         /* [n_start][children][n] */
    struct ml_merit *merits;           /* [n_start][children] */
    int64_t n_point;
};

bool ml_merit_is_less(struct ml_merit a, struct ml_merit b)
{
    return a.rank < b.rank || (a.rank == b.rank && a.value < b.value);
}

static struct least_rates rates_of(int n)
{
    struct least_rates r = {.parents = 0.0};
    const double d = n;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < PARENTS; i++)
        sum += r.weights[i] = log(0.5 * (CHILDREN + 1)) - log(i + 1.0);
    for (int i = 0; i < PARENTS; i++) {
        r.weights[i] /= sum;
        squares += r.weights[i] * r.weights[i];
    }
    const double parents = r.parents = 1.0 / squares;
    r.path = (4.0 + parents / d) / (d + 4.0 + 2.0 * parents / d);
    r.size_path = (parents + 2.0) / (d + parents + 5.0);
    r.one = 2.0 / ((d + 1.3) * (d + 1.3) + parents);
    r.many = fmin(1.0 - r.one,
                  2.0 * (parents - 2.0 + 1.0 / parents) / ((d + 2.0) * (d + 2.0) + parents));
    r.damping = 1.0 + 2.0 * fmax(0.0, sqrt((parents - 1.0) / (d + 1.0)) - 1.0) + r.size_path;
    r.length = sqrt(d) * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));
    return r;
}

/* Begins at a point; generations, and their draws, count from before. */
static void begin(struct least_start *s, int n, const double *mean, double size)
{
    s->size = size;
    for (int i = 0; i < n; i++) {
        s->mean[i] = mean[i];
        s->path[i] = s->size_path[i] = 0.0;
        for (int j = 0; j <= i; j++)
            s->covariance[i * n + j] = i == j;
    }
}

static bool begin_all(struct least_search *s, struct ml_pool *pool)
{
    const struct ml_least_of *of = s->of;
    const size_t n = (size_t)of->n, most = (size_t)of->n_start * CHILDREN;
    s->rates = rates_of(of->n);
    s->starts = ml_pool_take(pool, (size_t)of->n_start, sizeof *s->starts);
    s->z = ml_pool_take(pool, most * n, sizeof *s->z);
    s->merits = ml_pool_take(pool, most, sizeof *s->merits);
    for (int k = 0; !pool->is_short && k < of->n_start; k++) {
        struct least_start *start = &s->starts[k];
        double *room = ml_pool_take(pool, n * (4 + 2 * n + 2 * CHILDREN), sizeof *room);
        if (!room)
            return false;
        start->mean = room;
        start->path = room + n;
        start->size_path = room + 2 * n;
        start->z = room + 3 * n;
        start->covariance = room + 4 * n;
        start->factor = start->covariance + n * n;
        start->scores = start->factor + n * n;
        start->moves = start->scores + n * CHILDREN;
        for (int i = 0; i < of->n; i++)
            start->z[i] = k ? ml_sample(ML_SOBOL, of->seed, of->n_start, k, i) : of->own[i];
        begin(start, of->n, start->z, k % 2 ? wide_size : close_size);
    }
    return !pool->is_short;
}

/* A coordinate of the mirrored cube in 0 .. 1. */
static double folded(double y)
{
    const double w = fabs(y) - 2.0 * floor(0.5 * fabs(y));
    return w > 1.0 ? 2.0 - w : w;
}

/* Draws the children of start k; false where the covariance is singular to rounding. */
static bool draw(const struct ml_least_of *of, struct least_start *s, int k, double *z)
{
    const int n = of->n;
    memcpy(s->factor, s->covariance, (size_t)n * (size_t)n * sizeof *s->factor);
    if (!ml_cholesky_factorise(n, n, 0.0, s->factor))
        return false;
    for (int c = 0; c < CHILDREN; c++)
        for (int i = 0; i < n; i++) {
            double move = 0.0;
            s->scores[c * n + i] =
                ml_normal_draw(of->seed, (s->generation * of->n_start + k) * CHILDREN + c, i);
            for (int j = 0; j <= i; j++)
                move += s->factor[i * n + j] * s->scores[c * n + j];
            s->moves[c * n + i] = move;
            z[c * n + i] = folded(s->mean[i] + s->size * move);
        }
    return true;
}

/* Moves mean, covariance and size to the better half of the children.
 *   order  [children] the best first */
static void adapt(const struct least_rates *r, struct least_start *s, int n, const int *order)
{
    double squares = 0.0, most = 0.0, *step = s->factor; /* [n], its numbers are used up */
    s->generation++;
    for (int i = 0; i < n; i++) {
        double score = 0.0;
        step[i] = 0.0;
        for (int p = 0; p < PARENTS; p++) {
            score += r->weights[p] * s->scores[order[p] * n + i];
            step[i] += r->weights[p] * s->moves[order[p] * n + i];
        }
        s->mean[i] += s->size * step[i];
        s->size_path[i] = (1.0 - r->size_path) * s->size_path[i] +
                          sqrt(r->size_path * (2.0 - r->size_path) * r->parents) * score;
        squares += s->size_path[i] * s->size_path[i];
    }
    const double faded = pow(1.0 - r->size_path, 2.0 * (double)s->generation);
    const bool moves = sqrt(squares / (1.0 - faded)) < (1.4 + 2.0 / (n + 1.0)) * r->length;
    const double kept = 1.0 - r->one - r->many + (moves ? 0.0 : r->one * r->path * (2.0 - r->path));
    for (int i = 0; i < n; i++)
        s->path[i] = (1.0 - r->path) * s->path[i] +
                     (moves ? sqrt(r->path * (2.0 - r->path) * r->parents) * step[i] : 0.0);
    s->size *= exp(fmin(1.0, r->size_path / r->damping * (sqrt(squares) / r->length - 1.0)));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double many = 0.0;
            for (int p = 0; p < PARENTS; p++)
                many += r->weights[p] * s->moves[order[p] * n + i] * s->moves[order[p] * n + j];
            s->covariance[i * n + j] =
                kept * s->covariance[i * n + j] + r->one * s->path[i] * s->path[j] + r->many * many;
        }
        most = fmax(most, s->covariance[i * n + i]);
    }
    s->spread = s->size * sqrt(most);
}

/* Takes the best child of a generation if none before was better. */
static void take_best(struct least_start *s, int n, const double *z, struct ml_merit merit)
{
    const struct ml_merit before = s->merit;
    if (s->generation > 0 && !ml_merit_is_less(merit, before))
        return;
    if (merit.rank < before.rank ||
        !(before.value - merit.value <= least_change * fabs(before.value)))
        s->improved = s->generation;
    s->merit = merit;
    memcpy(s->z, z, (size_t)n * sizeof *z);
}

/* A start learns of its children, and ends where nothing is left to find. */
static void learn(const struct least_search *s, struct least_start *start, const double *z,
                  const struct ml_merit *merits)
{
    const int n = s->of->n;
    int order[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        int k = i; /* of equals the first stays first */
        for (; k > 0 && ml_merit_is_less(merits[i], merits[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    const struct ml_merit best = merits[order[0]], worst = merits[order[CHILDREN - 1]];
    take_best(start, n, z + (int64_t)order[0] * n, best);
    adapt(&s->rates, start, n, order);
    const bool is_flat = worst.rank == ML_MERIT_MET && start->spread < narrow &&
                         worst.value - best.value <= least_range * fabs(worst.value);
    start->is_at_end = start->spread < least_spread || is_flat ||
                       start->generation - start->improved > 100 + 30 * (int64_t)n;
}

/* A generation of the starts that are left.
 *   n_left  out: how many were */
static enum ml_status step_all(struct least_search *s, int *n_left, struct ml_error *err)
{
    const struct ml_least_of *of = s->of;
    struct least_start *const end = s->starts + of->n_start;
    const int64_t size = (int64_t)CHILDREN * of->n;
    int64_t n = 0;
    for (struct least_start *k = s->starts; k < end; k++)
        if (!k->is_at_end)
            n += !(k->is_at_end = !draw(of, k, (int)(k - s->starts), s->z + n * size));
    *n_left = (int)n;
    if (n == 0 || s->n_point + n * CHILDREN > of->most)
        return ML_OK;
    const enum ml_status status = of->find(of->context, n * CHILDREN, s->z, s->merits, err);
    if (status != ML_OK)
        return status;
    s->n_point += n * CHILDREN;
    n = 0;
    for (struct least_start *k = s->starts; k < end; k++) {
        if (k->is_at_end)
            continue;
        learn(s, k, s->z + n * size, s->merits + n * CHILDREN);
        n++;
        if (!s->best || ml_merit_is_less(k->merit, s->best->merit))
            s->best = k;
    }
    for (struct least_start *k = s->starts; k < end; k++)
        k->is_at_end |= k != s->best && k->spread < narrow;
    return ML_OK;
}

/* Begins once more at the best point, which its start may have left behind, or not have followed
 * along a constraint. False where the search is at its end. */
static bool begin_again(struct least_search *s)
{
    if (!s->best || s->best->is_again || s->best->merit.rank == ML_MERIT_NOTHING)
        return false;
    begin(s->best, s->of->n, s->best->z, again_size);
    s->best->improved = s->best->generation;
    s->best->is_at_end = false;
    return s->best->is_again = true;
}

enum ml_status ml_least_find(const struct ml_least_of *of, struct ml_pool *pool,
                             struct ml_least *out, struct ml_error *err)
{
    struct least_search s = {.of = of};
    int n_left = 1;
    *out = (struct ml_least){.spread = (double)NAN};
    if (!begin_all(&s, pool))
        return ml_fail(err, ML_E_MEMORY, "no memory for a search");
    enum ml_status status = ML_OK;
    for (bool goes_on = true; goes_on;) {
        const int64_t before = s.n_point;
        status = step_all(&s, &n_left, err);
        goes_on = status == ML_OK && (n_left > 0 ? s.n_point > before : begin_again(&s));
    }
    out->n_point = s.n_point;
    out->is_converged = status == ML_OK && n_left == 0;
    for (int k = 0; s.best && k < of->n_start; k++) {
        double far = 0.0;
        for (int i = 0; i < of->n; i++)
            far = fmax(far, fabs(s.starts[k].z[i] - s.best->z[i]));
        out->n_met += far < near_by;
        out->z = s.best->z;
        out->merit = s.best->merit;
        out->spread = s.best->spread;
    }
    return status;
}
