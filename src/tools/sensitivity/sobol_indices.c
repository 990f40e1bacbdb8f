/* Sums over points, each point weighted by how often a resample has it. */
#include "manylink/sobol_indices.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct design {
    int n_input, n_row;
    bool has_second;
    int64_t n;       /* complete points */
    const double *y; /* [n][n_row] centred */
};

static int n_index(const struct design *d) { return d->n_input * (2 + d->n_input); }

/* The next random number of the bootstrap (splitmix64: Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Moves complete points to the front, and centres them by the mean of all their runs. */
static int64_t take_complete(double *y, int64_t n_point, int n_row)
{
    int64_t n = 0;
    double mean = 0.0;
    for (int64_t p = 0; p < n_point; p++) {
        bool is_complete = true;
        for (int r = 0; r < n_row; r++)
            is_complete &= isfinite(y[p * n_row + r]) != 0;
        if (is_complete)
            memmove(y + n++ * n_row, y + p * n_row, (size_t)n_row * sizeof *y);
    }
    for (int64_t i = 0; i < n * n_row; i++)
        mean += (y[i] - mean) / (double)(i + 1);
    for (int64_t i = 0; i < n * n_row; i++)
        y[i] -= mean;
    return n;
}

/* Adds the products of one point, [n_input] of first order, total, [n_input][n_input] second. */
static void add_products(const struct design *d, const double *y, double weight, double *sums)
{
    const int n = d->n_input;
    const double a = y[0], b = y[d->n_row - 1];
    for (int i = 0; i < n; i++) {
        const double mixed = y[1 + i], change = a - mixed;
        sums[i] += weight * b * (mixed - a);
        sums[n + i] += weight * 0.5 * change * change;
    }
    for (int i = 0; d->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++)
            sums[(2 + i) * n + j] += weight * (y[1 + n + i] * y[1 + j] - a * b);
}

/* Indices of a resample: points as often as `count` says, of which the sum is n. Returns the
 * variance of A and B. */
static double estimate(const struct design *d, const uint32_t *count, double *out)
{
    const int n = d->n_input;
    double sum = 0.0, squares = 0.0;
    memset(out, 0, (size_t)n_index(d) * sizeof *out);
    for (int64_t p = 0; p < d->n; p++) {
        const double *y = d->y + p * d->n_row, a = y[0], b = y[d->n_row - 1];
        const double weight = count ? (double)count[p] : 1.0;
        sum += weight * (a + b);
        squares += weight * (a * a + b * b);
        if (weight > 0.0)
            add_products(d, y, weight, out);
    }
    const double size = (double)d->n, mean = sum / (2.0 * size);
    const double variance = squares / (2.0 * size) - mean * mean;
    for (int i = 0; i < n_index(d); i++)
        out[i] /= size * variance;
    for (int i = 0; d->has_second && i < n; i++)
        for (int j = i + 1; j < n; j++)
            out[(2 + i) * n + j] -= out[i] + out[j];
    return variance;
}

static void draw_resample(int64_t n, uint64_t *state, uint32_t *count)
{
    memset(count, 0, (size_t)n * sizeof *count);
    for (int64_t i = 0; i < n; i++)
        count[next_random(state) % (uint64_t)n]++;
}

static void put_index(struct ml_sobol_index *out, double value, double squares, int n_resample)
{
    *out = (struct ml_sobol_index){value, 1.96 * sqrt(squares / (n_resample - 1))};
}

/* Estimates and their spread over resamples.
 *   values, mean, squares, resampled  [n_index] */
static void find_spread(const struct design *d, int n_resample, uint32_t *count, double *values,
                        struct ml_sobol_indices *out)
{
    const int n = n_index(d);
    double *mean = values + n, *squares = mean + n, *resampled = squares + n;
    uint64_t state = 1;
    out->variance = estimate(d, NULL, values);
    for (int r = 0; r < n_resample; r++) {
        draw_resample(d->n, &state, count);
        (void)estimate(d, count, resampled);
        for (int i = 0; i < n; i++) {
            const double change = resampled[i] - mean[i];
            mean[i] += change / (r + 1);
            squares[i] += change * (resampled[i] - mean[i]);
        }
    }
    for (int i = 0; i < d->n_input; i++) {
        put_index(&out->first[i], values[i], squares[i], n_resample);
        put_index(&out->total[i], values[d->n_input + i], squares[d->n_input + i], n_resample);
    }
    for (int i = 2 * d->n_input; d->has_second && i < n; i++)
        put_index(&out->second[i - 2 * d->n_input], values[i], squares[i], n_resample);
}

int ml_sobol_indices_find(double *y, int64_t n_point, int n_input, int n_resample,
                          struct ml_sobol_indices *out)
{
    const bool has_second = out->second != NULL;
    const int n_row = 2 + (has_second ? 2 : 1) * n_input;
    const struct design d = {.n_input = n_input,
                             .n_row = n_row,
                             .has_second = has_second,
                             .n = take_complete(y, n_point, n_row),
                             .y = y};
    uint32_t *count = calloc((size_t)d.n + 1, sizeof *count);
    double *values = calloc(4 * (size_t)n_index(&d) + 1, sizeof *values);
    const bool is_possible = count && values && d.n > 1;
    out->n_complete = d.n;
    out->variance = 0.0;
    if (is_possible)
        find_spread(&d, n_resample, count, values, out);
    free(count);
    free(values);
    return is_possible && out->variance > 0.0;
}
