/* Interpolating spline of degree 5 by a banded solve, and its derivatives at the samples. */
#include "inverse/spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/lu.h"
#include "manylink/fail.h"

enum {
    DEGREE = 5,
    ORDER = DEGREE + 1,
    N_DERIVATIVE = 3,              /* the value counts */
    LEADING = 3 * DEGREE + 1,      /* rows of the band with room for pivoting */
    DIAGONAL = 2 * DEGREE,         /* row of the band that the diagonal is in */
    SKIPPED = ML_SPLINE_LEAST / 2, /* samples at either end that are followed by no knot */
};

/* The i-th knot of n + ORDER. */
static double knot(int64_t n, const double *t, int64_t i)
{
    if (i < ORDER)
        return t[0];
    return i < n ? t[i - ORDER + SKIPPED] : t[n - 1];
}

/* The last of the knots before sample k, at most the n-th: where its basis ends. */
static int64_t span_of(int64_t n, int64_t k)
{
    int64_t span = k + SKIPPED;
    if (span < DEGREE)
        return DEGREE;
    return span < n ? span : n - 1;
}

/* Triangle of basis functions and differences of knots of one span. */
struct triangle {
    double at[ORDER][ORDER]; /* [r][j], r <= j: function r of degree j; [j][r]: a difference */
};

static void fill_triangle(const double *knots, double x, struct triangle *out)
{
    double left[ORDER], right[ORDER];
    out->at[0][0] = 1.0;
    for (int j = 1; j <= DEGREE; j++) {
        double saved = 0.0;
        left[j] = x - knots[DEGREE + 1 - j];
        right[j] = knots[DEGREE + j] - x;
        for (int r = 0; r < j; r++) {
            out->at[j][r] = right[r + 1] + left[j - r];
            double term = out->at[r][j - 1] / out->at[j][r];
            out->at[r][j] = saved + right[r + 1] * term;
            saved = left[j - r] * term;
        }
        out->at[j][j] = saved;
    }
}

/* The k-th derivative of the r-th basis function, less a factor, from the coefficients of the
 * (k-1)-th; writes those of the k-th. */
static double spline_differentiate(const struct triangle *triangle, int r, int k,
                                   const double *before, double *after)
{
    int low = r - k, degree = DEGREE - k;
    double sum = 0.0;
    if (r >= k) {
        after[0] = before[0] / triangle->at[degree + 1][low];
        sum = after[0] * triangle->at[low][degree];
    }
    int first = low >= -1 ? 1 : -low, last = r - 1 <= degree ? k - 1 : DEGREE - r;
    for (int j = first; j <= last; j++) {
        after[j] = (before[j] - before[j - 1]) / triangle->at[degree + 1][low + j];
        sum += after[j] * triangle->at[low + j][degree];
    }
    if (r <= degree) {
        after[k] = -before[k - 1] / triangle->at[degree + 1][r];
        sum += after[k] * triangle->at[r][degree];
    }
    return sum;
}

/* Values and derivatives at x of the ORDER functions that are not zero there.
 *   knots  [2 ORDER] around the span of x */
static void basis(const double *knots, double x, double out[N_DERIVATIVE][ORDER])
{
    struct triangle triangle;
    fill_triangle(knots, x, &triangle);
    for (int r = 0; r < ORDER; r++) {
        double row[2][N_DERIVATIVE] = {{1.0}};
        double factor = DEGREE;
        out[0][r] = triangle.at[r][DEGREE];
        for (int k = 1; k < N_DERIVATIVE; k++) {
            const double *before = row[(k - 1) % 2];
            out[k][r] = factor * spline_differentiate(&triangle, r, k, before, row[k % 2]);
            factor *= DEGREE - k;
        }
    }
}

/* The basis functions of sample k, and their derivatives; returns the first function. */
static int64_t basis_of(int64_t n, const double *t, int64_t k, double out[N_DERIVATIVE][ORDER])
{
    double knots[2 * ORDER];
    int64_t span = span_of(n, k);
    for (int i = 0; i < 2 * ORDER; i++)
        knots[i] = knot(n, t, span - DEGREE + i);
    basis(knots, t[k], out);
    return span - DEGREE;
}

/* Coefficients of the curves, in place of their samples. */
static int64_t spline_solve(int64_t n, const double *t, int n_y, double *y, double *band,
                            int64_t *pivots)
{
    double at[N_DERIVATIVE][ORDER];
    memset(band, 0, (size_t)n * LEADING * sizeof *band);
    for (int64_t k = 0; k < n; k++) {
        int64_t first = basis_of(n, t, k, at);
        for (int r = 0; r < ORDER; r++) {
            int64_t column = first + r, row = DIAGONAL + k - column;
            band[column * LEADING + row] = at[0][r];
        }
    }
    return ml_band_solve(n, DEGREE, DEGREE, n_y, band, pivots, y);
}

static void spline_evaluate(int64_t n, const double *t, int n_y, const double *coefficients,
                            int order, double *out)
{
    double at[N_DERIVATIVE][ORDER];
    for (int64_t k = 0; out && k < n; k++) {
        int64_t first = basis_of(n, t, k, at);
        for (int i = 0; i < n_y; i++) {
            const double *c = coefficients + i * n + first;
            double sum = 0.0;
            for (int r = 0; r < ORDER; r++)
                sum = fma(at[order][r], c[r], sum);
            out[i * n + k] = sum;
        }
    }
}

enum ml_status ml_spline_derivatives(int64_t n, const double *t, int n_y, const double *y,
                                     double *first, double *second, struct ml_error *err)
{
    double *coefficients = malloc((size_t)n * (size_t)n_y * sizeof *coefficients);
    double *band = malloc((size_t)n * LEADING * sizeof *band);
    int64_t *pivots = malloc((size_t)n * sizeof *pivots);
    enum ml_status status = ML_OK;
    if (!coefficients || !band || !pivots) {
        status = ml_fail(err, ML_E_MEMORY, "no memory for a spline");
    } else {
        memcpy(coefficients, y, (size_t)n * (size_t)n_y * sizeof *coefficients);
        if (spline_solve(n, t, n_y, coefficients, band, pivots) != 0)
            status = ml_fail(err, ML_E_INPUT, "the times are too uneven for a spline");
    }
    if (status == ML_OK) {
        spline_evaluate(n, t, n_y, coefficients, 1, first);
        spline_evaluate(n, t, n_y, coefficients, 2, second);
    }
    free(pivots);
    free(band);
    free(coefficients);
    return status;
}
