/* Gathers the attractors of runs, each found again by the points near to a run's last one. */
#include "basins/attractors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tolerances within which a run that comes nearer to an attractor is taken to go there; and the
 * ratio of the distance of its last half of points to that of all, at most. */
static const double near_by = 10.0, nearer = 0.9;

enum { LEAST_LAST = 3 };

/* Room for one more attractor. */
static bool attractors_grow(struct ml_attractors *a)
{
    if (a->n < a->room)
        return true;
    const size_t room = a->room > 0 ? 2 * (size_t)a->room : 1;
    const size_t size = (size_t)a->most * (size_t)a->metric.n_row;
    struct ml_attractor *found = realloc(a->found, room * sizeof *found);
    a->found = found ? found : a->found;
    double *points = realloc(a->points, room * size * sizeof *points);
    a->points = points ? points : a->points;
    if (!found || !points)
        return false;
    a->room = (int)room;
    return true;
}

static size_t attractor_place(const struct ml_attractors *a, int i)
{
    return (size_t)i * (size_t)a->most * (size_t)a->metric.n_row;
}

const double *ml_attractor_points(const struct ml_attractors *attractors, int i)
{
    return attractors->points + attractor_place(attractors, i);
}

/* Largest distance of the last points of a run from those of an attractor, as they go together
 * best; `most` if it is not less. */
static double attractor_away(const struct ml_attractors *a, int i, int n_last, int n_point,
                             const double *points, double most)
{
    const int period = a->found[i].period, n_row = a->metric.n_row;
    const double *own = ml_attractor_points(a, i);
    for (int shift = 0; shift < period; shift++) {
        double away = 0.0;
        for (int k = 0; k < n_last && away < most; k++) {
            const double next = ml_cycle_distance(&a->metric, own + (k + shift) % period * n_row,
                                                  points + (n_point - n_last + k) * n_row);
            away = next > away ? next : away;
        }
        most = away < most ? away : most;
    }
    return most;
}

/* The cell of a number, one beside it if `beside` is -1 or 1: points that are near by are at most
 * one cell apart. An angle has a whole number of cells. */
static double near_cell(const struct ml_attractors *a, double x, int beside)
{
    const double width = 1.25 * near_by * a->metric.tolerance, modulus = a->metric.modulus[0];
    if (!(modulus > 0.0))
        return floor(x / width) + beside;
    const double n = fmax(floor(modulus / width), 1.0), turns = x / modulus;
    const double cell = fmin(floor((turns - floor(turns)) * n), n - 1.0) + beside;
    return cell < 0.0 ? cell + n : cell >= n ? cell - n : cell;
}

static unsigned near_hash(double cell)
{
    const double most = 0x1p62;
    const int64_t whole = fabs(cell) < most ? (int64_t)cell : 0;
    return (unsigned)((uint64_t)whole * 0x9e3779b97f4a7c15u >> 32);
}

static void near_link(struct ml_near_points *near, int at)
{
    int *head = &near->head[near->entry[at].hash & near->mask];
    near->entry[at].next = *head;
    *head = at;
}

/* Room for one more entry, and as many lists as entries; false without memory. */
static bool near_grow(struct ml_near_points *near)
{
    if (near->n < near->room)
        return true;
    const size_t room = near->room > 0 ? 2 * (size_t)near->room : 8;
    struct ml_near_point *entry = realloc(near->entry, room * sizeof *entry);
    near->entry = entry ? entry : near->entry;
    int *head = realloc(near->head, room * sizeof *head);
    near->head = head ? head : near->head;
    if (!entry || !head)
        return false;
    near->room = (int)room;
    near->mask = (unsigned)room - 1;
    memset(head, -1, room * sizeof *head);
    for (int at = 0; at < near->n; at++)
        near_link(near, at);
    return true;
}

/* Whether the list of a cell has attractor i: attractors that settle better step by step stay in
 * few cells. */
static bool near_has(const struct ml_near_points *near, int i, unsigned hash)
{
    int at = near->n > 0 ? near->head[hash & near->mask] : -1;
    while (at >= 0 && (near->entry[at].attractor != i || near->entry[at].hash != hash))
        at = near->entry[at].next;
    return at >= 0;
}

/* Adds the points of attractor i; false without memory. Entries of points that it had before stay,
 * and are looked at in vain. */
static bool near_add(struct ml_attractors *a, int i)
{
    const double *points = ml_attractor_points(a, i);
    for (int k = 0; k < a->found[i].period; k++) {
        const unsigned hash = near_hash(near_cell(a, points[k * a->metric.n_row], 0));
        if (near_has(&a->near, i, hash))
            continue;
        if (!near_grow(&a->near))
            return false;
        a->near.entry[a->near.n] = (struct ml_near_point){.attractor = i, .hash = hash};
        near_link(&a->near, a->near.n++);
    }
    return true;
}

/* The first entry whose point may be near to one with the number x; then the next ones.
 *   beside  cell that is gone through: -1 at first
 *   at      -1 at first; out: the entry, or -1 behind the last */
static bool near_next(const struct ml_attractors *a, double x, int *beside, int *at)
{
    *at = *at >= 0 ? a->near.entry[*at].next : -1;
    for (; *at < 0 && *beside <= 1 && a->near.n > 0; ++*beside)
        *at = a->near.head[near_hash(near_cell(a, x, *beside)) & a->near.mask];
    return *at >= 0;
}

/* The nearest attractor to so many last points, of equally near ones the first, and how far it is;
 * -1: none is near by. */
static int attractor_nearest(const struct ml_attractors *a, int n_last, int n_point,
                             const double *points, double *away)
{
    const double x = points[(n_point - 1) * a->metric.n_row];
    int nearest = -1;
    *away = near_by * a->metric.tolerance;
    for (int beside = -1, at = -1; near_next(a, x, &beside, &at);) {
        const int i = a->near.entry[at].attractor, period = a->found[i].period;
        const int least = n_last > period ? n_last : period, n = least < n_point ? least : n_point;
        const double own =
            attractor_away(a, i, n, n_point, points, nextafter(*away, (double)INFINITY));
        if (own < *away || (own == *away && nearest > i)) {
            *away = own;
            nearest = i;
        }
    }
    return nearest;
}

bool ml_attractors_add(struct ml_attractors *attractors, int64_t run, const struct ml_cycle *cycle,
                       int n_point, const double *points)
{
    struct ml_attractors *a = attractors;
    const int n_row = a->metric.n_row;
    double away;
    int i = attractor_nearest(a, LEAST_LAST, n_point, points, &away);
    if (i < 0 || away > a->metric.tolerance + cycle->spread + a->found[i].spread) {
        if (!attractors_grow(a))
            return false;
        i = a->n++;
        a->found[i] = (struct ml_attractor){.first = run, .spread = (double)INFINITY};
    }
    struct ml_attractor *own = &a->found[i];
    if (cycle->spread < own->spread) { /* has settled better */
        own->spread = cycle->spread;
        own->period = cycle->period;
        memcpy(a->points + attractor_place(a, i), points + (n_point - cycle->period) * n_row,
               (size_t)(cycle->period * n_row) * sizeof *points);
        return near_add(a, i);
    }
    return true;
}

/* Takes attractor j into i; a period of 0 marks j until it is removed. */
static bool attractor_unite(struct ml_attractors *a, int i, int j)
{
    const size_t size = (size_t)a->most * (size_t)a->metric.n_row;
    const int64_t first = a->found[i].first; /* i < j: it was found first */
    const bool is_better = a->found[j].spread < a->found[i].spread;
    if (is_better) {
        a->found[i] = a->found[j];
        memcpy(a->points + (size_t)i * size, a->points + (size_t)j * size,
               size * sizeof *a->points);
    }
    a->found[i].first = first;
    a->found[j].period = 0;
    return !is_better || near_add(a, i);
}

/* The last attractor before number `end` that is the same as i; i: none behind i is. */
static int attractor_same(const struct ml_attractors *a, int i, int end)
{
    const double tolerance = a->metric.tolerance, x = *ml_attractor_points(a, i);
    int last = i;
    for (int beside = -1, at = -1; near_next(a, x, &beside, &at);) {
        const int j = a->near.entry[at].attractor;
        if (j > last && j < end &&
            ml_attractors_distance(a, i, a, j, 4.0 * tolerance) <=
                tolerance + a->found[i].spread + a->found[j].spread)
            last = j;
    }
    return last;
}

/* Removes those that others have taken in. */
static bool attractors_compact(struct ml_attractors *a)
{
    const size_t size = (size_t)a->most * (size_t)a->metric.n_row;
    const int n = a->n;
    bool is_done = true;
    a->near.n = a->n = 0;
    memset(a->near.head, -1, (size_t)a->near.room * sizeof *a->near.head);
    for (int i = 0; i < n; i++) {
        if (a->found[i].period == 0)
            continue;
        a->found[a->n] = a->found[i];
        memmove(a->points + (size_t)a->n * size, a->points + (size_t)i * size,
                size * sizeof *a->points);
        is_done = is_done && near_add(a, a->n++);
    }
    return is_done;
}

bool ml_attractors_merge(struct ml_attractors *attractors)
{
    struct ml_attractors *a = attractors;
    for (int i = 0; i < a->n; i++)
        for (int j = a->n; a->found[i].period > 0 && (j = attractor_same(a, i, j)) > i;)
            if (!attractor_unite(a, i, j))
                return false;
    return a->n == 0 || attractors_compact(a);
}

int ml_attractors_label(struct ml_attractors *attractors, const struct ml_cycle *cycle, int n_point,
                        const double *points)
{
    struct ml_attractors *a = attractors;
    const bool is_settled = cycle->end == ML_CYCLE_SETTLED;
    double away;
    if (n_point == 0)
        return -1;
    int i = attractor_nearest(a, LEAST_LAST, n_point, points, &away);
    if (i >= 0 && away > a->metric.tolerance && !is_settled) {
        const double late =
            attractor_away(a, i, (n_point + 1) / 2, n_point, points, (double)INFINITY);
        if (!(late <= near_by * a->metric.tolerance &&
              late <= nearer * attractor_away(a, i, n_point, n_point, points, (double)INFINITY)))
            i = -1;
    }
    if (i >= 0) {
        a->found[i].count++;
        a->found[i].late += !is_settled;
    }
    return i;
}

double ml_attractors_distance(const struct ml_attractors *a, int i, const struct ml_attractors *b,
                              int j, double most)
{
    const int period = b->found[j].period;
    return a->found[i].period == period
               ? attractor_away(a, i, period, period, ml_attractor_points(b, j), most)
               : most;
}

void ml_attractors_free(struct ml_attractors *attractors)
{
    free(attractors->found);
    free(attractors->points);
    free(attractors->near.head);
    free(attractors->near.entry);
    *attractors = (struct ml_attractors){0};
}
