/* The Durbin-Watson statistic of residuals e = M y, M = 1 - U U^T with the left singular vectors U
 * of the Jacobian, and its distribution for noise without correlation:
 *
 *   d = e^T A e / e^T e,  A the second difference
 *   mean      tr(A M) / T,  T = tr(M)
 *   variance  2 tr((A - mean) M (A - mean) M) / (T (T + 2))
 *
 * exact of a linear model (J. Durbin, G. S. Watson, Biometrika 37, 409, 1950, and 38, 159, 1951,
 * where a beta distribution on [0, 4] with these moments is proposed). All columns together have
 * one such statistic; that of a column takes the part of M of that column, whose trace is T. */
#include "fit/found.h"

#include <math.h>
#include <string.h>

#include "design/distribution.h"
#include "statistics/select.h"

/* Sums over the measured numbers of a column, or of all. */
struct residual_sums {
    double n, squares, differences; /* e^T e, e^T A e */
    double trace, trace_2;          /* of A and A^2 */
    double *s, *b, *c;              /* [n_free][n_free] U^T U, U^T A U, U^T A^2 U */
};

/* Numbers at neighbouring measured times. */
struct residual_rows {
    double u[ML_FIT_MOST], fall[ML_FIT_MOST]; /* of U; less those of the next time */
    double e;
};

/* Mean and variance of d, and the shares of d below and in both tails. */
struct residual_law {
    double mean, variance, chance;
};

static void residuals_add_products(int n, const double *x, double *sums)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sums[i * n + j] += x[i] * x[j];
}

/* Adds the difference between two neighbours, or behind the last time that of nothing. */
static void residuals_add_fall(int n, const double *before, const double *fall,
                               struct residual_sums *to)
{
    double second[ML_FIT_MOST];
    for (int i = 0; i < n; i++)
        second[i] = before[i] - fall[i];
    residuals_add_products(n, fall, to->b);
    residuals_add_products(n, second, to->c);
}

/* Adds column c, in units of its deviation. */
static void residuals_add(const struct ml_fit_found *f, const double *left, int c,
                          struct residual_sums *to)
{
    const struct ml_measured_numbers *m = f->starts->measured;
    const int64_t n_row = ml_fit_rows(f);
    struct residual_rows last = {.e = (double)NAN}, now;
    int64_t n = 0;
    for (int64_t k = 0; k < m->n_time; k++) {
        const double e = 1.0 / m->sd[c][k] * f->residual[c * m->n_time + k];
        if (isnan(e))
            continue;
        now = (struct residual_rows){.e = e};
        for (int i = 0; i < f->n_free; i++) {
            const double least = 1e-12 * f->singular[0];
            const double value = left[i * n_row + c * m->n_time + k];
            now.u[i] = f->singular[i] > least ? value / f->singular[i] : 0.0;
        }
        residuals_add_products(f->n_free, now.u, to->s);
        to->squares += e * e;
        if (n++ > 0) {
            double fall[ML_FIT_MOST];
            for (int i = 0; i < f->n_free; i++)
                fall[i] = now.u[i] - last.u[i];
            to->differences += (e - last.e) * (e - last.e);
            residuals_add_fall(f->n_free, last.fall, fall, to);
            memcpy(now.fall, fall, sizeof fall);
        }
        last = now;
    }
    const double none[ML_FIT_MOST] = {0.0};
    residuals_add_fall(f->n_free, last.fall, none, to);
    to->n += (double)n;
    to->trace += 2.0 * (double)(n - 1);
    to->trace_2 += n > 1 ? 6.0 * (double)n - 8.0 : 0.0;
}

static double residuals_trace(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i * n + i];
    return sum;
}

static double residuals_product(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += a[i] * b[i];
    return sum;
}

static struct residual_law residuals_law(int n, const struct residual_sums *x)
{
    const double t = x->n - residuals_trace(n, x->s), b = residuals_trace(n, x->b);
    const double mean = (x->trace - b) / t;
    const double aa =
                     x->trace_2 - 2.0 * residuals_trace(n, x->c) + residuals_product(n, x->b, x->b),
                 a = x->trace - 2.0 * b + residuals_product(n, x->b, x->s),
                 one = x->n - 2.0 * residuals_trace(n, x->s) + residuals_product(n, x->s, x->s);
    const double variance = 2.0 * (aa - 2.0 * mean * a + mean * mean * one) / (t * (t + 2.0));
    const double share = mean / 4.0, sum = share * (1.0 - share) * 16.0 / variance - 1.0;
    struct residual_law law = {mean, variance, (double)NAN};
    if (t > 1.0 && share > 0.0 && share < 1.0 && variance > 0.0 && sum > 0.0) {
        const struct ml_probability p = ml_beta_probability(share * sum, (1.0 - share) * sum,
                                                            x->differences / x->squares / 4.0);
        law.chance = 2.0 * (double)fminl(p.below, p.above);
    }
    return law;
}

/* Marks the residuals of a column that are far from the others: beyond five standard deviations,
 * which are found by the median of their sizes (1.4826 medians of normal numbers) and grow by the
 * fitted numbers. Sizes are relative to deviations of the numbers that differ. */
static void residuals_find_far(const struct ml_fit_found *f, int c, double *sizes)
{
    enum { LEAST = 10 };
    const struct ml_measured_numbers *m = f->starts->measured;
    struct ml_fit_residuals *out = &f->residuals[c];
    double *e = sizes + m->n_time;
    int64_t n = 0;
    for (int64_t k = 0; k < m->n_time; k++) {
        e[k] = f->residual[c * m->n_time + k] * (m->least_sd[c] / m->sd[c][k]);
        if (!isnan(e[k]))
            sizes[n++] = fabs(e[k]);
    }
    if (n < LEAST || out->is_rounding)
        return;
    out->scale = 1.4826 * ml_upper_median(sizes, n) * sqrt((double)f->n_number / (double)f->dof);
    for (int64_t k = 0; k < m->n_time && out->scale > 0.0; k++) {
        if (isnan(e[k]) || fabs(e[k]) <= ML_FIT_FAR * out->scale)
            continue;
        int at = ML_FIT_NAMED_FAR;
        while (at > 0 && (at > out->n_far || fabs(e[k]) > fabs(e[out->far[at - 1]])))
            at--;
        for (int i = ML_FIT_NAMED_FAR - 1; i > at; i--)
            out->far[i] = out->far[i - 1];
        if (at < ML_FIT_NAMED_FAR)
            out->far[at] = k;
        out->n_far++;
    }
}

static void residuals_clear(int n, struct residual_sums *sums)
{
    double *const s = sums->s;
    memset(s, 0, 3 * (size_t)(n * n) * sizeof *s);
    *sums = (struct residual_sums){.s = s, .b = s + n * n, .c = s + 2 * n * n};
}

bool ml_fit_look_at_residuals(struct ml_fit_found *f, const double *left)
{
    const int n = f->n_free, n_column = f->starts->measured->n_column;
    struct residual_sums all = {0}, own = {0};
    double *sizes =
        ml_pool_take(&f->pool, 2 * (size_t)f->starts->measured->n_time + 1, sizeof *sizes);
    all.s = ml_pool_take(&f->pool, 3 * (size_t)(n * n) + 1, sizeof *all.s);
    own.s = ml_pool_take(&f->pool, 3 * (size_t)(n * n) + 1, sizeof *own.s);
    if (!sizes || !all.s || !own.s)
        return false;
    residuals_clear(n, &all);
    for (int c = 0; c < n_column; c++) {
        struct ml_fit_residuals *out = &f->residuals[c];
        residuals_clear(n, &own);
        residuals_add(f, left, c, &own);
        out->durbin = own.differences / own.squares;
        out->is_coloured = !out->is_rounding && residuals_law(n, &own).chance < ML_FIT_CHANCE;
        if (!out->is_rounding)
            residuals_add(f, left, c, &all);
        residuals_find_far(f, c, sizes);
    }
    const struct residual_law law = residuals_law(n, &all);
    f->chance = law.chance;
    f->seen = 0.5 * 2.5758 * sqrt(law.variance); /* d falls by about twice the correlation */
    return true;
}
