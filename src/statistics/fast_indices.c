/* Spectra of the curves of FAST. By Parseval's equation the sums over frequencies are sums over the
 * runs of the curve's slow part and of its harmonics, of which the bootstrap draws periods. */
#include <math.h>
#include <stdlib.h>

#include "design/sample.h"
#include "statistics/fourier.h"
#include "statistics/resample.h"

enum { N_SUM = 6, N_ORDER = 2 };

/* Sums: runs; y, y^2; r and r^2 of r = y - harmonics of the input; (y - slow part)^2. */
static void estimate(const void *context, const double *sums, double *out)
{
    const double all = sums[2] - sums[1] * sums[1] / sums[0];
    (void)context;
    out[0] = 1.0 - (sums[4] - sums[3] * sums[3] / sums[0]) / all;
    out[1] = sums[5] / all;
}

/* Whether all runs have finite numbers, and these differ. */
static bool has_spectrum(const double *y, int64_t n)
{
    bool is_finite = true, differs = false;
    for (int64_t t = 0; t < n; t++) {
        is_finite &= isfinite(y[t]) != 0;
        differs |= y[t] != y[0];
    }
    return is_finite && differs;
}

/* Keeps of a spectrum the slow part, and i times the harmonics of the input: the inverse transform
 * has the first as its real part and the second as its imaginary part. */
static void keep_parts(struct ml_complex *z, int64_t n, int64_t highest)
{
    z[0] = (struct ml_complex){0.0, 0.0};
    for (int64_t k = 1; k < n; k++) {
        const int64_t frequency = k <= n / 2 ? k : n - k;
        const bool is_harmonic =
            frequency % highest == 0 && frequency <= ML_FAST_HARMONICS * highest;
        z[k] = frequency <= highest / 2 ? z[k]
               : is_harmonic            ? (struct ml_complex){-z[k].im, z[k].re}
                                        : (struct ml_complex){0.0, 0.0};
    }
}

/* Adds the runs of a curve to the sums of their groups of periods. Of an even number of runs the
 * highest frequency, of which a spectrum has the cosine only, is left out.
 *   z  [n] room */
static void add_curve(struct ml_fourier *fourier, const struct ml_resamples *resamples,
                      const double *y, int64_t highest, struct ml_complex *z, double *sums)
{
    const int64_t n = (int64_t)fourier->n;
    double mean = 0.0;
    for (int64_t t = 0; t < n; t++)
        mean += (y[t] - mean) / (double)(t + 1);
    for (int64_t t = 0; t < n; t++)
        z[t] = (struct ml_complex){y[t] - mean, 0.0};
    ml_fourier_forward(fourier, z);
    const double fastest = n % 2 ? 0.0 : z[n / 2].re / (double)n;
    keep_parts(z, n, highest);
    ml_fourier_inverse(fourier, z);
    for (int64_t t = 0; t < n; t++) {
        const double value = y[t] - mean - (t % 2 ? -fastest : fastest);
        const double rest = value - z[t].im, fast = value - z[t].re;
        double *to = sums + ml_resamples_group(resamples, t * highest / n) * N_SUM;
        to[0] += 1.0;
        to[1] += value;
        to[2] += value * value;
        to[3] += rest;
        to[4] += rest * rest;
        to[5] += fast * fast;
    }
}

/* False without memory. */
static bool find_curve(struct ml_fourier *fourier, const struct ml_resamples *resamples,
                       const double *y, int64_t highest, struct ml_index *out)
{
    const size_t n_group = (size_t)resamples->n_group;
    struct ml_complex *z = malloc(fourier->n * sizeof *z);
    double *sums = calloc(n_group * N_SUM + 1, sizeof *sums);
    bool is_done = z && sums;
    if (is_done) {
        add_curve(fourier, resamples, y, highest, z, sums);
        is_done = ml_resamples_estimate(resamples, N_SUM, sums, estimate, NULL, N_ORDER, out);
    }
    free(z);
    free(sums);
    return is_done;
}

int ml_fast_indices_find(const double *y, int64_t n_point, int n_input, int n_resample,
                         struct ml_fast_indices *out)
{
    const int64_t highest = ml_fast_highest(n_point);
    struct ml_fourier fourier = {0};
    struct ml_resamples resamples = {0};
    out->n_complete = 0;
    if (n_point < ML_FAST_LEAST || n_point > INT32_MAX)
        return 0;
    bool is_done = ml_fourier_make(&fourier, (size_t)n_point) &&
                   ml_resamples_draw(&resamples, highest, n_resample);
    for (int i = 0; i < n_input && is_done; i++) {
        struct ml_index found[N_ORDER] = {{(double)NAN, (double)NAN}, {(double)NAN, (double)NAN}};
        const double *curve = y + i * n_point;
        if (has_spectrum(curve, n_point)) {
            is_done = find_curve(&fourier, &resamples, curve, highest, found);
            out->n_complete++;
        }
        out->first[i] = found[0];
        out->total[i] = found[1];
    }
    ml_resamples_free(&resamples);
    ml_fourier_free(&fourier);
    return is_done ? out->n_complete > 0 : ML_INDEX_NO_MEMORY;
}
