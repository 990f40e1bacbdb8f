/* Quantiles in long double, whose functions have the same bits on every processor of a kind,
 * rounded once. */
#include "design/distribution.h"

#include <math.h>

const struct ml_distribution_info ml_distributions[ML_N_DISTRIBUTION] = {
    [ML_UNIFORM] = {"uniform", "all numbers between the ends alike", {"from", "to"}, {"scale"}},
    [ML_NORMAL] = {"normal",
                   "normal, by mean and standard deviation; cut off at the ends that are given",
                   {"mean", "sd"},
                   {"from", "to"}},
    [ML_LOGNORMAL] =
        {"lognormal",
         "with a normal logarithm, by mean and standard deviation of the number itself",
         {"mean", "sd"},
         {"from", "to"}},
    [ML_TRIANGULAR] = {"triangular",
                       "rising from `from` to `mode`, falling to `to`",
                       {"from", "mode", "to"},
                       {0}},
    [ML_BETA] = {"beta",
                 "beta distribution between the ends, of exponents alpha - 1 and beta - 1",
                 {"from", "to", "alpha", "beta"},
                 {0}},
    [ML_DISCRETE] = {"discrete",
                     "one of the values, each as often as its weight says",
                     {"values"},
                     {"weights"}},
    [ML_TABULATED] =
        {"table",
         "a histogram: in each interval between the values as often as its weight says, "
         "everywhere alike; without weights the values are quantiles at equal steps of "
         "the probability",
         {"values"},
         {"weights"}},
};

struct ml_probability ml_probability_of(double u)
{
    const long double below = (long double)u + 0x1p-54L;
    return (struct ml_probability){below, 1.0L - below};
}

static long double normal_density(long double z)
{
    return 0.398942280401432677939946059934381868L * expl(-0.5L * z * z);
}

struct ml_probability ml_normal_probability(long double z)
{
    const long double root_half = 0.707106781186547524400844362104849039L;
    return (struct ml_probability){0.5L * erfcl(-z * root_half), 0.5L * erfcl(z * root_half)};
}

/* Hastings' approximation (Abramowitz and Stegun 26.2.23), with an error below 4.5e-4, and two
 * steps of Halley's iteration, which make the error the third power each. */
long double ml_normal_quantile(struct ml_probability p)
{
    const bool is_low = p.below < p.above;
    const long double tail = is_low ? p.below : p.above, t = sqrtl(-2.0L * logl(tail));
    long double z = t - (2.515517L + t * (0.802853L + t * 0.010328L)) /
                            (1.0L + t * (1.432788L + t * (0.189269L + t * 0.001308L)));
    for (int i = 0; i < 2; i++) {
        const long double error = (tail - ml_normal_probability(z).above) / normal_density(z);
        z -= error / (1.0L + 0.5L * z * error);
    }
    return is_low ? -z : z;
}

/* The probability p of the part of a distribution between two others. */
static struct ml_probability between(struct ml_probability low, struct ml_probability high,
                                     struct ml_probability p)
{
    const long double part = low.below < 0.5L ? high.below - low.below : low.above - high.above;
    return (struct ml_probability){low.below + p.below * part, high.above + p.above * part};
}

/* A normal number z with mean m and deviation s, between the ends that are finite. */
static long double cut_normal(long double m, long double s, long double from, long double to,
                              struct ml_probability p)
{
    const struct ml_probability low = isfinite(from) ? ml_normal_probability((from - m) / s)
                                                     : (struct ml_probability){0.0L, 1.0L};
    const struct ml_probability high =
        isfinite(to) ? ml_normal_probability((to - m) / s) : (struct ml_probability){1.0L, 0.0L};
    return m + s * ml_normal_quantile(between(low, high, p));
}

double ml_distribution_deviation(const struct ml_distribution *d)
{
    return isnan(d->sd) ? d->cv * fabs(d->mean) : d->sd;
}

/* log X of a lognormal number X is normal with the variance log(1 + (sd/mean)^2). */
struct ml_normal_law ml_distribution_law(const struct ml_distribution *d)
{
    const long double mean = (long double)d->mean, sd = (long double)ml_distribution_deviation(d),
                      ratio = sd / mean;
    const long double variance = log1pl(ratio * ratio);
    return d->kind == ML_LOGNORMAL
               ? (struct ml_normal_law){logl(mean) - 0.5L * variance, sqrtl(variance)}
               : (struct ml_normal_law){mean, sd};
}

static long double lognormal(const struct ml_distribution *d, struct ml_probability p)
{
    const struct ml_normal_law law = ml_distribution_law(d);
    const long double from = d->from > 0.0 ? logl((long double)d->from) : (long double)NAN;
    const long double to = isnan(d->to) ? (long double)NAN : logl((long double)d->to);
    return expl(cut_normal(law.mean, law.sd, from, to, p));
}

static long double triangular(const struct ml_distribution *d, struct ml_probability p)
{
    const long double width = (long double)d->to - (long double)d->from;
    const long double rise = (long double)d->mode - (long double)d->from, fall = width - rise;
    return p.below * width < rise ? (long double)d->from + sqrtl(p.below * width * rise)
                                  : (long double)d->to - sqrtl(p.above * width * fall);
}

/* The continued fraction of the regularised incomplete beta function by Lentz's method (DLMF
 * 8.17.22), fast for x < (a + 1)/(a + b + 2). */
static long double beta_fraction(long double x, long double a, long double b)
{
    enum { MOST_TERMS = 10000 };
    const long double tiny = 1e-4000L;
    long double c = 1.0L, d = 1.0L - (a + b) * x / (a + 1.0L), value;
    d = 1.0L / (fabsl(d) < tiny ? tiny : d);
    value = d;
    for (int m = 1; m < MOST_TERMS; m++) {
        const long double k = m, even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
                          odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        for (int half = 0; half < 2; half++) {
            const long double term = half ? odd : even;
            d = 1.0L + term * d;
            c = 1.0L + term / c;
            d = 1.0L / (fabsl(d) < tiny ? tiny : d);
            c = fabsl(c) < tiny ? tiny : c;
            value *= c * d;
        }
        if (fabsl(c * d - 1.0L) < 0x1p-62L)
            break;
    }
    return value;
}

/* A beta distribution on [0, 1] seen from one of its ends. */
struct beta_law {
    long double a, b, log_b; /* exponents at this end and the other; log B(a, b) */
};

/* x^a (1 - x)^b / B(a, b) */
static long double beta_front(const struct beta_law *law, long double x, long double y)
{
    return expl(law->a * logl(x) + law->b * logl(y) - law->log_b);
}

/* The probability of numbers below x = 1 - y. */
static struct ml_probability beta_probability(const struct beta_law *law, long double x,
                                              long double y)
{
    const long double a = law->a, b = law->b, front = beta_front(law, x, y);
    if (x < (a + 1.0L) / (a + b + 2.0L)) {
        const long double below = front * beta_fraction(x, a, b) / a;
        return (struct ml_probability){below, 1.0L - below};
    }
    const long double above = front * beta_fraction(y, b, a) / b;
    return (struct ml_probability){1.0L - above, above};
}

struct ml_probability ml_beta_probability(double alpha, double beta, double x)
{
    const long double a = (long double)alpha, b = (long double)beta;
    const struct beta_law law = {a, b, lgammal(a) + lgammal(b) - lgammal(a + b)};
    return x <= 0.0   ? (struct ml_probability){0.0L, 1.0L}
           : x >= 1.0 ? (struct ml_probability){1.0L, 0.0L}
                      : beta_probability(&law, (long double)x, 1.0L - (long double)x);
}

/* The quantile of a probability p whose number is below 1/2: Newton's iteration in log x, kept in
 * an interval that is halved where a step would leave the interval. */
static long double beta_below_half(const struct beta_law *law, struct ml_probability p)
{
    enum { MOST_STEPS = 200 };
    long double low = -11000.0L, high = logl(0.5L), log_x = 0.5L * high;
    for (int i = 0; i < MOST_STEPS && high - low > 0x1p-62L * fabsl(low); i++) {
        const long double x = expl(log_x), y = -expm1l(log_x);
        const struct ml_probability at = beta_probability(law, x, y);
        const long double error = p.below < 0.5L ? at.below - p.below : p.above - at.above;
        if (error > 0.0L)
            high = log_x;
        else
            low = log_x;
        const long double slope = beta_front(law, x, y) / y, next = log_x - error / slope;
        if (fabsl(next - log_x) < 0x1p-58L)
            return expl(next);
        log_x = next > low && next < high ? next : 0.5L * (low + high);
    }
    return expl(log_x);
}

static long double beta(const struct ml_distribution *d, struct ml_probability p)
{
    const long double a = (long double)d->alpha, b = (long double)d->beta;
    const long double from = (long double)d->from, to = (long double)d->to;
    const long double log_b = lgammal(a) + lgammal(b) - lgammal(a + b);
    const struct beta_law rising = {a, b, log_b}, falling = {b, a, log_b};
    const bool is_low = p.below < beta_probability(&rising, 0.5L, 0.5L).below;
    const struct ml_probability other = {p.above, p.below};
    return is_low ? from + (to - from) * beta_below_half(&rising, p)
                  : to - (to - from) * beta_below_half(&falling, other);
}

static double discrete(const struct ml_distribution *d, struct ml_probability p)
{
    long double sum = 0.0L, below = 0.0L;
    int64_t i = 0;
    for (int64_t k = 0; k < d->n_value; k++)
        sum += d->weights ? (long double)d->weights[k] : 1.0L;
    for (; i < d->n_value - 1; i++) {
        below += d->weights ? (long double)d->weights[i] : 1.0L;
        if (p.below * sum < below)
            break;
    }
    return d->values[i];
}

static long double tabulated(const struct ml_distribution *d, struct ml_probability p)
{
    long double sum = 0.0L, below = 0.0L, before = 0.0L, own = 1.0L;
    int64_t i = 0;
    for (int64_t k = 0; k < d->n_value - 1; k++)
        sum += d->weights ? (long double)d->weights[k] : 1.0L;
    for (int64_t k = 0; k < d->n_value - 1 && p.below * sum >= below; k++) {
        const long double weight = d->weights ? (long double)d->weights[k] : 1.0L;
        if (weight > 0.0L) {
            i = k;
            own = weight;
            before = below;
        }
        below += weight;
    }
    const long double low = (long double)d->values[i], high = (long double)d->values[i + 1];
    return low + (high - low) * fminl((p.below * sum - before) / own, 1.0L);
}

double ml_distribution_quantile(const struct ml_distribution *distribution, struct ml_probability p)
{
    const struct ml_distribution *d = distribution;
    long double value = 0.0L;
    switch (d->kind) {
    case ML_NORMAL:
        value = cut_normal((long double)d->mean, (long double)ml_distribution_deviation(d),
                           (long double)d->from, (long double)d->to, p);
        break;
    case ML_LOGNORMAL:
        value = lognormal(d, p);
        break;
    case ML_TRIANGULAR:
        value = triangular(d, p);
        break;
    case ML_BETA:
        value = beta(d, p);
        break;
    case ML_DISCRETE:
        return discrete(d, p);
    case ML_TABULATED:
        value = tabulated(d, p);
        break;
    default:
        break;
    }
    return fmin(fmax((double)value, d->from), d->to); /* NaN: no end */
}
