/* Regulators with closed forms, and systems that have none. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "linalg/riccati.h"

enum { MOST = 4 };

static double x[MOST * MOST], gain[MOST * MOST];

static bool solve(int n, bool is_discrete, const double *a, const double *b, double r)
{
    static double matrices[ML_RICCATI_MATRICES * MOST * MOST];
    static double complex factors[MOST * MOST], column[MOST];
    int pivots[MOST];
    const struct ml_riccati equation = {n,    is_discrete, a,       b,      r,     x,
                                        gain, matrices,    factors, column, pivots};
    return ml_riccati_solve(&equation);
}

/* x'' = u with the cost q x^2 + u^2: K = [sqrt(q), sqrt(2 sqrt(q))]. */
static void a_mass_has_the_gains_of_the_textbook(double q)
{
    const double a[] = {0, 1, 0, 0}, b[] = {0, 0, 1, 0}, start[] = {q, 0, 0, 0};
    memcpy(x, start, sizeof start);
    CHECK_CASE("q = %g", q);
    CHECK(solve(2, false, a, b, 1.0));
    CHECK_ERROR(fabs(gain[0] / sqrt(q) - 1.0), 2e-14);
    CHECK_ERROR(fabs(gain[1] / sqrt(2.0 * sqrt(q)) - 1.0), 2e-14);
    CHECK_ERROR(fabs(x[1] / sqrt(q) - 1.0) + fabs(x[2] - x[1]), 2e-14 * sqrt(q) + 2e-14);
    CHECK(gain[2] == 0.0 && gain[3] == 0.0);
}

/* x_i+1 = a x_i + b u_i: b^2 x^2 + (r - a^2 r - b^2 q) x - q r = 0. */
static void a_number_has_the_root_of_its_equation(double a, double b, double q, double r)
{
    const double half = 0.5 * (r - a * a * r - b * b * q) / (b * b);
    const double root = -half + sqrt(half * half + q * r / (b * b));
    x[0] = q;
    CHECK_CASE("a = %g", a);
    CHECK(solve(1, true, &a, &b, r));
    CHECK_ERROR(fabs(x[0] / root - 1.0), 1e-14);
    CHECK_ERROR(fabs(gain[0] / (a * b * root / (r + b * b * root)) - 1.0), 1e-14);
}

/* A number that grows, which no input moves; a mass that the cost does not see. */
static void those_without_a_regulator_are_refused(void)
{
    const double apart[] = {1, 0, 0, 2}, one[] = {1, 0, 0, 0}, cost[] = {1, 0, 0, 1};
    const double mass[] = {0, 1, 0, 0}, force[] = {0, 0, 1, 0}, none[] = {0, 0, 0, 0};
    memcpy(x, cost, sizeof cost);
    CHECK(!solve(2, false, apart, one, 1.0));
    memcpy(x, cost, sizeof cost);
    CHECK(!solve(2, true, apart, one, 1.0));
    memcpy(x, none, sizeof none);
    CHECK(!solve(2, false, mass, force, 1.0));
    memcpy(x, cost, sizeof cost);
    x[0] = (double)NAN;
    CHECK(!solve(2, false, mass, force, 1.0));
}

int main(void)
{
    const double sizes[] = {1e-4, 1.0, 1e6};
    for (int i = 0; i < 3; i++)
        a_mass_has_the_gains_of_the_textbook(sizes[i]);
    a_number_has_the_root_of_its_equation(0.5, 1.0, 1.0, 1.0);
    a_number_has_the_root_of_its_equation(3.0, 0.1, 2.0, 0.5);
    those_without_a_regulator_are_refused();
    return check_done();
}
