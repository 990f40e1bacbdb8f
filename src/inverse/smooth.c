/* The smoothing spline, see smooth.h. Times are counted in mean intervals from the first sample. */
#include "inverse/spline.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "manylink/fail.h"

enum { ORDER = 3, BAND = ORDER + 1 }; /* of the derivative; diagonals of R + lambda Q'Q */

/* lambda in mean intervals: from next to no smoothing to the least cutoff that doubles resolve,
 * 0.01 rad per sample. */
static const double least_log = -20.7, most_log = 27.6;

/* One set of times, and the numbers of one lambda. Row j of a band has elements (j, j .. j + 3). */
struct spline {
    int64_t n, n_gamma;
    double *u;              /* [n] */
    double (*q)[BAND];      /* [n_gamma] row j of Q', at samples j .. j + 3 */
    double (*r)[BAND];      /* R */
    double (*qq)[BAND];     /* Q'Q */
    double (*l)[BAND];      /* L D L' = R + lambda Q'Q: l[j][0] = D_j, l[j][k] = L_(j + k),j */
    double (*s)[BAND];      /* the inverse of it */
    double *right;          /* [n_gamma] Q'y */
    double *gamma;          /* [n_gamma] */
    double *change;         /* [n] lambda Q gamma */
    double *third, *fourth; /* [n] derivatives at the samples */
    double *memory;
};

static bool smooth_reserve(struct spline *s, int64_t n)
{
    const size_t count = (size_t)n, bands = 5 * BAND;
    *s = (struct spline){.n = n, .n_gamma = n - ORDER};
    s->memory = calloc(count * (bands + 6), sizeof *s->memory);
    if (!s->memory)
        return false;
    double *at = s->memory;
    double(**const band[])[BAND] = {&s->q, &s->r, &s->qq, &s->l, &s->s};
    double **const row[] = {&s->u, &s->right, &s->gamma, &s->change, &s->third, &s->fourth};
    for (size_t i = 0; i < sizeof band / sizeof *band; i++, at += BAND * count)
        *band[i] = (double(*)[BAND])(void *)at;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++, at += count)
        *row[i] = at;
    return true;
}

/* Values at x, in interval i, of M_(i - 2), M_(i - 1) and M_i. */
static void splines_at(const double *u, int64_t n, int64_t i, double x, double out[ORDER])
{
    for (int k = 0; k < ORDER; k++) {
        const int64_t j = i - 2 + k;
        out[k] = 0.0;
        if (j < 0 || j + ORDER >= n)
            continue;
        const double *v = u + j;
        const double rise = (x - v[0]) / (v[2] - v[0]), fall = (v[3] - x) / (v[3] - v[1]);
        const double left = (x - v[0]) / (v[1] - v[0]), right = (v[3] - x) / (v[3] - v[2]);
        const double up = (x - v[1]) / (v[2] - v[1]), down = (v[2] - x) / (v[2] - v[1]);
        const double value = k == 2 ? rise * left : k == 1 ? rise * down + fall * up : fall * right;
        out[k] = ORDER / (v[3] - v[0]) * value;
    }
}

/* R by Gauss's rule of three points, which is exact. */
static void fill_r(struct spline *s)
{
    static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double far = sqrt(0.15), node[3] = {0.5 - far, 0.5, 0.5 + far};
    for (int64_t i = 0; i + 1 < s->n; i++)
        for (int g = 0; g < 3; g++) {
            double m[ORDER];
            const double h = s->u[i + 1] - s->u[i];
            splines_at(s->u, s->n, i, fma(node[g], h, s->u[i]), m);
            for (int a = 0; a < ORDER; a++)
                for (int b = a; b < ORDER; b++)
                    if (i - 2 + a >= 0 && i - 2 + b < s->n_gamma)
                        s->r[i - 2 + a][b - a] += weight[g] * h * m[a] * m[b];
        }
}

/* Q': 3! times divided differences. */
static void fill_q(struct spline *s)
{
    for (int64_t j = 0; j < s->n_gamma; j++)
        for (int k = 0; k < BAND; k++) {
            double product = 1.0;
            for (int l = 0; l < BAND; l++)
                product *= l == k ? 1.0 : s->u[j + k] - s->u[j + l];
            s->q[j][k] = 6.0 / product;
        }
    for (int64_t j = 0; j < s->n_gamma; j++)
        for (int k = 0; k < BAND && j + k < s->n_gamma; k++)
            for (int l = k; l < BAND; l++)
                s->qq[j][k] = fma(s->q[j][l], s->q[j + k][l - k], s->qq[j][k]);
}

/* False if the matrix is not positive to the digits of a double. */
static bool factor(struct spline *s, double lambda)
{
    for (int64_t j = 0; j < s->n_gamma; j++) {
        double row[BAND];
        for (int k = 0; k < BAND; k++)
            row[k] = fma(lambda, s->qq[j][k], s->r[j][k]);
        for (int back = 1; back < BAND && back <= j; back++) {
            const double *before = s->l[j - back];
            for (int k = 0; back + k < BAND; k++)
                row[k] -= before[0] * before[back] * before[back + k];
        }
        if (!(row[0] > 0.0))
            return false;
        s->l[j][0] = row[0];
        for (int k = 1; k < BAND; k++)
            s->l[j][k] = row[k] / row[0];
    }
    return true;
}

/* gamma, and how lambda changes the samples. */
static void smooth_solve(struct spline *s, double lambda)
{
    const int64_t n = s->n_gamma;
    for (int64_t j = 0; j < n; j++) {
        s->gamma[j] = s->right[j];
        for (int k = 1; k < BAND && k <= j; k++)
            s->gamma[j] -= s->l[j - k][k] * s->gamma[j - k];
    }
    for (int64_t j = n - 1; j >= 0; j--) {
        s->gamma[j] /= s->l[j][0];
        for (int k = 1; k < BAND && j + k < n; k++)
            s->gamma[j] -= s->l[j][k] * s->gamma[j + k];
    }
    memset(s->change, 0, (size_t)s->n * sizeof *s->change);
    for (int64_t j = 0; j < n; j++)
        for (int k = 0; k < BAND; k++)
            s->change[j + k] = fma(lambda * s->q[j][k], s->gamma[j], s->change[j + k]);
}

/* Element (j, j + k) of the inverse, 0 outside of the band or of the matrix. */
static double inverse_at(const struct spline *s, int64_t j, int64_t k)
{
    const int64_t first = k < 0 ? j + k : j, apart = k < 0 ? -k : k;
    return first + apart < s->n_gamma && apart < BAND ? s->s[first][apart] : 0.0;
}

/* tr(1 - A) */
static double trace(struct spline *s, double lambda)
{
    double sum = 0.0;
    for (int64_t j = s->n_gamma - 1; j >= 0; j--) {
        const double *l = s->l[j];
        double diagonal = 1.0 / l[0];
        for (int k = 1; k < BAND; k++) {
            double element = 0.0;
            for (int i = 1; i < BAND; i++)
                element -= l[i] * inverse_at(s, j + i, k - i);
            s->s[j][k] = j + k < s->n_gamma ? element : 0.0;
        }
        for (int k = 1; k < BAND; k++)
            diagonal -= l[k] * s->s[j][k];
        s->s[j][0] = diagonal;
        sum = fma(diagonal, s->qq[j][0], sum);
        for (int k = 1; k < BAND; k++)
            sum = fma(2.0 * s->s[j][k], s->qq[j][k], sum);
    }
    return lambda * sum;
}

/* Score that cross-validation minimises. */
static double score(struct spline *s, double log_lambda)
{
    const double lambda = exp(log_lambda);
    double sum = 0.0;
    if (!factor(s, lambda))
        return (double)INFINITY;
    smooth_solve(s, lambda);
    for (int64_t i = 0; i < s->n; i++)
        sum = fma(s->change[i], s->change[i], sum);
    const double freedom = trace(s, lambda);
    return (double)s->n * sum / (freedom * freedom);
}

/* The best of a row of logarithms, then by golden section between its neighbours. */
static double best_log(struct spline *s)
{
    enum { TRIES = 48, CUTS = 36 };
    const double golden = 0.6180339887498949, step = (most_log - least_log) / TRIES;
    double best = (double)INFINITY, at = least_log;
    for (int i = 0; i <= TRIES; i++) {
        const double x = fma(i, step, least_log), value = score(s, x);
        at = value < best ? x : at;
        best = value < best ? value : best;
    }
    double low = fmax(at - step, least_log), high = fmin(at + step, most_log);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = score(s, a), at_b = score(s, b);
    for (int i = 0; i < CUTS; i++)
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low), at_a = score(s, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low), at_b = score(s, b);
        }
    return 0.5 * (low + high);
}

/* Third and fourth derivative at the samples: of degree 2 and 1 in between. */
static void fill_third(struct spline *s)
{
    const double *u = s->u;
    s->third[0] = s->fourth[0] = s->third[s->n - 1] = s->fourth[s->n - 1] = 0.0;
    for (int64_t i = 1; i + 1 < s->n; i++) {
        const double wide = u[i + 1] - u[i - 1];
        const bool has_low = i >= 2, has_high = i + 2 < s->n;
        const double low = has_low ? s->gamma[i - 2] / (u[i + 1] - u[i - 2]) : 0.0;
        const double high = has_high ? s->gamma[i - 1] / (u[i + 2] - u[i - 1]) : 0.0;
        s->third[i] = 3.0 * (low * (u[i + 1] - u[i]) + high * (u[i] - u[i - 1])) / wide;
        s->fourth[i] = 6.0 * (high - low) / wide;
    }
}

/* Part of the spline a step h from sample i that the third and higher derivatives have, divided by
 * h, and of its first and second derivative. */
static void add_higher(const struct spline *s, int64_t i, double h, double out[3])
{
    const int64_t next = h > 0.0 ? i + 1 : i - 1;
    const double d3 = s->third[i], d4 = s->fourth[i], d5 = (s->fourth[next] - d4) / h;
    out[0] = h * h * (d3 / 6.0 + h * (d4 / 24.0 + h * d5 / 120.0));
    out[1] = h * h * (d3 / 2.0 + h * (d4 / 6.0 + h * d5 / 24.0));
    out[2] = h * (d3 + h * (d4 / 2.0 + h * d5 / 6.0));
}

/* First and second derivative at sample i, neither the first nor the last, by the values beside. */
static void derivatives_at(const struct spline *s, const double *g, int64_t i, double out[2])
{
    const double right = s->u[i + 1] - s->u[i], left = s->u[i] - s->u[i - 1];
    double up[3], down[3];
    add_higher(s, i, right, up);
    add_higher(s, i, -left, down);
    const double ahead = (g[i + 1] - g[i]) / right - up[0];
    const double behind = (g[i] - g[i - 1]) / left - down[0];
    out[1] = 2.0 * (ahead - behind) / (right + left);
    out[0] = ahead - out[1] * right / 2.0;
}

static void smooth_differentiate(struct spline *s, const double *g, double unit, double *first,
                                 double *second)
{
    fill_third(s);
    for (int64_t i = 0; i < s->n; i++) {
        const int64_t inner = i == 0 ? 1 : i == s->n - 1 ? s->n - 2 : i;
        const double h = s->u[i] - s->u[inner];
        double at[2], higher[3] = {0.0};
        derivatives_at(s, g, inner, at);
        if (inner != i)
            add_higher(s, inner, h, higher);
        if (first)
            first[i] = (at[0] + at[1] * h + higher[1]) / unit;
        if (second)
            second[i] = (at[1] + higher[2]) / (unit * unit);
    }
}

/* Q'y */
static void fill_right(struct spline *s, const double *y)
{
    for (int64_t j = 0; j < s->n_gamma; j++) {
        s->right[j] = 0.0;
        for (int k = 0; k < BAND; k++)
            s->right[j] = fma(s->q[j][k], y[j + k], s->right[j]);
    }
}

enum ml_status ml_smooth(int64_t n, const double *t, const struct ml_smoothed *curves,
                         struct ml_error *err)
{
    struct spline s;
    const double unit = (t[n - 1] - t[0]) / (double)(n - 1);
    if (!smooth_reserve(&s, n))
        return ml_fail(err, ML_E_MEMORY, "no memory for a spline");
    for (int64_t i = 0; i < n; i++)
        s.u[i] = (t[i] - t[0]) / unit;
    fill_r(&s);
    fill_q(&s);
    enum ml_status status = ML_OK;
    for (int c = 0; c < curves->n_y && status == ML_OK; c++) {
        double *curve = curves->y + c * n;
        fill_right(&s, curve);
        const double log_lambda = best_log(&s);
        if (!isfinite(score(&s, log_lambda))) {
            status = ml_fail(err, ML_E_INPUT, "the times are too uneven for a spline");
            break;
        }
        for (int64_t i = 0; i < n; i++)
            curve[i] -= s.change[i];
        smooth_differentiate(&s, curve, unit, curves->first ? curves->first + c * n : NULL,
                             curves->second ? curves->second + c * n : NULL);
        if (curves->cutoff)
            curves->cutoff[c] = exp(-log_lambda / 6.0) / (2.0 * ML_PI * unit);
    }
    free(s.memory);
    return status;
}
