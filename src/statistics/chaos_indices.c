/* Least squares of the terms, and indices of the coefficients. With Psi' Psi = L L' the columns of
 * Psi inv(L)' are orthonormal and do not change with further terms: one factorisation has the fits
 * of all degrees, and the leverage of a run is the sum of squares of its row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/chaos.h"
#include "statistics/resample.h"

enum { LEAST_RUNS = 8, MOST_RUNS = 16384 };

static const double most_work = 2e9; /* runs by terms squared */
static const double least_explained = 0.5;
static const double least_pivot = 1e-8; /* of the mean square of a term beside the terms before */

struct fit {
    struct ml_chaos_basis basis;
    const double *y;    /* [basis.n] */
    double *factor;     /* [n_term][n_term] L, lower triangle */
    double *projection; /* [n_term] inv(L) Psi' y */
    double *row;        /* [n_term] of a run */
    double *values;     /* [n_term] coefficients */
    int degree, n_term; /* chosen */
    double left_out;    /* mean square of errors of runs left out */
    double noise;       /* variance of the residuals */
};

static double *factor_row(const struct fit *f, int t)
{
    return f->factor + (ptrdiff_t)t * f->basis.n_term;
}

/* Psi' Psi and Psi' y. */
static void add_runs(struct fit *f)
{
    const int n = f->basis.n_term;
    for (int64_t r = 0; r < f->basis.n; r++) {
        ml_chaos_basis_row(&f->basis, r, f->row);
        for (int t = 0; t < n; t++) {
            double *to = factor_row(f, t);
            const double value = f->row[t];
            f->projection[t] += value * f->y[r];
            for (int u = 0; u <= t; u++)
                to[u] += value * f->row[u];
        }
    }
}

/* Solves L w = row in place. A term that the terms before it have already has a pivot of 0: it is
 * left out. */
static void forward(const struct fit *f, int n, double *row)
{
    for (int t = 0; t < n; t++) {
        const double *l = factor_row(f, t);
        double sum = row[t];
        for (int u = 0; u < t; u++)
            sum -= l[u] * row[u];
        row[t] = l[t] > 0.0 ? sum / l[t] : 0.0;
    }
}

static void factorise(struct fit *f)
{
    for (int t = 0; t < f->basis.n_term; t++) {
        double *l = factor_row(f, t), pivot = l[t];
        forward(f, t, l);
        for (int u = 0; u < t; u++)
            pivot -= l[u] * l[u];
        l[t] = pivot > least_pivot * (double)f->basis.n ? sqrt(pivot) : 0.0;
    }
    forward(f, f->basis.n_term, f->projection);
}

/* Chooses the degree whose errors of runs left out are smallest; an error is the residual over 1
 * less the leverage. */
static void choose_degree(struct fit *f)
{
    double errors[ML_CHAOS_DEGREE + 1] = {0.0}, squares[ML_CHAOS_DEGREE + 1] = {0.0};
    const double n = (double)f->basis.n;
    for (int64_t r = 0; r < f->basis.n; r++) {
        double fitted = 0.0, leverage = 0.0;
        ml_chaos_basis_row(&f->basis, r, f->row);
        forward(f, f->basis.n_term, f->row);
        for (int t = 0; t < f->basis.n_term; t++) {
            const int degree = f->basis.terms[t].degree;
            fitted += f->row[t] * f->projection[t];
            leverage += f->row[t] * f->row[t];
            if (t + 1 < f->basis.n_term && f->basis.terms[t + 1].degree == degree)
                continue;
            const double residual = f->y[r] - fitted,
                         error = residual / fmax(1.0 - leverage, 1e-10);
            errors[degree] += error * error;
            squares[degree] += residual * residual;
        }
    }
    f->degree = 1;
    for (int d = 2; d <= f->basis.degree; d++)
        f->degree = errors[d] < errors[f->degree] ? d : f->degree;
    f->n_term = ml_chaos_basis_terms(&f->basis, f->degree);
    f->left_out = errors[f->degree] / n;
    f->noise = squares[f->degree] / (n - f->n_term);
}

/* Coefficients: inv(L') of the projections. */
static void find_values(struct fit *f)
{
    memcpy(f->values, f->projection, (size_t)f->n_term * sizeof *f->values);
    for (int t = f->n_term - 1; t >= 0; t--) {
        const double *l = factor_row(f, t);
        f->values[t] = l[t] > 0.0 ? f->values[t] / l[t] : 0.0;
        for (int u = 0; u < t; u++)
            f->values[u] -= l[u] * f->values[t];
    }
}

/* Indices of coefficients, of which each has noise / n of its square by chance `chance` times.
 *   out  [2][n_input] first order, total; NaN if no variance remains */
static void find_shares(const struct fit *f, const double *values, double chance, double *out)
{
    const struct ml_chaos_term *terms = f->basis.terms;
    const int n = f->basis.n_input;
    double variance = 0.0;
    memset(out, 0, 2 * (size_t)n * sizeof *out);
    for (int t = 1; t < f->n_term; t++) {
        const double share = values[t] * values[t] - chance * f->noise / (double)f->basis.n;
        variance += share;
        if (terms[t].parent == 0)
            out[terms[t].input] += share;
        for (int u = t; u > 0; u = terms[u].parent)
            out[n + terms[u].input] += share;
    }
    for (int i = 0; i < 2 * n; i++)
        out[i] = variance > 0.0 ? out[i] / variance : (double)NAN;
}

/* A number with mean 0 and variance 1: of twelve uniform numbers the sum, less 6. */
static double draw_normal(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += (double)(ml_resample_random(state) >> 11) * 0x1p-53;
    return sum;
}

/* Halves of intervals: the spread of the indices of coefficients with noise.
 *   drawn  [n_term], shares  [2 n_input], spread  [2 n_input] room */
static void find_intervals(const struct fit *f, int n_resample, double *drawn, double *shares,
                           struct ml_spread *spread)
{
    const double deviation = sqrt(f->noise / (double)f->basis.n);
    uint64_t state = 1;
    for (int r = 0; r < n_resample; r++) {
        for (int t = 0; t < f->n_term; t++)
            drawn[t] = f->values[t] + deviation * draw_normal(&state);
        find_shares(f, drawn, 2.0, shares);
        for (int i = 0; i < 2 * f->basis.n_input; i++)
            ml_spread_add(&spread[i], shares[i]);
    }
}

/* Of inputs that are too many the polynomial has degree 0. False without memory. */
static bool take_fit(struct fit *f, const struct ml_complete *complete)
{
    const int64_t n = complete->n < MOST_RUNS ? complete->n : MOST_RUNS;
    const int64_t half = n / 2;
    const int most = (int)fmin((double)half, sqrt(most_work / (double)n));
    f->y = complete->y;
    if (most < 1 + complete->inputs->n_input)
        return true;
    if (!ml_chaos_basis_make(&f->basis, complete, n, most))
        return false;
    const size_t n_term = (size_t)f->basis.n_term;
    f->factor = calloc(n_term * n_term, sizeof *f->factor);
    f->projection = calloc(n_term, sizeof *f->projection);
    f->row = malloc(n_term * sizeof *f->row);
    f->values = malloc(n_term * sizeof *f->values);
    return f->factor && f->projection && f->row && f->values;
}

static void drop_fit(struct fit *f)
{
    ml_chaos_basis_free(&f->basis);
    free(f->factor);
    free(f->projection);
    free(f->row);
    free(f->values);
}

/* Sums of a run: the square of the polynomial without its constant, and for each input that of the
 * terms of the input alone, and of all terms that have the input.
 *   parts  [1 + 2 n_input] room */
static void add_parts(const struct fit *f, int64_t run, double *parts, double *sums)
{
    const struct ml_chaos_term *terms = f->basis.terms;
    const int n = f->basis.n_input;
    memset(parts, 0, (1 + 2 * (size_t)n) * sizeof *parts);
    ml_chaos_basis_row(&f->basis, run, f->row);
    for (int t = 1; t < f->n_term; t++) {
        const double part = f->values[t] * f->row[t];
        parts[0] += part;
        if (terms[t].parent == 0)
            parts[1 + terms[t].input] += part;
        for (int u = t; u > 0; u = terms[u].parent)
            parts[1 + n + terms[u].input] += part;
    }
    for (int i = 0; i <= 2 * n; i++)
        sums[i] += parts[i] * parts[i];
}

static void estimate_parts(const void *context, const double *sums, double *out)
{
    const int n = *(const int *)context;
    for (int i = 0; i < 2 * n; i++)
        out[i] = sums[1 + i] / sums[0];
}

/* Halves of intervals: the spread of the indices over resamples of the runs, of which the variances
 * of the terms are. False without memory.
 *   found  [2 n_input] out */
static bool find_sampling(const struct fit *f, int n_resample, struct ml_index *found)
{
    const int n = f->basis.n_input, n_sum = 1 + 2 * n;
    struct ml_resamples resamples;
    double *sums = calloc((ML_RESAMPLE_GROUPS + 1) * (size_t)n_sum, sizeof *sums);
    bool is_done = ml_resamples_draw(&resamples, f->basis.n, n_resample) && sums;
    for (int64_t r = 0; is_done && r < f->basis.n; r++)
        add_parts(f, r, sums + (int64_t)ML_RESAMPLE_GROUPS * n_sum,
                  sums + ml_resamples_group(&resamples, r) * n_sum);
    is_done =
        is_done && ml_resamples_estimate(&resamples, n_sum, sums, estimate_parts, &n, 2 * n, found);
    ml_resamples_free(&resamples);
    free(sums);
    return is_done;
}

/* Over n runs the other factors of an interaction have means near 0, not 0: by chance a part of the
 * interactions, chi^2 / n of one degree of freedom, is counted as first order. */
static void widen_first(const struct fit *f, struct ml_chaos_indices *out)
{
    const double chi = 1.96 * 1.96 / (double)f->basis.n;
    for (int i = 0; i < f->basis.n_input; i++)
        out->first[i].half += chi * fmax(out->total[i].value - out->first[i].value, 0.0);
}

/* False without memory. */
static bool write_indices(const struct fit *f, int n_resample, struct ml_chaos_indices *out)
{
    const int n = f->basis.n_input;
    double *shares = malloc(2 * (size_t)n * sizeof *shares + 1);
    struct ml_spread *spread = calloc(2 * (size_t)n + 1, sizeof *spread);
    struct ml_index *sampling = calloc(2 * (size_t)n + 1, sizeof *sampling);
    const bool is_done =
        shares && spread && sampling && (out->is_even || find_sampling(f, n_resample, sampling));
    if (is_done) {
        find_intervals(f, n_resample, f->row, shares, spread);
        find_shares(f, f->values, 1.0, shares);
        for (int i = 0; i < 2 * n; i++) {
            const double noise = ml_spread_half(&spread[i]), of_runs = sampling[i].half;
            *(i < n ? &out->first[i] : &out->total[i - n]) =
                (struct ml_index){shares[i], sqrt(noise * noise + of_runs * of_runs)};
        }
    }
    if (is_done && !out->is_even)
        widen_first(f, out);
    free(shares);
    free(spread);
    free(sampling);
    return is_done;
}

int ml_chaos_indices_find(const struct ml_given_inputs *inputs, const double *y, int n_resample,
                          struct ml_chaos_indices *out)
{
    struct ml_complete complete;
    struct fit f = {.degree = 0};
    double square = 0.0;
    bool has_room = ml_complete_find(&complete, inputs, y);
    out->n_complete = complete.n;
    out->n_used = complete.n < MOST_RUNS ? complete.n : MOST_RUNS;
    bool is_found = has_room && complete.n >= LEAST_RUNS && complete.n >= 2 * inputs->n_input + 2;
    if (is_found)
        has_room = take_fit(&f, &complete);
    is_found = is_found && has_room && f.basis.degree > 0;
    for (int64_t r = 0; is_found && r < f.basis.n; r++)
        square += complete.y[r] * complete.y[r];
    is_found = is_found && square > 0.0;
    if (is_found) {
        add_runs(&f);
        factorise(&f);
        choose_degree(&f);
        find_values(&f);
        out->degree = f.degree;
        out->n_term = f.n_term;
        out->explained = 1.0 - f.left_out * (double)f.basis.n / square;
        is_found = out->explained > least_explained;
    }
    if (is_found)
        has_room = write_indices(&f, n_resample, out);
    drop_fit(&f);
    ml_complete_free(&complete);
    return has_room ? is_found && isfinite(out->first[0].value) : ML_INDEX_NO_MEMORY;
}
