/* Starts of an evolution strategy, side by side: a generation of all of them is a batch of points.
 */
#include "statistics/least.h"

#include <math.h>
#include <string.h>

#include "design/sample.h"
#include "manylink/fail.h"
#include "statistics/evolution.h"

static const double first_size = 0.15, again_size = 0.02, least_spread = 1e-7, narrow = 1e-3,
                    near_by = 0.02, least_change = 1e-12, least_range = 1e-13;

struct least_start {
    struct ml_evolution evolution;
    struct ml_merit merit; /* of its best point */
    double *z;             /* [n] that point */
    int64_t improved;      /* generation in which it became better by more than least_change */
    double spread;
    bool is_at_end, is_again; /* it has begun once more at its best point */
};

struct least_search {
    const struct ml_least_of *of;
    struct least_start *starts;
    double *z;               /* [n_start][children][n] */
    struct ml_merit *merits; /* [n_start][children] */
    int best;                /* start; -1: no point was tried */
    int64_t n_point;
};

bool ml_merit_is_less(struct ml_merit a, struct ml_merit b)
{
    return a.rank < b.rank || (a.rank == b.rank && a.value < b.value);
}

/* Children, the best first; of equals the first first. */
static void sort_children(const struct ml_merit *merits, int *order)
{
    for (int i = 0; i < ML_EVOLUTION_CHILDREN; i++) {
        int k = i;
        for (; k > 0 && ml_merit_is_less(merits[i], merits[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

static bool begin_starts(struct least_search *s, struct ml_pool *pool)
{
    const struct ml_least_of *of = s->of;
    const size_t n = (size_t)of->n, most = (size_t)of->n_start * ML_EVOLUTION_CHILDREN;
    double *mean = ml_pool_take(pool, n, sizeof *mean);
    s->starts = ml_pool_take(pool, (size_t)of->n_start, sizeof *s->starts);
    s->z = ml_pool_take(pool, most * n, sizeof *s->z);
    s->merits = ml_pool_take(pool, most, sizeof *s->merits);
    for (int k = 0; !pool->is_short && k < of->n_start; k++) {
        struct least_start *start = &s->starts[k];
        start->merit = (struct ml_merit){ML_MERIT_NOTHING, (double)INFINITY};
        start->z = ml_pool_take(pool, n, sizeof *start->z);
        for (int i = 0; i < of->n; i++)
            mean[i] = k > 0     ? ml_sample(ML_SOBOL, of->seed, of->n_start, k, i)
                      : of->own ? of->own[i]
                                : 0.5;
        if (!ml_evolution_begin(&start->evolution, pool, of->n, mean, first_size))
            return false;
    }
    return !pool->is_short;
}

/* Takes the best child of a generation if none before was better. */
static void take_best(struct least_search *s, struct least_start *start, const double *z,
                      struct ml_merit merit)
{
    const struct ml_merit before = start->merit;
    if (!ml_merit_is_less(merit, before) && start->evolution.generation > 0)
        return;
    if (merit.rank < before.rank ||
        !(before.value - merit.value <= least_change * fabs(before.value)))
        start->improved = start->evolution.generation;
    start->merit = merit;
    memcpy(start->z, z, (size_t)s->of->n * sizeof *z);
}

/* Whether a start has nothing left to find. */
static bool has_ended(const struct least_search *s, const struct least_start *start,
                      const struct ml_merit *best, const struct ml_merit *worst)
{
    const int64_t still = start->evolution.generation - start->improved;
    const bool is_flat = worst->rank == ML_MERIT_MET &&
                         worst->value - best->value <= least_range * fabs(worst->value) &&
                         start->spread < narrow;
    return start->spread < least_spread || is_flat || still > 100 + 30 * (int64_t)s->of->n;
}

/* Draws the children of all starts that are left, one start behind the other; how many starts. */
static int draw_generation(struct least_search *s)
{
    const struct ml_least_of *of = s->of;
    int n = 0;
    for (int k = 0; k < of->n_start; k++) {
        struct least_start *start = &s->starts[k];
        const int64_t first =
            (start->evolution.generation * of->n_start + k) * ML_EVOLUTION_CHILDREN;
        if (start->is_at_end)
            continue;
        start->is_at_end = !ml_evolution_draw(&start->evolution, of->seed, first,
                                              s->z + (int64_t)n * ML_EVOLUTION_CHILDREN * of->n);
        n += !start->is_at_end;
    }
    return n;
}

/* A start learns of its children. */
static void learn_children(struct least_search *s, struct least_start *start, const double *z,
                           const struct ml_merit *merits)
{
    int order[ML_EVOLUTION_CHILDREN];
    sort_children(merits, order);
    take_best(s, start, z + (int64_t)order[0] * s->of->n, merits[order[0]]);
    ml_evolution_learn(&start->evolution, order);
    start->spread = ml_evolution_spread(&start->evolution);
    start->is_at_end =
        has_ended(s, start, &merits[order[0]], &merits[order[ML_EVOLUTION_CHILDREN - 1]]);
}

/* A generation of the starts that are left.
 *   n_left  out: how many were */
static enum ml_status least_step(struct least_search *s, int *n_left, struct ml_error *err)
{
    const struct ml_least_of *of = s->of;
    const int64_t n_point = (int64_t)(*n_left = draw_generation(s)) * ML_EVOLUTION_CHILDREN;
    if (n_point == 0 || s->n_point + n_point > of->most)
        return ML_OK;
    const enum ml_status status = of->find(of->context, n_point, s->z, s->merits, err);
    if (status != ML_OK)
        return status;
    s->n_point += n_point;
    int64_t first = 0; /* child of the start at hand */
    for (int k = 0; k < of->n_start; k++) {
        struct least_start *start = &s->starts[k];
        if (start->is_at_end)
            continue;
        learn_children(s, start, s->z + first * of->n, s->merits + first);
        first += ML_EVOLUTION_CHILDREN;
        if (s->best < 0 || ml_merit_is_less(start->merit, s->starts[s->best].merit))
            s->best = k;
    }
    for (int k = 0; k < of->n_start; k++)
        s->starts[k].is_at_end |= k != s->best && s->starts[k].spread < narrow;
    return ML_OK;
}

/* Begins once more at the best point, which its start may have left behind, or not have followed
 * along a constraint. False where the search is at its end. */
static bool begin_again(struct least_search *s)
{
    struct least_start *best = s->best >= 0 ? &s->starts[s->best] : NULL;
    if (!best || best->is_again || best->merit.rank == ML_MERIT_NOTHING)
        return false;
    ml_evolution_reset(&best->evolution, best->z, again_size);
    best->improved = best->evolution.generation;
    best->is_at_end = false;
    best->is_again = true;
    return true;
}

static void describe(const struct least_search *s, struct ml_least *out)
{
    const struct least_start *best = &s->starts[s->best];
    out->z = best->z;
    out->merit = best->merit;
    out->spread = best->spread;
    for (int k = 0; k < s->of->n_start; k++) {
        double far = 0.0;
        for (int i = 0; i < s->of->n; i++)
            far = fmax(far, fabs(s->starts[k].z[i] - best->z[i]));
        out->n_met += far < near_by;
    }
}

enum ml_status ml_least_find(const struct ml_least_of *of, struct ml_pool *pool,
                             struct ml_least *out, struct ml_error *err)
{
    struct least_search s = {.of = of, .best = -1};
    int n_left = 1;
    *out = (struct ml_least){.is_converged = false};
    if (!begin_starts(&s, pool))
        return ml_fail(err, ML_E_MEMORY, "no memory for a search");
    enum ml_status status = ML_OK;
    for (int64_t before = -1; status == ML_OK && s.n_point > before;) {
        before = s.n_point;
        status = least_step(&s, &n_left, err);
        if (status == ML_OK && n_left == 0 && begin_again(&s))
            before = -1;
    }
    out->n_point = s.n_point;
    out->is_converged = status == ML_OK && n_left == 0;
    if (s.best >= 0)
        describe(&s, out);
    return status;
}
