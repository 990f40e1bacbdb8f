/* The quintic spline: exact for polynomials of degree 5, and its order for others. */
#include <string.h>

#include "check.h"
#include "inverse/spline.h"

enum { MOST = 801 };

struct samples {
    int n;
    double t[MOST], y[2 * MOST], first[2 * MOST], second[2 * MOST];
};

static void poison(struct samples *s)
{
    for (int i = 0; i < 2 * MOST; i++)
        s->first[i] = s->second[i] = (double)NAN;
}

static void differentiate(struct samples *s, int n_y)
{
    struct ml_error err = {0};
    poison(s);
    CHECK(ml_spline_derivatives(s->n, s->t, n_y, s->y, s->first, s->second, &err) == ML_OK);
    ml_error_clear(&err);
}

static void polynomials_of_degree_five_are_exact(int n)
{
    static struct samples s;
    double first = 0.0, second = 0.0;
    CHECK_CASE("%d samples", n);
    s.n = n;
    for (int i = 0; i < n; i++) {
        double t = s.t[i] = -1.0 + 2.0 * i / (n - 1) + 0.3 * sin(7.0 * i) / n; /* uneven */
        s.y[i] = 1.0 + t * (2.0 - t * (3.0 + t * (1.0 - t * (0.5 + t))));
        s.y[n + i] = t * t;
    }
    differentiate(&s, 2);
    for (int i = 0; i < n; i++) {
        double t = s.t[i], t2 = t * t;
        double d1 = 2.0 - 6.0 * t - 3.0 * t2 + 2.0 * t2 * t + 5.0 * t2 * t2;
        double d2 = -6.0 - 6.0 * t + 6.0 * t2 + 20.0 * t2 * t;
        first = fmax(first, fmax(fabs(s.first[i] - d1), fabs(s.first[n + i] - 2.0 * t)));
        second = fmax(second, fmax(fabs(s.second[i] - d2), fabs(s.second[n + i] - 2.0)));
    }
    CHECK_ERROR(first, 5e-15 * n);
    CHECK_ERROR(second, 1e-14 * n * n);
}

/* Largest errors of the derivatives of sin 3t + cos t. */
static void measure(int n, double *first, double *second)
{
    static struct samples s;
    s.n = n;
    for (int i = 0; i < n; i++) {
        s.t[i] = 2.0 * i / (n - 1);
        s.y[i] = sin(3.0 * s.t[i]) + cos(s.t[i]);
    }
    differentiate(&s, 1);
    *first = *second = 0.0;
    for (int i = 0; i < n; i++) {
        double t = s.t[i];
        *first = fmax(*first, fabs(s.first[i] - 3.0 * cos(3.0 * t) + sin(t)));
        *second = fmax(*second, fabs(s.second[i] + 9.0 * sin(3.0 * t) + cos(t)));
    }
}

static void errors_fall_with_the_fifth_and_fourth_power(void)
{
    double first[2], second[2];
    CHECK_CASE("orders");
    measure(201, &first[0], &second[0]);
    measure(401, &first[1], &second[1]);
    CHECK_ERROR(fabs(log2(first[0] / first[1]) - 5.0), 0.15);
    CHECK_ERROR(fabs(log2(second[0] / second[1]) - 4.0), 0.15);
    CHECK_ERROR(second[1], 1e-6);
}

/* Its ends are alike: samples in reverse have the derivatives in reverse. */
static void no_direction_is_preferred(void)
{
    static struct samples s, r;
    double worst = 0.0;
    CHECK_CASE("reversed");
    s.n = r.n = 12;
    for (int i = 0; i < s.n; i++) {
        s.t[i] = i;
        s.y[i] = r.y[s.n - 1 - i] = sin(1.3 * i);
    }
    memcpy(r.t, s.t, sizeof r.t);
    differentiate(&s, 1);
    differentiate(&r, 1);
    for (int i = 0; i < s.n; i++)
        worst = fmax(worst, fabs(s.first[i] + r.first[s.n - 1 - i]));
    CHECK_ERROR(worst, 1e-14);
}

static void either_derivative_can_be_left_out(void)
{
    static struct samples s;
    static double alone[MOST];
    struct ml_error err = {0};
    CHECK_CASE("one of two");
    s.n = 20;
    for (int i = 0; i < s.n; i++) {
        s.t[i] = i;
        s.y[i] = sin(0.3 * i);
    }
    differentiate(&s, 1);
    CHECK(ml_spline_derivatives(s.n, s.t, 1, s.y, NULL, alone, &err) == ML_OK);
    CHECK(memcmp(alone, s.second, (size_t)s.n * sizeof *alone) == 0);
    CHECK(ml_spline_derivatives(s.n, s.t, 1, s.y, alone, NULL, &err) == ML_OK);
    CHECK(memcmp(alone, s.first, (size_t)s.n * sizeof *alone) == 0);
    ml_error_clear(&err);
}

int main(void)
{
    polynomials_of_degree_five_are_exact(ML_SPLINE_LEAST);
    polynomials_of_degree_five_are_exact(7);
    polynomials_of_degree_five_are_exact(8);
    polynomials_of_degree_five_are_exact(50);
    errors_fall_with_the_fifth_and_fourth_power();
    no_direction_is_preferred();
    either_derivative_can_be_left_out();
    return check_done();
}
