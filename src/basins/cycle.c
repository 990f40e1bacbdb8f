/* Finds the period of a run's events. */
#include "basins/cycle.h"

#include <math.h>

/* Ratio of a spread in the last half of the points to that in the first: above it nothing moves. */
static const double standing = 0.99;
/* Tolerances that points may move by if they are too few to see the spread shrink. */
static const double well = 0.01;
/* Ratio of the last part's spread to the first one's, at most, where points come nearer to
 * something. */
static const double shrunk = 0.8;

enum { LEAST_PARTS = 4, MOST_PARTS = 8 };

double ml_cycle_distance(const struct ml_cycle_metric *metric, const double *a, const double *b)
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
    return ml_cycle_distance(w->metric, w->points + i * n_row, w->points + j * n_row);
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
    if (early.end - early.first <= period) /* its way there is unknown */
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
