/* The logarithm of every instruction set against the C library's long double function. */
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

/* 2^low .. 2^high */
static void fill(double low, double high, uint64_t seed)
{
    for (int i = 0; i < ROWS * L; i++)
        x[i] = exp2(low + (high - low) * uniform(&seed));
}

/* In units in the last place of the rounded exact value. */
static double worst_ulps(const struct ml_kernels *k)
{
    double worst = 0.0;
    k->log(ROWS, x, y);
    for (int i = 0; i < ROWS * L; i++) {
        long double exact = logl((long double)x[i]);
        double rounded = fabs((double)exact);
        double spacing = nextafter(rounded, (double)INFINITY) - rounded;
        worst = fmax(worst, (double)fabsl((long double)y[i] - exact) / spacing);
    }
    return worst;
}

static void error_is_below_one_ulp(const struct ml_kernels *k)
{
    static const double ranges[][2] = {
        {-0.01, 0.01}, {-0.5, 0.5}, {-1.0, 1.0}, {-30.0, 30.0}, {-1022.0, 1023.9}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        CHECK_CASE("%s 2^%g .. 2^%g", k->isa, ranges[r][0], ranges[r][1]);
        fill(ranges[r][0], ranges[r][1], 7 + r);
        x[0] = DBL_MAX;
        x[1] = DBL_MIN;
        CHECK_ERROR(worst_ulps(k), 1.0);
    }
}

static void special_values_are_as_in_the_c_library(const struct ml_kernels *k)
{
    static const double special[] = {
        1.0, 0.0, -0.0, -1.0, (double)INFINITY, -(double)INFINITY, (double)NAN};
    enum { N = sizeof special / sizeof *special };
    CHECK_CASE("%s special values", k->isa);
    for (int i = 0; i < L; i++)
        x[i] = special[i % N];
    k->log(1, x, y);
    for (int i = 0; i < L; i++)
        CHECK(isnan(log(x[i])) ? isnan(y[i]) : y[i] == log(x[i]));
}

static void bits_are_those_of_the_baseline(const struct ml_kernels *k)
{
    CHECK_CASE("%s bits", k->isa);
    fill(-100.0, 100.0, 31);
    ml_kernels_at(0)->log(ROWS, x, first);
    k->log(ROWS, x, y);
    CHECK(memcmp(y, first, sizeof y) == 0);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        error_is_below_one_ulp(k);
        special_values_are_as_in_the_c_library(k);
        bits_are_those_of_the_baseline(k);
    }
    return check_done();
}
