/* Finds the period of a run's events, and compares cycles. */
#include "basins/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ratio of a spread in the last half of the points to that in the first: above it nothing moves. */
static const double standing = 0.99;
/* Tolerances that points may move by if they are too few to see the spread shrink. */
static const double well = 0.01;
/* Tolerances within which a run that comes nearer to an attractor is taken to go there; and the
 * ratio of the distance of its last half of points to that of all, at most. */
static const double near_by = 10.0, nearer = 0.9;
/* Ratio of the last part's spread to the first one's, at most, where points come nearer to
 * something. */
static const double shrunk = 0.8;

enum { LEAST_LAST = 3, LEAST_PARTS = 4, MOST_PARTS = 8 };

/* Largest difference of a number; INFINITY of what is not a number. */
static double cycle_distance(const struct ml_cycle_metric *metric, const double *a, const double *b)
{
    double largest = 0.0;
    for (int r = 0; r < metric->n_row; r++) {
        double difference = a[r] - b[r];
        if (metric->modulus[r] > 0.0)
            difference = remainder(difference, metric->modulus[r]);
        if (!(fabs(difference) <= largest)) /* fmax is a call */
            largest = isnan(difference) ? (double)INFINITY : fabs(difference);
    }
    return largest;
}

/* Points first .. end - 1 of a run. */
struct cycle_window {
    const struct ml_cycle_metric *metric;
    const double *points;
    int first, end;
};

static double cycle_between(const struct cycle_window *w, int i, int j)
{
    const int n_row = w->metric->n_row;
    return cycle_distance(w->metric, w->points + i * n_row, w->points + j * n_row);
}

/* Largest distance of a point from the last one a multiple of the period later; once it is above
 * `most`, a distance above it. */
static double cycle_spread(const struct cycle_window *w, int period, double most)
{
    double largest = 0.0;
    for (int i = w->first; i < w->end - period && largest <= most; i++)
        largest = fmax(largest, cycle_between(w, i, w->end - 1 - (w->end - 1 - i) % period));
    return largest;
}

/* Largest distance of points so many events apart. */
static double cycle_step(const struct cycle_window *w, int apart)
{
    double largest = 0.0;
    for (int i = w->first + apart; i < w->end; i++)
        largest = fmax(largest, cycle_between(w, i, i - apart));
    return largest;
}

/* Whether points of a period come so much nearer to each other that they will be fewer.
 *   factor  by which distances shrink from the early points to the late ones */
static bool cycle_closes(const struct cycle_window *late, const struct cycle_window *early,
                         int period, double factor)
{
    for (int apart = 1; apart < period; apart++) {
        const double now = cycle_step(late, apart), before = cycle_step(early, apart);
        const double rest = fmax(before - now, 0.0) * factor / (1.0 - factor);
        if (now - rest <= late->metric->tolerance)
            return true;
    }
    return false;
}

/* The least period after which the last points of a cycle repeat. */
static int cycle_reduced(const struct cycle_window *w, int period)
{
    for (int divisor = 1; divisor < period; divisor++) {
        bool repeats = period % divisor == 0;
        for (int k = 0; k < period && repeats; k++)
            repeats = cycle_between(w, w->end - 1 - k, w->end - 1 - (k + divisor) % period) <=
                      w->metric->tolerance;
        if (repeats)
            return divisor;
    }
    return period;
}

/* Whether points with a period have come to rest there. */
static bool cycle_rests(const struct cycle_window *late, int period, double spread)
{
    const int length = late->end - late->first;
    struct cycle_window early = *late;
    early.end = late->first;
    early.first = early.end > length ? early.end - length : 0;
    if (early.end - early.first <= period) /* nothing tells how it came there */
        return spread <= well * late->metric->tolerance;
    const double factor = spread / cycle_spread(&early, period, (double)INFINITY);
    if (!(factor < standing)) /* nor if nothing moves */
        return true;
    return spread * factor / (1.0 - factor) <= late->metric->tolerance &&
           !cycle_closes(late, &early, period, factor);
}

/* Whether the points are less far apart in each part than in the part before, and clearly less in
 * the last: points without order are so once in 24 times in 4 parts, in 8 hardly ever. */
static bool cycle_shrinks(const struct cycle_window *all)
{
    double first = 0.0, before = (double)INFINITY;
    const int wanted = all->end / 4, n = wanted < LEAST_PARTS  ? LEAST_PARTS
                                         : wanted > MOST_PARTS ? MOST_PARTS
                                                               : wanted;
    for (int k = 0; k < n; k++) {
        struct cycle_window part = *all;
        part.first = k * all->end / n;
        part.end = (k + 1) * all->end / n;
        const double now = cycle_spread(&part, 1, (double)INFINITY);
        if (!(now < before))
            return false;
        first = k == 0 ? now : first;
        before = now;
    }
    return before <= shrunk * first;
}

struct ml_cycle ml_cycle_of(const struct ml_cycle_metric *metric, int n_point, const double *points)
{
    const struct cycle_window all = {metric, points, 0, n_point};
    struct ml_cycle cycle = {ML_CYCLE_APPROACHES, 0, 0.0};
    for (int period = 1; 2 * period <= n_point; period++) {
        struct cycle_window late = all;
        const int length = 2 * period > n_point / 2 ? 2 * period : n_point / 2;
        late.first = n_point - length;
        const double spread = cycle_spread(&late, period, metric->tolerance);
        if (!(spread <= metric->tolerance))
            continue;
        if (!cycle_rests(&late, period, spread))
            return cycle;
        return (struct ml_cycle){ML_CYCLE_SETTLED, cycle_reduced(&late, period), spread};
    }
    if (n_point >= 2 * LEAST_PARTS && isfinite(cycle_spread(&all, 1, (double)INFINITY)) &&
        !cycle_shrinks(&all))
        cycle.end = ML_CYCLE_APERIODIC;
    return cycle;
}

/* Room for one more attractor. */
static bool cycle_grow(struct ml_attractors *a)
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
            const double next = cycle_distance(&a->metric, own + (k + shift) % period * n_row,
                                               points + (n_point - n_last + k) * n_row);
            away = next > away ? next : away;
        }
        most = away < most ? away : most;
    }
    return most;
}

/* The nearest attractor to so many last points, and how far it is; -1: none is near by. */
static int attractor_nearest(const struct ml_attractors *a, int n_last, int n_point,
                             const double *points, double *away)
{
    int nearest = -1;
    *away = near_by * a->metric.tolerance;
    for (int i = 0; i < a->n; i++) {
        const int least = n_last > a->found[i].period ? n_last : a->found[i].period;
        const int n = least < n_point ? least : n_point;
        const double own = attractor_away(a, i, n, n_point, points, *away);
        if (own < *away) {
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
        if (!cycle_grow(a))
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
    }
    return true;
}

/* Takes attractor j into i. */
static void attractor_unite(struct ml_attractors *a, int i, int j)
{
    const size_t size = (size_t)a->most * (size_t)a->metric.n_row;
    double *points = a->points;
    const int64_t first = a->found[i].first; /* i < j: it was found first */
    if (a->found[j].spread < a->found[i].spread) {
        a->found[i] = a->found[j];
        memcpy(points + (size_t)i * size, points + (size_t)j * size, size * sizeof *points);
    }
    a->found[i].first = first;
    a->n--;
    memmove(a->found + j, a->found + j + 1, (size_t)(a->n - j) * sizeof *a->found);
    memmove(points + (size_t)j * size, points + (size_t)(j + 1) * size,
            (size_t)(a->n - j) * size * sizeof *points);
}

void ml_attractors_merge(struct ml_attractors *attractors)
{
    struct ml_attractors *a = attractors;
    for (int i = 0; i < a->n; i++)
        for (int j = a->n - 1; j > i; j--)
            if (ml_attractors_distance(a, i, a, j, 4.0 * a->metric.tolerance) <=
                a->metric.tolerance + a->found[i].spread + a->found[j].spread)
                attractor_unite(a, i, j);
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
    *attractors = (struct ml_attractors){0};
}
