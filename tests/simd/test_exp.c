/* The exponential function of every instruction set against the C library's long double one. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"

/* Fewer where long doubles are computed by integers, which takes a hundred times as long. */
enum { L = ML_LANES, ROWS = LDBL_MANT_DIG > 64 ? 512 : 4096 };

static _Alignas(64) double x[ROWS * L], y[ROWS * L], first[ROWS * L];

/* A deterministic number in [0, 1). */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static void fill(double low, double high, uint64_t seed)
{
    for (int i = 0; i < ROWS * L; i++)
        x[i] = low + (high - low) * uniform(&seed);
}

typedef void exp_fn(int n, const double *x, double *y);

/* In units in the last place of the rounded exact value. */
static double worst_ulps(exp_fn *exp_of)
{
    double worst = 0.0;
    exp_of(ROWS, x, y);
    for (int i = 0; i < ROWS * L; i++) {
        long double exact = expl((long double)x[i]);
        double rounded = (double)exact;
        double spacing = nextafter(rounded, (double)INFINITY) - rounded;
        double error = (double)(fabsl((long double)y[i] - exact) / (long double)spacing);
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

static void error_is_below_one_ulp(const struct ml_kernels *k)
{
    static const double ranges[][2] = {
        {-1e-9, 1e-9}, {-0.3, 0.3}, {-1.0, 1.0}, {-30.0, 30.0}, {-708.39, 709.78}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        CHECK_CASE("%s %g .. %g", k->isa, ranges[r][0], ranges[r][1]);
        fill(ranges[r][0], ranges[r][1], 7 + r);
        x[0] = 0.5 * 0x1.62e42fefa39efp-1; /* where the nearest multiple of ln 2 changes */
        x[1] = nextafter(x[0], 1.0);
        CHECK_ERROR(worst_ulps(k->exp), 1.0);
        if (ranges[r][0] > -700.0)
            CHECK_ERROR(worst_ulps(k->exp_near), 1.0);
    }
}

static void special_values_are_as_in_the_c_library(const struct ml_kernels *k)
{
    static const double special[] = {
        0.0,    -0.0,     1e-300,           -1e-300,           0x1p-54,     709.79,
        -746.0, -DBL_MAX, (double)INFINITY, -(double)INFINITY, (double)NAN, DBL_MAX};
    enum { N = sizeof special / sizeof *special };
    CHECK_CASE("%s special values", k->isa);
    for (int i = 0; i < L; i++)
        x[i] = special[i % N];
    k->exp(1, x, y);
    for (int i = 0; i < L; i++)
        CHECK(isnan(x[i]) ? isnan(y[i]) : y[i] == exp(x[i]));
}

static void numbers_below_the_normal_ones_are_0(const struct ml_kernels *k)
{
    CHECK_CASE("%s small results", k->isa);
    for (int i = 0; i < L; i++)
        x[i] = i % 2 ? -708.3964185322642 : -708.3964185322641;
    k->exp(1, x, y);
    for (int i = 0; i < L; i++)
        CHECK(i % 2 ? y[i] == 0.0 : y[i] >= DBL_MIN);
}

static void bits_are_those_of_the_baseline(const struct ml_kernels *k)
{
    CHECK_CASE("%s bits", k->isa);
    fill(-100.0, 100.0, 31);
    ml_kernels_at(0)->exp(ROWS, x, first);
    k->exp(ROWS, x, y);
    CHECK(memcmp(y, first, sizeof y) == 0);
    ml_kernels_at(0)->exp_near(ROWS, x, first);
    k->exp_near(ROWS, x, y);
    CHECK(memcmp(y, first, sizeof y) == 0);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        error_is_below_one_ulp(k);
        special_values_are_as_in_the_c_library(k);
        numbers_below_the_normal_ones_are_0(k);
        bits_are_those_of_the_baseline(k);
    }
    return check_done();
}
