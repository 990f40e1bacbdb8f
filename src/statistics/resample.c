/* Draws groups with replacement, and adds the sums of the drawn groups. */
#include "statistics/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t ml_resample_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

bool ml_resamples_draw(struct ml_resamples *out, int64_t n_point, int n)
{
    const int64_t n_group = n_point < ML_RESAMPLE_GROUPS ? n_point : ML_RESAMPLE_GROUPS;
    uint64_t state = 1;
    *out = (struct ml_resamples){.n_point = n_point, .n_group = n_group, .n = n};
    out->count = calloc((size_t)n_group * ((size_t)n + 1), sizeof *out->count);
    for (int64_t g = 0; out->count && g < n_group; g++)
        out->count[g * (n + 1)] = 1.0;
    for (int r = 1; out->count && r <= n; r++)
        for (int64_t i = 0; i < n_group; i++)
            out->count[(int64_t)(ml_resample_random(&state) % (uint64_t)n_group) * (n + 1) + r] +=
                1.0;
    return out->count != NULL;
}

void ml_resamples_free(struct ml_resamples *resamples) { free(resamples->count); }

/* Points per group are n_point / n_group, and another in the first n_point % n_group groups. */
int64_t ml_resamples_group(const struct ml_resamples *resamples, int64_t point)
{
    const int64_t size = resamples->n_point / resamples->n_group,
                  n_long = resamples->n_point % resamples->n_group, first = n_long * (size + 1);
    return point < first ? point / (size + 1) : n_long + (point - first) / size;
}

int64_t ml_resamples_first(const struct ml_resamples *resamples, int64_t group)
{
    const int64_t n_long = resamples->n_point % resamples->n_group;
    return group * (resamples->n_point / resamples->n_group) + (group < n_long ? group : n_long);
}

void ml_resamples_add(const struct ml_resamples *resamples, int64_t group, int n_sum,
                      const double *sums, double *totals)
{
    const int n = 1 + resamples->n;
    const double *restrict count = resamples->count + group * n;
    for (int i = 0; i < n_sum; i++) {
        double *restrict to = totals + (int64_t)i * n;
        const double sum = sums[i];
        if (sum == 0.0) /* most sums over bins of a group of few points */
            continue;
#pragma omp simd
        for (int r = 0; r < n; r++)
            to[r] += count[r] * sum;
    }
}

void ml_resamples_sums(const struct ml_resamples *resamples, int r, int n_sum, const double *totals,
                       double *sums)
{
    for (int i = 0; i < n_sum; i++)
        sums[i] = totals[(int64_t)i * (1 + resamples->n) + r];
}

double ml_resample_squares(double n, double sum, double squares)
{
    const double rest = squares - sum * sum / n;
    return rest > 1e-12 * squares ? rest : (double)NAN;
}

void ml_spread_add(struct ml_spread *spread, double value)
{
    const double change = value - spread->mean;
    spread->mean += change / ++spread->n;
    spread->squares += change * (value - spread->mean);
}

double ml_spread_half(const struct ml_spread *spread)
{
    return 1.96 * sqrt(spread->squares / (spread->n - 1));
}

bool ml_resamples_find(const struct ml_resamples *resamples, int n_sum, const double *totals,
                       ml_estimate_fn *estimate, const void *context, int n_out,
                       struct ml_index *out)
{
    double *values = malloc((size_t)n_out * sizeof *values);
    double *sums = malloc((size_t)n_sum * sizeof *sums);
    struct ml_spread *spread = calloc((size_t)n_out, sizeof *spread);
    const bool has_room = values && sums && spread;
    for (int r = resamples->n; has_room && r >= 0; r--) { /* the sample last */
        ml_resamples_sums(resamples, r, n_sum, totals, sums);
        estimate(context, sums, values);
        for (int i = 0; r > 0 && i < n_out; i++)
            ml_spread_add(&spread[i], values[i]);
    }
    for (int i = 0; has_room && i < n_out; i++)
        out[i] = (struct ml_index){values[i], resamples->n_group > 1 ? ml_spread_half(&spread[i])
                                                                     : (double)NAN};
    free(values);
    free(sums);
    free(spread);
    return has_room;
}

bool ml_resamples_estimate(const struct ml_resamples *resamples, int n_sum, const double *sums,
                           ml_estimate_fn *estimate, const void *context, int n_out,
                           struct ml_index *out)
{
    const size_t n = (size_t)n_sum * ((size_t)resamples->n + 1);
    double *totals = calloc(n, sizeof *totals);
    for (int64_t g = 0; totals && g < resamples->n_group; g++)
        ml_resamples_add(resamples, g, n_sum, sums + g * n_sum, totals);
    const bool is_done =
        totals && ml_resamples_find(resamples, n_sum, totals, estimate, context, n_out, out);
    free(totals);
    return is_done;
}
