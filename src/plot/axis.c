/* Chooses between linear and logarithmic axes, and computes the edges of the cells of a map. */
#include "plot/axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "statistics/moments.h"
#include "statistics/quantile.h"

static const double regular = 1e-6; /* of a step: by how much steps of a regular axis may differ */
static const double decade = 10.0;
static const double many_decades = 1000.0;
static const double small =
    0.05; /* of the largest: smaller parts have little room on a linear scale */

unsigned long long ml_plot_sort_finite(double *values, unsigned long long n)
{
    const unsigned long long count = (unsigned long long)ml_finite_pack(values, (int64_t)n);
    qsort(values, count, sizeof *values, ml_compare_double);
    return count;
}

/* Whether the middle value is nearer to the geometric mean of the ends than to the arithmetic. */
static bool is_spread_log(double low, double middle, double high)
{
    double geometric = sqrt(low) * sqrt(high), arithmetic = 0.5 * low + 0.5 * high;
    return fabs(log(middle / geometric)) < fabs(log(middle / arithmetic));
}

/* Whether all of n >= 2 numbers have the same distance from the next. */
static bool axis_is_even(const double *u, unsigned long long n)
{
    double step = (u[n - 1] - u[0]) / (double)(n - 1);
    for (unsigned long long i = 0; i < n; i++)
        if (fabs(u[i] - u[0] - (double)i * step) > regular * step)
            return false;
    return true;
}

/* A position and its value, to be sorted by it. */
struct item {
    double value;
    unsigned long long position;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct item *)a)->value, y = ((const struct item *)b)->value;
    if (isnan(x) || isnan(y)) /* last: qsort needs an order */
        return (isnan(x) != 0) - (isnan(y) != 0);
    return (x > y) - (x < y);
}

/* Sets order, and the sorted values to u. */
static void axis_sort(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                      struct ml_plot_axis *axis, double *u)
{
    struct item *items = ml_plot_take(source, axis->n, sizeof *items);
    unsigned long long *order = ml_plot_take(source, axis->n, sizeof *order);
    if (!items || !order)
        return;
    for (unsigned long long i = 0; i < axis->n; i++)
        items[i] = (struct item){scale->values[i], i};
    qsort(items, axis->n, sizeof *items, by_value);
    for (unsigned long long i = 0; i < axis->n; i++) {
        order[i] = items[i].position;
        u[i] = items[i].value;
    }
    axis->order = order;
}

/* Axes are logarithmic whose values are spaced so, or spread so over more than a decade. */
static bool is_log(const struct ml_plot_scale *scale, const double *sorted, double *logs)
{
    unsigned long long n = scale->n;
    if (scale->texts || n < 3 || !(sorted[0] > 0.0) || !isfinite(sorted[n - 1]))
        return false;
    for (unsigned long long i = 0; i < n; i++)
        logs[i] = log10(sorted[i]);
    if (axis_is_even(sorted, n))
        return false;
    return axis_is_even(logs, n) || (sorted[n - 1] > decade * sorted[0] &&
                                     is_spread_log(sorted[0], sorted[n / 2], sorted[n - 1]));
}

static void set_edges(const double *u, unsigned long long n, double *edges)
{
    for (unsigned long long i = 1; i < n; i++)
        edges[i] = 0.5 * u[i - 1] + 0.5 * u[i];
    edges[0] = n > 1 ? u[0] - 0.5 * (u[1] - u[0]) : u[0] - 0.5;
    edges[n] = n > 1 ? u[n - 1] + 0.5 * (u[n - 1] - u[n - 2]) : u[0] + 0.5;
}

void ml_plot_axis_init(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                       struct ml_plot_axis *axis)
{
    *axis = (struct ml_plot_axis){.scale = scale, .n = scale->n};
    double *sorted = ml_plot_take(source, scale->n, sizeof *sorted);
    double *logs = ml_plot_take(source, scale->n, sizeof *logs);
    double *edges = ml_plot_take(source, scale->n + 1, sizeof *edges);
    if (source->status != ML_OK)
        return;
    axis_sort(source, scale, axis, sorted);
    if (source->status != ML_OK)
        return;
    axis->is_log = is_log(scale, sorted, logs);
    const double *u = axis->is_log ? logs : sorted;
    axis->is_regular = axis->n < 2 || axis_is_even(u, axis->n);
    set_edges(u, axis->n, edges);
    axis->edges = edges;
}

/* An edge as a value. */
static double axis_edge(const struct ml_plot_axis *axis, unsigned long long i)
{
    return axis->is_log ? pow(10.0, axis->edges[i]) : axis->edges[i];
}

struct ml_plot_range ml_plot_cells(const struct ml_plot_axis *axis)
{
    return (struct ml_plot_range){
        .is_log = axis->is_log,
        .low = axis_edge(axis, 0),
        .high = axis_edge(axis, axis->n),
    };
}

/* Room around a number that all runs share. */
static double room_of(double low, double high)
{
    return low < high ? 0.0 : low != 0.0 ? 0.1 * fabs(low) : 1.0;
}

struct ml_plot_range ml_plot_span(const struct ml_plot_axis *axis, double margin)
{
    const struct ml_plot_scale *scale = axis->scale;
    double low = scale->values[axis->order[0]], high = scale->values[axis->order[axis->n - 1]];
    if (scale->texts || axis->n == 1)
        return ml_plot_cells(axis);
    const double room = room_of(low, high);
    if (room > 0.0)
        return (struct ml_plot_range){.low = low - room, .high = high + room};
    double factor = axis->is_log ? pow(high / low, margin) : 1.0;
    double offset = axis->is_log ? 0.0 : margin * (high - low);
    return (struct ml_plot_range){
        .is_log = axis->is_log,
        .low = low / factor - offset,
        .high = high * factor + offset,
    };
}

/* Whether n ascending values, the first of which are zeros, go better on a logarithmic scale. */
static bool suits_log(const double *sorted, unsigned long long n, unsigned long long n_zero)
{
    return sorted[0] >= 0.0 && n_zero <= n / 2 && sorted[n - 1] > many_decades * sorted[n_zero] &&
           ml_quantile(sorted, (int64_t)n, 0.5) < small * sorted[n - 1];
}

void ml_plot_refuse_empty(struct ml_plot_source *source, const char *name)
{
    source->is_empty = true;
    ml_plot_refuse(source, "cannot draw %s: no finished run has a finite value of it here", name);
}

/* Whether n ascending numbers are whole, and tics at each whole number are few. */
static bool are_few_counts(const double *sorted, unsigned long long n)
{
    const double most = 8.0;
    bool is = sorted[n - 1] - sorted[0] <= most;
    for (unsigned long long i = 0; i < n && is; i++)
        is = sorted[i] == floor(sorted[i]);
    return is;
}

struct ml_plot_range ml_plot_range_of(struct ml_plot_source *source, const char *name,
                                      const double *values, unsigned long long n)
{
    double *sorted = ml_plot_take(source, n, sizeof *sorted);
    if (source->status != ML_OK)
        return (struct ml_plot_range){0};
    memcpy(sorted, values, n * sizeof *sorted);
    n = ml_plot_sort_finite(sorted, n);
    if (n == 0) {
        ml_plot_refuse_empty(source, name);
        return (struct ml_plot_range){0};
    }
    unsigned long long n_zero = 0;
    while (n_zero < n - 1 && sorted[n_zero] == 0.0)
        n_zero++;
    const unsigned long long outer = (n - 1) / 100;
    struct ml_plot_range range = {.low = sorted[0],
                                  .high = sorted[n - 1],
                                  .core_low = sorted[outer],
                                  .core_high = sorted[n - 1 - outer]};
    range.is_log = suits_log(sorted, n, n_zero);
    range.is_few = !range.is_log && are_few_counts(sorted, n);
    if (range.is_log)
        range.low = sorted[n_zero];
    const double room = room_of(range.low, range.high);
    range.low -= room;
    range.high += room;
    return range;
}

bool ml_plot_ask_range(const struct ml_plot_options *request, struct ml_plot_range *range)
{
    const double low = request->range[0], high = request->range[1];
    range->low = isnan(low) ? range->low : low;
    range->high = isnan(high) ? range->high : high;
    return !isnan(low) || !isnan(high);
}

/* far: in widths of the core */
static struct ml_plot_range axis_cut(struct ml_plot_range range, double far)
{
    const double core = range.core_high - range.core_low;
    if (range.is_log || !(core > 0.0) || range.high - range.low < far * core)
        return range;
    range.low = range.core_low;
    range.high = range.core_high;
    range.is_cut = true;
    return range;
}

struct ml_plot_range ml_plot_cut(struct ml_plot_range range) { return axis_cut(range, 3.0); }

struct ml_plot_range ml_plot_cut_axis(struct ml_plot_range range)
{
    range = axis_cut(range, 10.0);
    const double margin = range.is_cut ? 0.04 * (range.high - range.low) : 0.0;
    range.low -= margin;
    range.high += margin;
    return range;
}
