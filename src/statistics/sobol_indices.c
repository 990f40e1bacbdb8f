/* Sums over the points of Saltelli's design, and indices of these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/moments.h"
#include "statistics/resample.h"

enum { N_FIRST = 3, N_COMMON = 3 }; /* sums per input for an estimator; of A and B */

struct design {
    int n_input, n_row;
    bool has_second;
    enum ml_first_order estimator;
};

/* Sums of a group: points, A + B, A^2 + B^2; [n_input][N_FIRST]; [n_input] (A - A_i)^2; [n_input]
 * [n_input] of second order. */
static int n_sum(const struct design *d)
{
    return N_COMMON + d->n_input * (N_FIRST + 1 + (d->has_second ? d->n_input : 0));
}

static int n_index(const struct design *d)
{
    return 1 + d->n_input * (2 + (d->has_second ? d->n_input : 0));
}

/* Moves complete points to the front, multiplies their numbers by a power of two whose squares do
 * not overflow, and centres them by the mean of all their runs.
 *   scale  the power of two, out */
static int64_t take_complete(double *y, int64_t n_point, int n_row, double *scale)
{
    int64_t n = 0;
    double mean = 0.0, min = (double)INFINITY, max = -(double)INFINITY;
    for (int64_t p = 0; p < n_point; p++) {
        bool is_complete = true;
        for (int r = 0; r < n_row; r++)
            is_complete &= isfinite(y[p * n_row + r]) != 0;
        if (is_complete)
            memmove(y + n++ * n_row, y + p * n_row, (size_t)n_row * sizeof *y);
    }
    for (int64_t i = 0; i < n * n_row; i++) {
        min = fmin(min, y[i]);
        max = fmax(max, y[i]);
    }
    *scale = ml_safe_scale(min, max);
    for (int64_t i = 0; i < n * n_row; i++) {
        y[i] *= *scale;
        mean += (y[i] - mean) / (double)(i + 1);
    }
    for (int64_t i = 0; i < n * n_row; i++)
        y[i] -= mean;
    return n;
}

static void add_first(enum ml_first_order estimator, double a, double b, double mixed, double *sums)
{
    switch (estimator) {
    case ML_FIRST_SALTELLI:
        sums[0] += b * (mixed - a);
        break;
    case ML_FIRST_JANSEN:
        sums[0] += 0.5 * (b - mixed) * (b - mixed);
        break;
    case ML_FIRST_JANON:
        sums[0] += b * mixed;
        sums[1] += 0.5 * (b + mixed);
        sums[2] += 0.5 * (b * b + mixed * mixed);
        break;
    }
}

static void add_point(const struct design *d, const double *y, double *sums)
{
    const int n = d->n_input;
    const double a = y[0], b = y[d->n_row - 1];
    double *first = sums + N_COMMON, *total = first + N_FIRST * n, *second = total + n;
    sums[0] += 1.0;
    sums[1] += a + b;
    sums[2] += a * a + b * b;
    for (int i = 0; i < n; i++) {
        const double mixed = y[1 + i], change = a - mixed;
        add_first(d->estimator, a, b, mixed, first + N_FIRST * i);
        total[i] += 0.5 * change * change;
    }
    for (int i = 0; d->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++)
            second[i * n + j] += y[1 + n + i] * y[1 + j] - a * b;
}

static double first_order(enum ml_first_order estimator, const double *sums, double size,
                          double variance)
{
    if (estimator == ML_FIRST_SALTELLI)
        return sums[0] / (size * variance);
    if (estimator == ML_FIRST_JANSEN)
        return 1.0 - sums[0] / (size * variance);
    const double mean = sums[1] / size, square = mean * mean;
    return (sums[0] / size - square) * size / ml_resample_squares(size, sums[1], sums[2]);
}

/* The variance of A and B, and indices: [n_input] first order, [n_input] total, [n_input][n_input]
 * second order. */
static void estimate(const void *context, const double *sums, double *out)
{
    const struct design *d = context;
    const int n = d->n_input;
    const double *first = sums + N_COMMON, *total = first + N_FIRST * n, *second = total + n;
    const double size = sums[0];
    const double variance = ml_resample_squares(2.0 * size, sums[1], sums[2]) / (2.0 * size);
    double *indices = out + 1;
    out[0] = variance;
    for (int i = 0; i < n; i++) {
        indices[i] = first_order(d->estimator, first + N_FIRST * i, size, variance);
        indices[n + i] = total[i] / (size * variance);
    }
    for (int i = 0; d->has_second && i < n; i++)
        for (int j = 0; j < n; j++)
            indices[(2 + i) * n + j] =
                j > i ? second[i * n + j] / (size * variance) - indices[i] - indices[j] : 0.0;
}

static void add_points(const struct design *d, const struct ml_resamples *resamples,
                       const double *y, double *sums, double *totals)
{
    for (int64_t g = 0; g < resamples->n_group; g++) {
        memset(sums, 0, (size_t)n_sum(d) * sizeof *sums);
        for (int64_t p = ml_resamples_first(resamples, g); p < ml_resamples_first(resamples, g + 1);
             p++)
            add_point(d, y + p * d->n_row, sums);
        ml_resamples_add(resamples, g, n_sum(d), sums, totals);
    }
}

static void write_indices(const struct design *d, const struct ml_index *found,
                          struct ml_sobol_indices *out)
{
    const size_t n = (size_t)d->n_input;
    memcpy(out->first, found + 1, n * sizeof *found);
    memcpy(out->total, found + 1 + n, n * sizeof *found);
    if (out->second)
        memcpy(out->second, found + 1 + 2 * n, n * n * sizeof *found);
}

int ml_sobol_indices_find(double *y, int64_t n_point, int n_input, int n_resample,
                          struct ml_sobol_indices *out)
{
    const bool has_second = out->second != NULL;
    const struct design d = {n_input, 2 + (has_second ? 2 : 1) * n_input, has_second,
                             out->estimator};
    const size_t sums = (size_t)n_sum(&d), indices = (size_t)n_index(&d);
    struct ml_resamples resamples = {0};
    double scale = 1.0;
    bool has_room = false;
    out->n_complete = take_complete(y, n_point, d.n_row, &scale);
    out->variance = 0.0;
    if (out->n_complete < 2)
        return 0;
    double *room = calloc(((size_t)n_resample + 2) * sums, sizeof *room);
    struct ml_index *found = malloc(indices * sizeof *found);
    if (room && found && ml_resamples_draw(&resamples, out->n_complete, n_resample)) {
        double *totals = room + sums;
        add_points(&d, &resamples, y, room, totals);
        has_room =
            ml_resamples_find(&resamples, (int)sums, totals, estimate, &d, (int)indices, found);
    }
    const bool is_found = has_room && found[0].value > 0.0;
    if (is_found) {
        out->variance = found[0].value / scale / scale;
        write_indices(&d, found, out);
    }
    ml_resamples_free(&resamples);
    free(found);
    free(room);
    return has_room ? is_found : ML_INDEX_NO_MEMORY;
}
