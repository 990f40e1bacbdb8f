/* Placed poles of chains of integrators, whose gains are the coefficients of the polynomial with
 * these roots, in coordinates that are mixed; and systems that their input does not control. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "linalg/placement.h"

enum { MOST = 6 };

static double gain[MOST];

static bool solve(int n, const double *a, const double *b, const double complex *poles)
{
    static double basis[MOST * MOST], hessenberg[MOST * MOST], candidate[MOST];
    static double complex row[MOST], next[MOST];
    const struct ml_placement placement = {n,     a,          b,         poles, gain,
                                           basis, hessenberg, candidate, row,   next};
    return ml_placement_solve(&placement);
}

/* x_i' = x_i+1, x_n' = u in coordinates x = y_1 .. y_n with y_i = x_i + x_1: K by y from K by x. */
static void integrators_have_the_coefficients(int n, const double complex *poles)
{
    double a[MOST * MOST] = {0}, b[MOST] = {0}, sum = 0.0;
    double complex coefficient[MOST + 1] = {1.0};
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i > 0; i--) /* of prod (s - p_k), the highest first */
            coefficient[i] -= poles[k] * coefficient[i - 1];
    b[n - 1] = 1.0;
    for (int i = 0; i < n; i++) { /* y_1 = 2 x_1 */
        if (i + 1 < n) {
            a[i * n + i + 1] += 1.0;
            a[i * n] -= 0.5;
        }
        a[i * n + 1] += 1.0;
        a[i * n] -= 0.5;
    }
    for (int i = 0; i < n; i++) /* x_1' = x_2 = y_2 - y_1/2 */
        a[i] = i == 1 ? 2.0 : i == 0 ? -1.0 : 0.0;
    CHECK_CASE("n = %d", n);
    CHECK(solve(n, a, b, poles));
    for (int i = 1; i < n; i++) {
        const double expected = creal(coefficient[n - i]);
        CHECK_ERROR(fabs(gain[i] / expected - 1.0), 1e-12);
        sum += expected;
    }
    CHECK_ERROR(fabs(gain[0] / (0.5 * (creal(coefficient[n]) - sum)) - 1.0), 1e-11);
}

/* A number that no input moves, beside one that moves; an input that moves nothing. */
static void those_that_are_not_controlled_are_refused(void)
{
    const double apart[] = {1, 0, 0, 2}, one[] = {1, 0}, none[] = {0, 0}, both[] = {1, 1};
    const double complex poles[] = {-1, -2};
    CHECK(!solve(2, apart, one, poles));
    CHECK(!solve(2, apart, none, poles));
    CHECK(solve(2, apart, both, poles));
    CHECK_ERROR(fabs(gain[0] + 6.0) + fabs(gain[1] - 12.0), 1e-13);
}

int main(void)
{
    const double complex i = (double complex)I;
    const double complex poles[] = {-1, -2 + 3 * i, -2 - 3 * i, -4, -4, -4};
    integrators_have_the_coefficients(3, poles);
    integrators_have_the_coefficients(4, poles);
    integrators_have_the_coefficients(6, poles);
    those_that_are_not_controlled_are_refused();
    return check_done();
}
