/* Normal equations of correlations; sums over groups of runs. */
#include "statistics/given_linear.h"

#include <math.h>
#include <stdlib.h>

#include "base/cholesky.h"

enum { M = ML_MOST_REGRESSORS + 1 };

static const double least_pivot = 1e-10; /* of correlations: inputs depend on each other below */

/* Element (i, j), i >= j, of a lower triangle by rows. */
static int at(int i, int j) { return i * (i + 1) / 2 + j; }

/* Sums: runs; [1 + n_input] of the output and the inputs; products, the lower triangle by rows.
 * Estimates are the coefficients and the part of the variance. */
static void estimate_regression(const void *context, const double *sums, double *out)
{
    const int n = *(const int *)context;
    const double size = sums[0], *sum = sums + 1, *products = sum + n + 1;
    double r[M][M] = {{0}}, c[M] = {0}, explained = 0.0, sd[M] = {0};
    for (int i = 0; i <= n; i++)
        sd[i] = sqrt(ml_resample_squares(size, sum[i], products[at(i, i)]));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            r[i][j] = (products[at(i + 1, j + 1)] - sum[i + 1] * sum[j + 1] / size) /
                      (sd[i + 1] * sd[j + 1]);
        c[i] = (products[at(i + 1, 0)] - sum[i + 1] * sum[0] / size) / (sd[i + 1] * sd[0]);
        out[i] = c[i];
    }
    const bool is_solved = ml_cholesky_factorise(n, M, least_pivot, &r[0][0]);
    if (is_solved)
        ml_cholesky_solve(n, M, &r[0][0], c);
    for (int i = 0; i < n; i++) {
        explained += out[i] * c[i];
        out[i] = is_solved ? c[i] : (double)NAN;
    }
    out[n] = is_solved ? explained : (double)NAN;
}

/* Numbers are centred and scaled first, so that their products lose no digits.
 *   centre, scale  [n_input] out */
static void find_scales(const struct ml_complete *complete, double *centre, double *scale)
{
    const int n = complete->inputs->n_input;
    double squares[M] = {0.0};
    for (int i = 0; i < n; i++)
        centre[i] = 0.0;
    for (int64_t p = 0; p < complete->n; p++)
        for (int i = 0; i < n; i++) {
            const double x = ml_complete_input(complete, i, p), change = x - centre[i];
            centre[i] += change / (double)(p + 1);
            squares[i] += change * (x - centre[i]);
        }
    for (int i = 0; i < n; i++)
        scale[i] = squares[i] > 0.0 ? 1.0 / sqrt(squares[i] / (double)complete->n) : 1.0;
}

static void add_runs(const struct ml_complete *complete, const struct ml_resamples *resamples,
                     int n_sum, double *sums)
{
    const int n = complete->inputs->n_input;
    double centre[M], scale[M], z[M];
    find_scales(complete, centre, scale);
    for (int64_t g = 0; g < resamples->n_group; g++) {
        double *to = sums + g * n_sum;
        const int64_t end = ml_resamples_first(resamples, g + 1);
        for (int64_t p = ml_resamples_first(resamples, g); p < end; p++) {
            z[0] = complete->y[p];
            for (int i = 0; i < n; i++)
                z[i + 1] = (ml_complete_input(complete, i, p) - centre[i]) * scale[i];
            to[0] += 1.0;
            for (int i = 0; i <= n; i++) {
                to[1 + i] += z[i];
                for (int j = 0; j <= i; j++)
                    to[2 + n + at(i, j)] += z[i] * z[j];
            }
        }
    }
}

bool ml_given_regression(const struct ml_complete *complete, const struct ml_resamples *resamples,
                         struct ml_index *out, struct ml_index *r_squared)
{
    const int n = complete->inputs->n_input, n_sum = 1 + (n + 1) + (n + 1) * (n + 2) / 2;
    struct ml_index found[M];
    bool is_done = true;
    if (n > ML_MOST_REGRESSORS || complete->n < n + 2) {
        for (int i = 0; i <= n; i++)
            *(i < n ? &out[i] : r_squared) = (struct ml_index){(double)NAN, (double)NAN};
        return true;
    }
    double *sums = calloc((size_t)resamples->n_group * (size_t)n_sum, sizeof *sums);
    if (sums)
        add_runs(complete, resamples, n_sum, sums);
    is_done = sums &&
              ml_resamples_estimate(resamples, n_sum, sums, estimate_regression, &n, n + 1, found);
    for (int i = 0; is_done && i <= n; i++)
        *(i < n ? &out[i] : r_squared) = found[i];
    free(sums);
    return is_done;
}

/* Sums: runs, both, their squares, their product. */
static void estimate_correlation(const void *context, const double *sums, double *out)
{
    const double n = sums[0], product = sums[5] - sums[1] * sums[2] / n;
    (void)context;
    *out = product / sqrt(ml_resample_squares(n, sums[1], sums[3])) /
           sqrt(ml_resample_squares(n, sums[2], sums[4]));
}

bool ml_given_spearman(const struct ml_complete *complete, const double *ranks,
                       const struct ml_along *along, const struct ml_resamples *resamples,
                       struct ml_index *out)
{
    enum { N_SUM = 6 };
    const double middle = 0.5 * (double)(complete->n + 1);
    double *sums = calloc((size_t)resamples->n_group * N_SUM, sizeof *sums);
    for (int64_t g = 0; sums && g < resamples->n_group; g++) {
        double *to = sums + g * N_SUM;
        const int64_t end = ml_resamples_first(resamples, g + 1);
        for (int64_t p = ml_resamples_first(resamples, g); p < end; p++) {
            const double a = 0.5 * (double)along[p].twice_rank - middle, b = ranks[p] - middle;
            to[0] += 1.0;
            to[1] += a;
            to[2] += b;
            to[3] += a * a;
            to[4] += b * b;
            to[5] += a * b;
        }
    }
    const bool is_done =
        sums && ml_resamples_estimate(resamples, N_SUM, sums, estimate_correlation, NULL, 1, out);
    free(sums);
    return is_done;
}
