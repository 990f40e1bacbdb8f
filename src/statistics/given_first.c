/* Each estimator is a function of sums over groups of runs, of which the bootstrap draws. */
#include "statistics/given_first.h"

#include <math.h>
#include <stdlib.h>

struct bins {
    int n;
    bool is_even;
    double *low, *high; /* [n] ends along the input */
};

enum { N_HARMONIC = 10, N_OF_HARMONIC = 4, MOST_HARMONICS = 2 * N_HARMONIC, BLOCK = 8 };

/* A resample adds the noise of k means to that of the sample, which has k already: of k normal
 * numbers with mean 0, the bootstrap finds three times the variance of the sum of squares, 6 k in
 * place of 2 k. */
static void take_noise_off(double k, int64_t n, struct ml_index *out)
{
    const double rest = 1.96 * 2.0 * (1.0 - out->value) / (double)n, square = out->half * out->half;
    out->half = sqrt(fmax(square - rest * rest * k, square / 3.0));
}

/* Sums: y^2, then of each bin the runs, x, x^2, y and x y. */
enum { BIN_COUNT, BIN_X, BIN_XX, BIN_Y, BIN_XY, N_OF_BIN };

/* Whether runs of a bin differ in the input, by more than rounding. */
static bool has_slope(const double *sums)
{
    const double least = 1e-9; /* of the square of the bin's width, per run */
    const double n = sums[BIN_COUNT];
    return n > 2.0 && sums[BIN_XX] - sums[BIN_X] * sums[BIN_X] / n > least * n;
}

/* Slope of y over the coordinate of a bin, by the runs of the bin. */
static double slope_of_runs(const double *sums)
{
    const double n = sums[BIN_COUNT];
    return (sums[BIN_XY] - sums[BIN_X] * sums[BIN_Y] / n) /
           (sums[BIN_XX] - sums[BIN_X] * sums[BIN_X] / n);
}

/* Mean of the input in bin b. */
static double mean_of_input(const struct bins *bins, int b, const double *sums)
{
    const double part = 0.5 * (1.0 + sums[BIN_X] / sums[BIN_COUNT]);
    return bins->low[b] + part * (bins->high[b] - bins->low[b]);
}

/* The slope of bin b by the means of its neighbours; of points of low discrepancy these have
 * hardly any noise, unlike slopes of runs. */
static double slope_of_means(const struct bins *bins, int b, const double *sums)
{
    const double *before = sums - N_OF_BIN, *after = sums + N_OF_BIN;
    const double way = mean_of_input(bins, b + 1, after) - mean_of_input(bins, b - 1, before);
    const double rise = after[BIN_Y] / after[BIN_COUNT] - before[BIN_Y] / before[BIN_COUNT];
    return 0.5 * (bins->high[b] - bins->low[b]) * rise / way;
}

/* The part of the sum of squares of y that the lines of bins explain, and how many numbers the
 * lines have: 2, of equal inputs 1, of no runs 0. */
static double explained_by_lines(const struct bins *bins, const double *sums, int *n_number)
{
    double explained = 0.0;
    *n_number = 0;
    for (int b = 0; b < bins->n; b++) {
        const double *own = sums + 1 + b * N_OF_BIN, n = own[BIN_COUNT];
        if (!(n > 0.0))
            continue;
        explained += own[BIN_Y] * own[BIN_Y] / n;
        *n_number += has_slope(own) ? 2 : 1;
        if (!has_slope(own))
            continue;
        const bool is_inner = b > 0 && b + 1 < bins->n && own[BIN_COUNT - N_OF_BIN] > 0.0 &&
                              own[BIN_COUNT + N_OF_BIN] > 0.0;
        const double slope =
            bins->is_even && is_inner ? slope_of_means(bins, b, own) : slope_of_runs(own);
        explained += slope * slope * (own[BIN_XX] - own[BIN_X] * own[BIN_X] / n);
    }
    return explained;
}

/* The variance that lines explain has, of k numbers of lines and n runs, k - 1 parts in n - k of
 * the variance about the lines by chance. */
static void estimate_bins(const void *context, const double *sums, double *out)
{
    const struct bins *bins = context;
    double n = 0.0, sum = 0.0;
    int k;
    for (int b = 0; b < bins->n; b++) {
        n += sums[1 + b * N_OF_BIN + BIN_COUNT];
        sum += sums[1 + b * N_OF_BIN + BIN_Y];
    }
    const double all = ml_resample_squares(n, sum, sums[0]);
    const double lines = explained_by_lines(bins, sums, &k) - sum * sum / n;
    const double chance = bins->is_even || n <= k ? 0.0 : (k - 1.0) / (n - k) * (all - lines);
    *out = (lines - chance) / all;
}

static void find_ends(const struct ml_complete *complete, int input, const struct ml_along *along,
                      const struct bins *bins)
{
    for (int b = 0; b < bins->n; b++) {
        bins->low[b] = (double)INFINITY;
        bins->high[b] = -(double)INFINITY;
    }
    for (int64_t p = 0; p < complete->n; p++) {
        const double x = ml_complete_input(complete, input, p);
        const int b = along[p].bin;
        bins->low[b] = fmin(bins->low[b], x);
        bins->high[b] = fmax(bins->high[b], x);
    }
}

static void add_to_bin(double x, double y, double *to)
{
    to[BIN_COUNT] += 1.0;
    to[BIN_X] += x;
    to[BIN_XX] += x * x;
    to[BIN_Y] += y;
    to[BIN_XY] += x * y;
}

/* Sums of each group of runs, with x from -1 to 1 in a bin. */
static void sum_bins(const struct ml_complete *complete, int input, const struct ml_along *along,
                     const struct ml_resamples *resamples, const struct bins *bins, double *sums)
{
    const int n_sum = 1 + bins->n * N_OF_BIN;
    for (int64_t g = 0; g < resamples->n_group; g++) {
        double *to = sums + g * n_sum;
        const int64_t end = ml_resamples_first(resamples, g + 1);
        for (int64_t p = ml_resamples_first(resamples, g); p < end; p++) {
            const int b = along[p].bin;
            const double x = ml_complete_input(complete, input, p), y = complete->y[p];
            const double half = 0.5 * (bins->high[b] - bins->low[b]);
            to[0] += y * y;
            add_to_bin(half > 0.0 ? (x - bins->low[b]) / half - 1.0 : 0.0, y,
                       to + 1 + b * N_OF_BIN);
        }
    }
}

/* Sums of all groups. */
static void total_bins(int64_t n_group, int n_sum, const double *sums, double *total)
{
    for (int k = 0; k < n_sum; k++)
        total[k] = 0.0;
    for (int64_t g = 0; g < n_group; g++)
        for (int k = 0; k < n_sum; k++)
            total[k] += sums[g * n_sum + k];
}

/* Adds the sums of a bin from `low` to `high`, in whose coordinate they are, to those of a bin from
 * -1 to 1 that is `width` wide and begins at `first`. */
static void widen_bin(const double *sums, double low, double high, double first, double width,
                      double *to)
{
    const double a = width > 0.0 ? (high - low) / width : 0.0;
    const double b = width > 0.0 ? (low + high - 2.0 * first) / width - 1.0 : 0.0;
    const double n = sums[BIN_COUNT];
    to[BIN_COUNT] += n;
    to[BIN_X] += a * sums[BIN_X] + b * n;
    to[BIN_XX] += a * a * sums[BIN_XX] + 2.0 * a * b * sums[BIN_X] + b * b * n;
    to[BIN_Y] += sums[BIN_Y];
    to[BIN_XY] += a * sums[BIN_XY] + b * sums[BIN_Y];
}

/* Makes bins of pairs of bins, in place. */
static void pair_bins(struct bins *bins, double *total)
{
    bins->n /= 2;
    for (int i = 0; i < bins->n; i++) {
        const int a = 2 * i, b = a + 1;
        const double first = fmin(bins->low[a], bins->low[b]);
        const double last = fmax(bins->high[a], bins->high[b]);
        double pair[N_OF_BIN] = {0.0};
        for (int k = a; k <= b; k++)
            if (total[1 + k * N_OF_BIN] > 0.0)
                widen_bin(total + 1 + k * N_OF_BIN, bins->low[k], bins->high[k], first,
                          last - first, pair);
        for (int k = 0; k < N_OF_BIN; k++)
            total[1 + i * N_OF_BIN + k] = pair[k];
        bins->low[i] = first;
        bins->high[i] = last;
    }
}

/* Widens the interval by errors that resamples do not show: the part of the variance that lines of
 * bins lose to the curvature, by that which lines of twice their width lose more. Bins are paired.
 */
static void widen_interval(struct bins *bins, int64_t n, double *total, struct ml_index *out)
{
    double coarse;
    int n_number;
    (void)explained_by_lines(bins, total, &n_number);
    take_noise_off(n_number, n, out);
    pair_bins(bins, total);
    estimate_bins(bins, total, &coarse);
    out->half += fmax(out->value - coarse, 0.0);
}

bool ml_given_bins(const struct ml_complete *complete, int input, const struct ml_along *along,
                   const struct ml_resamples *resamples, bool is_even, struct ml_index *out)
{
    double low[ML_MOST_GIVEN_BINS] = {0.0}, high[ML_MOST_GIVEN_BINS] = {0.0};
    double total[1 + ML_MOST_GIVEN_BINS * N_OF_BIN] = {0.0};
    struct bins bins = {ml_given_bins_of(complete->n), is_even, low, high};
    const int n_sum = 1 + bins.n * N_OF_BIN;
    double *sums = calloc((size_t)resamples->n_group * (size_t)n_sum, sizeof *sums);
    if (sums) {
        find_ends(complete, input, along, &bins);
        sum_bins(complete, input, along, resamples, &bins, sums);
    }
    const bool is_done =
        sums && ml_resamples_estimate(resamples, n_sum, sums, estimate_bins, &bins, 1, out);
    if (is_done) {
        total_bins(resamples->n_group, n_sum, sums, total);
        widen_interval(&bins, complete->n, total, out);
    }
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

/* The index by ten harmonics, and by twice as many. Sums: runs, y, y^2, and of each harmonic cos,
 * sin, y cos, y sin. */
static void estimate_harmonics(const void *context, const double *sums, double *out)
{
    const double n = sums[0], mean = sums[1] / n, all = ml_resample_squares(n, sums[1], sums[2]);
    double power = 0.0;
    (void)context;
    for (int k = 1; k <= MOST_HARMONICS; k++) {
        const double *of = sums + 3 + N_OF_HARMONIC * (k - 1);
        const double even = of[2] - mean * of[0], odd = of[3] - mean * of[1];
        power += even * even + odd * odd;
        const double skewed = 2.0 * power / (n * all), bias = 2.0 * k / n;
        if (k == N_HARMONIC || k == MOST_HARMONICS)
            out[k == MOST_HARMONICS] =
                bias < 1.0 ? skewed - bias / (1.0 - bias) * (1.0 - skewed) : (double)NAN;
    }
}

static void add_harmonics(double y, double cosine, double sine, double *to)
{
    double c = 1.0, s = 0.0;
    to[0] += 1.0;
    to[1] += y;
    to[2] += y * y;
    for (int k = 0; k < MOST_HARMONICS; k++) {
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
 * low discrepancy lack the noise whose bias is taken off: their intervals have it. Intervals have
 * the part of higher harmonics too, which an output with tails has. */
bool ml_given_rbd_fast(const struct ml_complete *complete, const int32_t *order,
                       const struct ml_resamples *resamples, bool is_even, struct ml_index *out)
{
    enum { N_SUM = 3 + N_OF_HARMONIC * MOST_HARMONICS };
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
    struct ml_index by[2] = {{0}};
    const bool is_done =
        sums && ml_resamples_estimate(resamples, N_SUM, sums, estimate_harmonics, NULL, 2, by);
    free(sums);
    *out = by[0];
    if (is_done)
        take_noise_off(2.0 * N_HARMONIC, n, out);
    if (is_done && by[1].value > by[0].value) /* factor: for the square of a normal number */
        out->half += 2.0 * (by[1].value - by[0].value);
    if (is_done && is_even)
        out->half += 2.0 * N_HARMONIC / (double)n * (1.0 - out->value);
    return is_done;
}
