/* Eigenvalues against LAPACK's, and of matrices whose are known. */
#include "check.h"
#include "linalg/eigenvalues.h"

#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 24 };

static double complex complex_of(double re, double im) { return re + im * (double complex)I; }

/* In [-1, 1), the same everywhere. */
static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

/* Largest distance of a number of `a` from the nearest of `b`. */
static double distance(int n, const double complex *a, const double complex *b)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double nearest = (double)INFINITY;
        for (int k = 0; k < n; k++)
            nearest = fmin(nearest, cabs(a[i] - b[k]));
        most = fmax(most, nearest);
    }
    return most;
}

/* Error relative to the largest eigenvalue. */
static double error_of(int n, const double *matrix)
{
    double a[MOST * MOST], re[MOST], im[MOST], largest = 0.0;
    double complex own[MOST * MOST], found[MOST], expected[MOST];
    memcpy(a, matrix, sizeof *a * (size_t)(n * n));
    CHECK(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, a, n, re, im, NULL, n, NULL, n) == 0);
    for (int i = 0; i < n * n; i++)
        own[i] = matrix[i];
    CHECK(ml_eigenvalues(n, own, found));
    for (int i = 0; i < n; i++) {
        expected[i] = complex_of(re[i], im[i]);
        largest = fmax(largest, cabs(expected[i]));
    }
    return fmax(distance(n, found, expected), distance(n, expected, found)) / largest;
}

static void drawn_matrices_have_those_of_lapack(void)
{
    double matrix[MOST * MOST];
    uint64_t state = 7;
    for (int n = 1; n <= MOST; n++)
        for (int scale = 0; scale < 4; scale++) {
            for (int i = 0; i < n * n; i++)
                matrix[i] = drawn(&state) * pow(10.0, scale * (double)(i / n % 3));
            CHECK_CASE("n = %d, rows by 10^%d", n, scale);
            CHECK_ERROR(error_of(n, matrix), 2e-13);
        }
}

/* x'' = -K x - C x' of a stiff and a slow part, as a study's motion is. */
static void stiff_oscillators_have_theirs(void)
{
    const double a[16] = {0, 0, 1, 0, 0, 0, 0, 1, -1e12, 0, -10, 0, 0, -4, 0, 0};
    double complex own[16], found[4];
    for (int i = 0; i < 16; i++)
        own[i] = a[i];
    CHECK(ml_eigenvalues(4, own, found));
    const double fast = 1e6 * sqrt(1.0 - 25e-12);
    const double complex expected[4] = {complex_of(-5.0, fast), complex_of(-5.0, -fast),
                                        complex_of(0.0, 2.0), complex_of(0.0, -2.0)};
    CHECK_ERROR(distance(4, expected, found) / 1e6, 1e-9);
}

static void what_has_none_is_refused(void)
{
    double complex a[4] = {1.0, (double)NAN, 0.0, 1.0}, found[2];
    CHECK(!ml_eigenvalues(2, a, found));
    double complex zero[4] = {0};
    CHECK(ml_eigenvalues(2, zero, found) && cabs(found[0]) == 0.0 && cabs(found[1]) == 0.0);
}

int main(void)
{
    drawn_matrices_have_those_of_lapack();
    stiff_oscillators_have_theirs();
    what_has_none_is_refused();
    return check_done();
}
