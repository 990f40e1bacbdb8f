/* Correlations, histograms and intervals of proportions against numpy 1.24 and scipy 1.10. */
#include "statistics/dependence.h"

#include <math.h>

#include "check.h"
#include "statistics/histogram.h"
#include "statistics/order.h"
#include "statistics/proportion.h"

enum { N = 300 };

/* y has ties; numpy's i = np.arange(1, 301), y = np.floor(8*np.sin(i**2.0+i)+i/60), z =
 * np.cos(i*1.0)+np.exp(i/100). */
static void fill(double *y, double *z)
{
    for (int k = 0; k < N; k++) {
        const double i = k + 1.0;
        y[k] = floor(8.0 * sin(i * i + i) + i / 60.0);
        z[k] = cos(i) + exp(i / 100.0);
    }
}

static void rank(const double *values, double *ranks)
{
    int64_t order[N];
    struct ml_order_key work[2 * N];
    ml_order_find(values, N, order, work);
    ml_order_ranks(values, order, N, ranks);
}

static void correlations_are_scipys(void)
{
    double y[N], z[N], of_y[N], of_z[N], among[N];
    int64_t counts[2 * N + 1];
    fill(y, z);
    rank(y, of_y);
    rank(z, of_z);
    CHECK_ERROR(fabs(ml_pearson(z, y, N) - 0.19786294510929864), 1e-15);
    CHECK_ERROR(fabs(ml_pearson(of_z, of_y, N) - 0.24331288078573104), 1e-15);
    for (int i = 2; i < N; i += 3) /* every third run is left out */
        y[i] = (double)NAN;
    rank(y, of_y);
    ml_ranks_among(of_z, y, N, among, counts);
    CHECK_ERROR(fabs(ml_pearson(z, y, N) - 0.21839828565735334), 1e-15);
    CHECK_ERROR(fabs(ml_pearson(among, of_y, N) - 0.27129546233270124), 1e-15);
    fill(y, z);
    rank(y, of_y);
    for (int i = 2; i < N; i += 3)
        z[i] = (double)NAN;
    rank(z, of_z);
    ml_ranks_among(of_y, z, N, among, counts); /* of tied numbers */
    CHECK_ERROR(fabs(ml_pearson(among, of_z, N) - 0.2712954623327013), 1e-15);
}

static void constant_numbers_have_no_correlation(void)
{
    const double same[] = {0.1, 0.1, 0.1}, x[] = {1.0, 2.0, 4.0},
                 none[] = {(double)NAN, (double)NAN, (double)NAN};
    const double line[] = {-3.0, -6.0, -12.0};
    CHECK(isnan(ml_pearson(same, x, 3)) && isnan(ml_pearson(x, same, 3)));
    CHECK(isnan(ml_pearson(x, none, 3)) && isnan(ml_pearson(x, x, 1)));
    CHECK_ERROR(fabs(ml_pearson(x, line, 3) + 1.0), 1e-15);
    const double huge[] = {-2e305, -4e305, -8e305}, tiny[] = {1e-310, 2e-310, 4e-310};
    CHECK_ERROR(fabs(ml_pearson(huge, tiny, 3) + 1.0), 1e-15);
}

static void bins_are_numpys(void)
{
    static const double expected[] = {40, 63, 44, 27, 22, 18, 16, 14, 12, 9, 11, 8, 7, 9};
    double y[N], z[N], ascending[N], edges[15], counts[14];
    int64_t order[N];
    struct ml_order_key work[2 * N];
    fill(y, z);
    CHECK(ml_histogram_bins(N) == 14 && ml_histogram_bins(0) == 1);
    CHECK(ml_histogram_bins(1000) == 20 && ml_histogram_bins(1001) == 21);
    CHECK(ml_histogram_bins(1000000) == 200);
    ml_order_find(z, N, order, work);
    for (int i = 0; i < N; i++)
        ascending[i] = z[order[i]];
    ml_histogram_edges(ascending[0], ascending[N - 1], 14, edges);
    ml_histogram_count(ascending, N, 14, edges, counts);
    CHECK_ERROR(fabs(edges[1] - 1.471074233547337), 1e-15);
    for (int k = 0; k < 14; k++)
        CHECK(counts[k] == expected[k]);
    ml_histogram_edges(2.0, 2.0, 14, edges);
    CHECK(edges[0] == 1.5 && edges[14] == 2.5);
    ml_histogram_edges(-1e308, 1e308, 14, edges);
    CHECK_ERROR(fabs(edges[7]), 1e293);
}

static void proportions_are_scipys(void)
{
    static const double known[][4] = {{0, 10, 0.0, 0.27753279986288926},
                                      {3, 20, 0.05236874589621662, 0.3604188647407569},
                                      {20, 20, 0.8388748419471808, 1.0},
                                      {731, 1000, 0.702670228864586, 0.7575618087150874}};
    for (int i = 0; i < 4; i++) {
        const struct ml_proportion p =
            ml_proportion_find((int64_t)known[i][0], (int64_t)known[i][1]);
        CHECK(p.value == known[i][0] / known[i][1]);
        CHECK_ERROR(fabs(p.low - known[i][2]), 1e-15);
        CHECK_ERROR(fabs(p.high - known[i][3]), 1e-15);
    }
    CHECK(isnan(ml_proportion_find(0, 0).value));
}

int main(void)
{
    correlations_are_scipys();
    constant_numbers_have_no_correlation();
    bins_are_numpys();
    proportions_are_scipys();
    return check_done();
}
