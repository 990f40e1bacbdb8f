/* Moments, quantiles and ranks against numpy 1.24 and scipy 1.10 (values in tables below), and the
 * coverage of the intervals of quantiles against the binomial distribution in closed form. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "statistics/moments.h"
#include "statistics/order.h"
#include "statistics/quantile.h"

enum { N = 1000 };

/* The values of numpy's np.sin(np.arange(1, 1001)**2) * np.exp(np.arange(1, 1001) / 200). */
static void fill(double *values)
{
    for (int i = 1; i <= N; i++)
        values[i - 1] = sin((double)i * i) * exp(i / 200.0);
}

static void sort(const double *values, int64_t n, double *ascending)
{
    int64_t *order = malloc((size_t)n * sizeof *order);
    struct ml_order_key *work = malloc(2 * (size_t)n * sizeof *work);
    if (!order || !work)
        exit(1);
    ml_order_find(values, n, order, work);
    for (int64_t i = 0; i < n; i++)
        ascending[i] = values[order[i]];
    free(order);
    free(work);
}

static void moments_are_numpys(void)
{
    double values[N];
    fill(values);
    const struct ml_moments m = ml_moments_find(values, N);
    CHECK_ERROR(fabs(m.mean + 0.4771942951278827), 1e-14);
    CHECK_ERROR(fabs(m.sd - 33.54228145787258), 1e-13);
    CHECK_ERROR(fabs(m.standard_error - 33.54228145787258 / sqrt(N)), 1e-14);
    CHECK(isnan(ml_moments_find(values, 0).mean) && isnan(ml_moments_find(values, 1).sd));
    const double huge[] = {-1.5e308, 1.5e308, 1.5e308}; /* mean 5e307, sd sqrt(3) 1e308 */
    CHECK_ERROR(fabs(ml_moments_find(huge, 3).mean / 5e307 - 1.0), 1e-15);
    CHECK_ERROR(fabs(ml_moments_find(huge, 3).sd / (1e308 * sqrt(3.0)) - 1.0), 1e-15);
    /* A sum in order loses the small terms. */
    double *many = malloc(1000001 * sizeof *many);
    if (!many)
        exit(1);
    many[0] = 1e16;
    for (int i = 1; i <= 1000000; i++)
        many[i] = 1.0;
    CHECK_ERROR(fabs(ml_moments_find(many, 1000001).mean * 1000001 - 1e16 - 1e6), 4.0);
    free(many);
}

static void quantiles_are_numpys(void)
{
    static const double p[] = {0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975};
    static const double expected[] = {-89.18595224276851,    -60.61419137457143, -6.623984614046751,
                                      -0.027449052439092354, 6.0098128813311185, 57.80745035302855,
                                      79.42750397974744};
    double values[N], ascending[N];
    fill(values);
    sort(values, N, ascending);
    for (int i = 0; i < 7; i++)
        CHECK_ERROR(fabs(ml_quantile(ascending, N, p[i]) - expected[i]), 2e-13);
    CHECK(ml_quantile(ascending, N, 0.0) == ascending[0]);
    CHECK(ml_quantile(ascending, N, 1.0) == ascending[N - 1]);
    const double far[] = {-0x1.8p+1023, 0x1p+1023}; /* their difference overflows */
    CHECK(ml_quantile(far, 2, 0.0) == far[0] && ml_quantile(far, 2, 0.5) == -0x1p+1021);
    CHECK(ml_quantile(ascending, 1, 0.3) == ascending[0] && isnan(ml_quantile(NULL, 0, 0.5)));
}

static void ties_have_their_mean_rank(void)
{
    const double values[] = {2.0, -1.0, 2.0, -(double)INFINITY, 2.0, 0.0, -1.0};
    const double expected[] = {6.0, 2.5, 6.0, 1.0, 6.0, 4.0, 2.5};
    int64_t order[7];
    double ranks[7];
    struct ml_order_key work[14];
    ml_order_find(values, 7, order, work);
    ml_order_ranks(values, order, 7, ranks);
    for (int i = 0; i < 7; i++)
        CHECK(ranks[i] == expected[i]);
}

struct ranks {
    int64_t n;
    double p;
    int64_t low, high;
};

/* By scipy.stats.binom. */
static const struct ranks known[] = {
    {2, 0.5, 0, 3},
    {5, 0.5, 0, 6},
    {6, 0.5, 1, 6},
    {20, 0.025, 0, 3},
    {20, 0.25, 2, 10},
    {20, 0.5, 6, 15},
    {20, 0.95, 17, 21},
    {100, 0.05, 1, 11},
    {100, 0.975, 94, 101},
    {1000, 0.025, 16, 36},
    {1000, 0.05, 37, 65},
    {1000, 0.25, 223, 278},
    {1000, 0.5, 469, 532},
    {1000, 0.95, 936, 964},
    {1000, 0.975, 965, 985},
    {1000000, 0.5, 499020, 500981},
    {1000000, 0.025, 24694, 25307},
    {1000000, 0.975, 974694, 975307},
};

static void ranks_are_those_of_the_binomial_distribution(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK_CASE("n %lld p %g", (long long)known[i].n, known[i].p);
        const struct ml_rank_interval found = ml_quantile_ranks(known[i].n, known[i].p, 0.95);
        CHECK(found.low == known[i].low && found.high == known[i].high);
    }
}

/* The exact coverage is P(low <= B < high): at least the level, and less than the level with either
 * end one rank further inside. */
static void coverage_is_the_level_or_more(void)
{
    for (int n = 10; n <= 60; n++)
        for (int k = 1; k < 20; k++) {
            const double p = k / 20.0 + 0.003;
            const struct ml_rank_interval r = ml_quantile_ranks(n, p, 0.9);
            double below = 0.0, above = 0.0, below_next = 0.0, above_next = 0.0;
            for (int j = 0; j <= n; j++) {
                const double term = exp(lgamma(n + 1) - lgamma(j + 1) - lgamma(n - j + 1) +
                                        j * log(p) + (n - j) * log1p(-p));
                below += j < r.low ? term : 0.0;
                below_next += j < r.low + 1 ? term : 0.0;
                above += j >= r.high ? term : 0.0;
                above_next += j >= r.high - 1 ? term : 0.0;
            }
            CHECK_CASE("n %d p %g", n, p);
            CHECK(below <= 0.05 + 1e-12 && above <= 0.05 + 1e-12);
            CHECK(below_next > 0.05 - 1e-12 && above_next > 0.05 - 1e-12);
        }
}

int main(void)
{
    moments_are_numpys();
    quantiles_are_numpys();
    ties_have_their_mean_rank();
    ranks_are_those_of_the_binomial_distribution();
    coverage_is_the_level_or_more();
    return check_done();
}
