/* sincos of every instruction set against the C library's long double functions, whose own error
 * is a thousandth of an ulp of double. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"
#include "simd/trig.h"

/* Fewer where long doubles are computed by integers, which takes a hundred times as long. */
enum { L = ML_LANES, ROWS = LDBL_MANT_DIG > 64 ? 512 : 4096 };

static _Alignas(64) double x[ROWS * L], s[ROWS * L], c[ROWS * L], s0[ROWS * L], c0[ROWS * L];

/* A deterministic number in [0, 1). */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* |value - exact| in units in the last place of the rounded exact value. */
static double ulps(double value, long double exact)
{
    double rounded = (double)exact;
    double spacing = nextafter(fabs(rounded), (double)INFINITY) - fabs(rounded);
    return (double)fabsl((long double)value - exact) / spacing;
}

static void fill(double low, double high, uint64_t seed)
{
    for (int i = 0; i < ROWS * L; i++)
        x[i] = low + (high - low) * uniform(&seed);
}

static double worst_ulps(const struct ml_kernels *k)
{
    double worst = 0.0;
    for (int i = 0; i < ROWS * L; i++)
        s[i] = c[i] = (double)NAN;
    k->sincos(ROWS, x, s, c);
    for (int i = 0; i < ROWS * L; i++)
        worst = fmax(
            worst, fmax(ulps(s[i], sinl((long double)x[i])), ulps(c[i], cosl((long double)x[i]))));
    return worst;
}

static void error_is_below_two_ulp(const struct ml_kernels *k)
{
    static const double limits[] = {0.8, 3.2, 100.0, 1e5, 1e8, 1e12, ML_ANGLE_MAX};
    for (size_t r = 0; r < sizeof limits / sizeof *limits; r++) {
        CHECK_CASE("%s |x| <= %g", k->isa, limits[r]);
        fill(-limits[r], limits[r], 17 + r);
        CHECK_ERROR(worst_ulps(k), 1.6);
    }
}

/* Where the reduced angle is tiny and needs every bit of pi. */
static void multiples_of_half_pi_are_accurate(const struct ml_kernels *k)
{
    static const double starts[] = {1, 60000, 1e9, 6e14 - ROWS};
    for (size_t r = 0; r < sizeof starts / sizeof *starts; r++) {
        CHECK_CASE("%s near multiples of pi/2 from %g", k->isa, starts[r]);
        for (int i = 0; i < ROWS; i++)
            for (int l = 0; l < L; l++) {
                double near =
                    (double)((long double)(starts[r] + i) * 1.57079632679489661923132169163975144L);
                x[i * L + l] = l < 4 ? near : nextafter(near, (l & 1) ? 0.0 : (double)INFINITY);
            }
        CHECK_ERROR(worst_ulps(k), 1.6);
    }
}

static void symmetry_is_exact(const struct ml_kernels *k)
{
    CHECK_CASE("%s symmetry", k->isa);
    fill(0.0, 2e5, 5);
    k->sincos(ROWS, x, s0, c0);
    for (int i = 0; i < ROWS * L; i++)
        x[i] = -x[i];
    k->sincos(ROWS, x, s, c);
    for (int i = 0; i < ROWS * L; i++)
        CHECK(s[i] == -s0[i] && c[i] == c0[i]);
}

static void bad_angles_are_nan_and_leave_their_neighbours_alone(const struct ml_kernels *k)
{
    static const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN, 1.0001e15,
                                 1e300};
    CHECK_CASE("%s bad angles", k->isa);
    fill(-4.0, 4.0, 23);
    k->sincos(ROWS, x, s0, c0);
    for (int i = 0; i < ROWS; i++)
        x[i * L + i % L] = bad[i % 5];
    k->sincos(ROWS, x, s, c);
    for (int i = 0; i < ROWS; i++)
        for (int l = 0; l < L; l++) {
            int at = i * L + l;
            if (l == i % L)
                CHECK(isnan(s[at]) && isnan(c[at]));
            else
                CHECK(s[at] == s0[at] && c[at] == c0[at]);
        }
}

/* sin(a + d) from the sine and cosine given for a, whose own errors do not count. */
static void turns_add_less_than_an_ulp_of_one(const struct ml_kernels *k)
{
    double worst = 0.0;
    CHECK_CASE("%s turns", k->isa);
    fill(-4.0, 4.0, 41);
    k->sincos(ROWS, x, s0, c0);
    memcpy(s, s0, sizeof s);
    memcpy(c, c0, sizeof c);
    fill(-ML_INCREMENT_MAX, ML_INCREMENT_MAX, 43);
    x[0] = ML_INCREMENT_MAX;
    x[1] = -ML_INCREMENT_MAX;
    k->sincos_update(ROWS, x, s, c);
    for (int i = 0; i < ROWS * L; i++) {
        const long double s1 = (long double)s0[i], c1 = (long double)c0[i];
        const long double sin_d = sinl((long double)x[i]), cos_d = cosl((long double)x[i]);
        long double s_error = fabsl((long double)s[i] - (s1 * cos_d + c1 * sin_d));
        long double c_error = fabsl((long double)c[i] - (c1 * cos_d - s1 * sin_d));
        worst = fmax(worst, (double)fmaxl(s_error, c_error));
    }
    CHECK_ERROR(worst, 2.1e-16);
}

static void bits_are_those_of_the_baseline(const struct ml_kernels *k)
{
    CHECK_CASE("%s bits", k->isa);
    fill(-1e6, 1e6, 31);
    ml_kernels_at(0)->sincos(ROWS, x, s0, c0);
    k->sincos(ROWS, x, s, c);
    CHECK(memcmp(s, s0, sizeof s) == 0 && memcmp(c, c0, sizeof c) == 0);

    CHECK_CASE("%s bits of turns", k->isa);
    fill(-ML_INCREMENT_MAX, ML_INCREMENT_MAX, 37);
    ml_kernels_at(0)->sincos_update(ROWS, x, s0, c0);
    k->sincos_update(ROWS, x, s, c);
    CHECK(memcmp(s, s0, sizeof s) == 0 && memcmp(c, c0, sizeof c) == 0);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        error_is_below_two_ulp(k);
        multiples_of_half_pi_are_accurate(k);
        turns_add_less_than_an_ulp_of_one(k);
        symmetry_is_exact(k);
        bad_angles_are_nan_and_leave_their_neighbours_alone(k);
        bits_are_those_of_the_baseline(k);
    }
    return check_done();
}
