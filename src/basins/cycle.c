/* Finds the period of a run's events, and compares cycles. */
#include "basins/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool cycle_is_near(const struct ml_cycle_metric *metric, const double *a, const double *b)
{
    for (int r = 0; r < metric->n_row; r++) {
        double difference = a[r] - b[r];
        if (metric->modulus[r] > 0.0)
            difference = remainder(difference, metric->modulus[r]);
        if (!(fabs(difference) <= metric->tolerance)) /* NaN is near to nothing */
            return false;
    }
    return true;
}

int ml_cycle_period(const struct ml_cycle_metric *metric, int n_point, const double *points)
{
    for (int period = 1; 2 * period <= n_point; period++) {
        bool repeats = true;
        for (int i = period; i < n_point && repeats; i++)
            repeats = cycle_is_near(metric, points + i * metric->n_row,
                                    points + (i - period) * metric->n_row);
        if (repeats)
            return period;
    }
    return 0;
}

bool ml_cycle_is_same(const struct ml_cycle_metric *metric, int period, const double *a,
                      const double *b)
{
    for (int shift = 0; shift < period; shift++) {
        bool is_same = true;
        for (int i = 0; i < period && is_same; i++)
            is_same = cycle_is_near(metric, a + i * metric->n_row,
                                    b + (i + shift) % period * metric->n_row);
        if (is_same)
            return true;
    }
    return false;
}

/* Room for one more attractor. */
static bool cycle_grow(struct ml_attractors *a)
{
    if (a->n < a->room)
        return true;
    const size_t room = a->room > 0 ? 2 * (size_t)a->room : 8;
    const size_t size = (size_t)a->most * (size_t)a->metric.n_row;
    int *period = realloc(a->period, room * sizeof *period);
    a->period = period ? period : a->period;
    int64_t *count = realloc(a->count, room * sizeof *count);
    a->count = count ? count : a->count;
    int64_t *first = realloc(a->first, room * sizeof *first);
    a->first = first ? first : a->first;
    double *points = realloc(a->points, room * size * sizeof *points);
    a->points = points ? points : a->points;
    if (!period || !count || !first || !points)
        return false;
    a->room = (int)room;
    return true;
}

static double *cycle_points(const struct ml_attractors *a, int i)
{
    return a->points + (size_t)i * (size_t)a->most * (size_t)a->metric.n_row;
}

int ml_attractors_add(struct ml_attractors *attractors, int64_t run, int n_point,
                      const double *points)
{
    struct ml_attractors *a = attractors;
    const int period = ml_cycle_period(&a->metric, n_point, points), n_row = a->metric.n_row;
    const double *last = points + (n_point - period) * n_row;
    if (period == 0)
        return -1;
    for (int i = 0; i < a->n; i++)
        if (a->period[i] == period &&
            ml_cycle_is_same(&a->metric, period, cycle_points(a, i), last)) {
            a->count[i]++;
            return i;
        }
    if (!cycle_grow(a))
        return -2;
    a->period[a->n] = period;
    a->count[a->n] = 1;
    a->first[a->n] = run;
    memcpy(cycle_points(a, a->n), last, (size_t)(period * n_row) * sizeof *last);
    return a->n++;
}

void ml_attractors_rank(const struct ml_attractors *attractors, int *label)
{
    for (int i = 0; i < attractors->n; i++) {
        label[i] = 1;
        for (int j = 0; j < attractors->n; j++)
            label[i] += attractors->count[j] > attractors->count[i] ||
                        (attractors->count[j] == attractors->count[i] && j < i);
    }
}

void ml_attractors_free(struct ml_attractors *attractors)
{
    free(attractors->period);
    free(attractors->count);
    free(attractors->first);
    free(attractors->points);
    *attractors = (struct ml_attractors){0};
}
