/* Poincare constants of distributions: closed forms of uniform and normal ones; of others 1/lambda,
 * with lambda the least eigenvalue > 0 of (p f')' = -lambda p f, p f' = 0 at both ends (O.
 * Roustant, F. Barthe, B. Iooss, Electron. J. Stat. 11, 3081, 2017), for the density p of a fine
 * histogram. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pi.h"
#include "design/distribution.h"
#include "manylink/indices.h"

enum { N_CELL = 4096 };

struct histogram {
    int64_t n;
    double *width, *mass; /* [n] */
};

/* Cells between quantiles at equal steps of the normal score, which are short in both tails. */
static bool find_cells(const struct ml_distribution *d, bool is_log, struct histogram *out)
{
    const long double far = 8.0L, step = 2.0L * far / N_CELL;
    double before = (double)NAN;
    for (int k = 0; k <= N_CELL; k++) {
        const struct ml_probability low = ml_normal_probability(step * (k - 1) - far),
                                    high = ml_normal_probability(step * k - far);
        const double x = ml_distribution_quantile(d, high), at = is_log ? log(x) : x;
        if (k > 0) {
            out->width[k - 1] = at - before;
            out->mass[k - 1] =
                (double)(k <= N_CELL / 2 ? high.below - low.below : low.above - high.above);
            if (!isfinite(at - before))
                return false;
        }
        before = at;
    }
    return true;
}

/* The intervals of a table, with equal weights if none are given. */
static bool find_intervals(const struct ml_distribution *d, struct histogram *out)
{
    bool is_finite = true;
    for (int64_t k = 0; k < out->n; k++) {
        out->width[k] = d->values[k + 1] - d->values[k];
        out->mass[k] = d->weights ? d->weights[k] : 1.0;
        is_finite &= isfinite(out->width[k]) && out->width[k] >= 0.0;
    }
    return is_finite;
}

static double find_variance(const struct histogram *h)
{
    double at = 0.0, total = 0.0, mean = 0.0, squares = 0.0;
    for (int64_t k = 0; k < h->n; k++) {
        const double middle = at + 0.5 * h->width[k], change = middle - mean;
        total += h->mass[k];
        mean += h->mass[k] > 0.0 ? change * h->mass[k] / total : 0.0;
        squares += h->mass[k] * (change * (middle - mean) + h->width[k] * h->width[k] / 12.0);
        at += h->width[k];
    }
    return squares / total;
}

/* Whether p f' of the solution from the lower end, with f = -1 and p f' = 0 there, is 0 again
 * before the upper end: lambda is above the eigenvalue, of whose function f' has no zero inside. In
 * a cell p f' is a sine, with two zeros only if the cell is as long as half of its wave. */
static bool is_above(const struct histogram *h, double lambda)
{
    const double omega = sqrt(lambda);
    double f = -1.0, flux = 0.0;
    for (int64_t k = 0; k < h->n; k++) {
        const double phase = omega * h->width[k], before = f;
        if (phase > 0.0 && h->mass[k] > 0.0) {
            const double impedance = omega * h->mass[k] / h->width[k];
            f = cos(phase) * before + sin(phase) * flux / impedance;
            flux = cos(phase) * flux - sin(phase) * impedance * before;
        } else {
            flux -= lambda * h->mass[k] * f;
        }
        if (flux < 0.0 || (flux == 0.0 && h->mass[k] > 0.0) || phase > ML_PI)
            return true;
    }
    return false;
}

/* The variance, that of f(x) = x, is the least that the constant may be. */
static double find_constant(const struct histogram *h)
{
    const double variance = find_variance(h);
    double low = 1.0 / variance, high = low * (1.0 + 1e-9);
    if (!(variance > 0.0) || !isfinite(low))
        return (double)NAN;
    for (int i = 0; i < 64 && is_above(h, low); i++) {
        high = low;
        low *= 0.5;
    }
    for (int i = 0; i < 52; i++) {
        const double middle = 0.5 * (low + high);
        *(is_above(h, middle) ? &high : &low) = middle;
    }
    return 1.0 / low;
}

/* Whether no number lies between two parts of the distribution: a function that is constant on both
 * parts has a variance without a derivative. */
static bool has_gap(const struct ml_distribution *d)
{
    bool is_before = false, is_gap = false;
    for (int64_t k = 0; d->weights && k < d->n_value - 1; k++) {
        if (d->weights[k] > 0.0 && is_before && is_gap)
            return true;
        is_gap = !(d->weights[k] > 0.0);
        is_before |= !is_gap;
    }
    return false;
}

static double find_numerically(const struct ml_distribution *d, bool is_log)
{
    const bool is_table = d->kind == ML_TABULATED;
    const int64_t n = is_table ? d->n_value - 1 : N_CELL;
    double *room = malloc(2 * (size_t)n * sizeof *room + 1);
    struct histogram h = {n, room, room + n};
    const bool is_found =
        room && !has_gap(d) && (is_table ? find_intervals(d, &h) : find_cells(d, is_log, &h));
    const double constant = is_found ? find_constant(&h) : (double)NAN;
    free(room);
    return constant;
}

static double squared(double x) { return x * x; }

static struct ml_distribution as_drawn(const struct ml_input_distribution *of)
{
    struct ml_distribution d = {.kind = 0,
                                .is_log = of->is_log != 0,
                                .from = of->from,
                                .to = of->to,
                                .mean = of->mean,
                                .sd = of->sd,
                                .cv = (double)NAN,
                                .mode = of->mode,
                                .alpha = of->alpha,
                                .beta = of->beta,
                                .values = of->values,
                                .weights = of->weights,
                                .n_value = of->n_value};
    while (d.kind < ML_N_DISTRIBUTION && strcmp(ml_distributions[d.kind].word, of->kind) != 0)
        d.kind++;
    return d;
}

double ml_poincare_constant(const struct ml_input_distribution *distribution)
{
    const struct ml_distribution d = as_drawn(distribution);
    const bool is_cut = isfinite(d.from) || isfinite(d.to);
    switch (d.kind) {
    case ML_UNIFORM:
        return squared((d.is_log ? log(d.to / d.from) : d.to - d.from) / ML_PI);
    case ML_NORMAL:
        return is_cut ? find_numerically(&d, false) : squared(d.sd);
    case ML_LOGNORMAL:
        return is_cut ? find_numerically(&d, true) : log1p(squared(d.sd / d.mean));
    case ML_TRIANGULAR:
    case ML_BETA:
        return find_numerically(&d, false);
    case ML_TABULATED:
        return d.values && d.n_value > 1 ? find_numerically(&d, false) : (double)NAN;
    default:
        return (double)NAN;
    }
}
