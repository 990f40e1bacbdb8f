/* Each estimator is a function of sums over groups of runs, of which the bootstrap draws. */
#include "statistics/given_first.h"

#include <math.h>
#include <stdlib.h>

struct bins {
    int n;
    bool is_even;
};

enum { N_HARMONIC = 10, N_OF_HARMONIC = 4, BLOCK = 8 };

/* A resample adds the noise of k means to that of the sample, which has k already: of k normal
 * numbers with mean 0, the bootstrap finds three times the variance of the sum of squares, 6 k in
 * place of 2 k. */
static void take_noise_off(double k, int64_t n, struct ml_index *out)
{
    const double rest = 1.96 * 2.0 * (1.0 - out->value) / (double)n, square = out->half * out->half;
    out->half = sqrt(fmax(square - rest * rest * k, square / 3.0));
}

/* Sums: y^2, then of each bin the runs and y. The variance between bins has, of k bins and n runs,
 * k - 1 parts in n - k of the variance within bins by chance. */
static void estimate_bins(const void *context, const double *sums, double *out)
{
    const struct bins *bins = context;
    double n = 0.0, sum = 0.0, between = 0.0, k = 0.0;
    for (int b = 0; b < bins->n; b++) {
        const double count = sums[1 + 2 * b], of_bin = sums[2 + 2 * b];
        n += count;
        sum += of_bin;
        k += count > 0.0 ? 1.0 : 0.0;
        between += count > 0.0 ? of_bin * of_bin / count : 0.0;
    }
    const double all = ml_resample_squares(n, sum, sums[0]), means = between - sum * sum / n;
    const double chance = bins->is_even || n <= k ? 0.0 : (k - 1.0) / (n - k) * (all - means);
    *out = (means - chance) / all;
}

/* Bins that have runs. */
static int count_filled(const struct bins *bins, int64_t n_group, const double *sums)
{
    int n = 0;
    for (int b = 0; b < bins->n; b++) {
        int64_t g = 0;
        while (g < n_group && sums[g * (1 + 2 * bins->n) + 1 + 2 * b] == 0.0)
            g++;
        n += g < n_group;
    }
    return n;
}

bool ml_given_bins(const struct ml_complete *complete, const struct ml_along *along,
                   const struct ml_resamples *resamples, bool is_even, struct ml_index *out)
{
    const struct bins bins = {ml_given_bins_of(complete->n), is_even};
    const int n_sum = 1 + 2 * bins.n;
    double *sums = calloc((size_t)resamples->n_group * (size_t)n_sum, sizeof *sums);
    for (int64_t g = 0; sums && g < resamples->n_group; g++) {
        double *to = sums + g * n_sum;
        const int64_t end = ml_resamples_first(resamples, g + 1);
        for (int64_t p = ml_resamples_first(resamples, g); p < end; p++) {
            const double y = complete->y[p];
            to[0] += y * y;
            to[1 + 2 * along[p].bin] += 1.0;
            to[2 + 2 * along[p].bin] += y;
        }
    }
    const bool is_done =
        sums && ml_resamples_estimate(resamples, n_sum, sums, estimate_bins, &bins, 1, out);
    if (is_done)
        take_noise_off(count_filled(&bins, resamples->n_group, sums), complete->n, out);
    free(sums);
    return is_done;
}

/* Sums: runs, y, y^2, y by that of the next run. */
static void estimate_rank(const void *context, const double *sums, double *out)
{
    (void)context;
    *out = (sums[3] - sums[1] * sums[1] / sums[0]) / ml_resample_squares(sums[0], sums[1], sums[2]);
}

/* Products of neighbours depend on each other: drawn are blocks of consecutive ranks, with the
 * products as they are, since a resample of runs would make neighbours of copies. */
bool ml_given_rank(const struct ml_complete *complete, const int32_t *order, int n_resample,
                   struct ml_index *out)
{
    enum { N_SUM = 4 };
    const int64_t n = complete->n;
    struct ml_resamples resamples;
    const bool is_drawn = ml_resamples_draw(&resamples, (n + BLOCK - 1) / BLOCK, n_resample);
    double *sums = calloc((size_t)resamples.n_group * N_SUM, sizeof *sums);
    for (int64_t j = 0; is_drawn && sums && j < n; j++) {
        const double y = complete->y[order[j]], next = complete->y[order[j + 1 < n ? j + 1 : 0]];
        double *to = sums + ml_resamples_group(&resamples, j / BLOCK) * N_SUM;
        to[0] += 1.0;
        to[1] += y;
        to[2] += y * y;
        to[3] += y * next;
    }
    const bool is_done =
        is_drawn && sums &&
        ml_resamples_estimate(&resamples, N_SUM, sums, estimate_rank, NULL, 1, out);
    ml_resamples_free(&resamples);
    free(sums);
    return is_done;
}

/* Sums: runs, y, y^2, and of each harmonic cos, sin, y cos, y sin. */
static void estimate_harmonics(const void *context, const double *sums, double *out)
{
    const double n = sums[0], mean = sums[1] / n, all = ml_resample_squares(n, sums[1], sums[2]);
    const double bias = 2.0 * N_HARMONIC / n;
    double power = 0.0;
    (void)context;
    for (int k = 0; k < N_HARMONIC; k++) {
        const double *of = sums + 3 + N_OF_HARMONIC * k;
        const double even = of[2] - mean * of[0], odd = of[3] - mean * of[1];
        power += even * even + odd * odd;
    }
    const double skewed = 2.0 * power / (n * all);
    *out = bias < 1.0 ? skewed - bias / (1.0 - bias) * (1.0 - skewed) : (double)NAN;
}

static void add_harmonics(double y, double cosine, double sine, double *to)
{
    double c = 1.0, s = 0.0;
    to[0] += 1.0;
    to[1] += y;
    to[2] += y * y;
    for (int k = 0; k < N_HARMONIC; k++) {
        const double next = c * cosine - s * sine;
        double *of = to + 3 + N_OF_HARMONIC * k;
        s = s * cosine + c * sine;
        c = next;
        of[0] += c;
        of[1] += s;
        of[2] += y * c;
        of[3] += y * s;
    }
}

/* Ranks rise by two along the first half of a period, and fall by two along the second. Points of
 * low discrepancy lack the noise whose bias is taken off: their intervals have it. */
bool ml_given_rbd_fast(const struct ml_complete *complete, const int32_t *order,
                       const struct ml_resamples *resamples, bool is_even, struct ml_index *out)
{
    enum { N_SUM = 3 + N_OF_HARMONIC * N_HARMONIC };
    const int64_t n = complete->n, n_even = (n + 1) / 2;
    const long double step = 8.0L * atanl(1.0L) / (long double)n, c = cosl(step), s = sinl(step);
    long double cosine = 1.0L, sine = 0.0L;
    double *sums = calloc((size_t)resamples->n_group * N_SUM, sizeof *sums);
    for (int64_t k = 0; sums && k < n; k++) {
        const int64_t p = order[k < n_even ? 2 * k : 2 * (n - 1 - k) + 1];
        const long double next = cosine * c - sine * s;
        add_harmonics(complete->y[p], (double)cosine, (double)sine,
                      sums + ml_resamples_group(resamples, p) * N_SUM);
        sine = sine * c + cosine * s;
        cosine = next;
    }
    const bool is_done =
        sums && ml_resamples_estimate(resamples, N_SUM, sums, estimate_harmonics, NULL, 1, out);
    free(sums);
    if (is_done)
        take_noise_off(2.0 * N_HARMONIC, n, out);
    if (is_done && is_even)
        out->half += 2.0 * N_HARMONIC / (double)n * (1.0 - out->value);
    return is_done;
}
