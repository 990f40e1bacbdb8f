/* Indices of fitted polynomials: of a polynomial against its closed form, of Ishigami's function
 * and the G function within their intervals, and of inputs with two values. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "design/sample.h"
#include "manylink/indices.h"
#include "statistics/closed_forms.h"

struct found {
    struct ml_index first[MOST], total[MOST];
    struct ml_chaos_indices indices;
};

/* x y + x^2 of x, y in -1 .. 1: variances 1/9 of the product and 4/45 of the square. */
static double product_and_square(int n, const double *u)
{
    const double x = 2.0 * u[0] - 1.0, y = 2.0 * u[1] - 1.0;
    (void)n;
    return x * y + x * x;
}

/* The same of x with two values, whose square is 1. */
static double of_two_values(int n, const double *u)
{
    const double v[] = {u[0] < 0.5 ? 0.0 : 1.0, u[1]};
    return product_and_square(n, v);
}

static int find(double (*f)(int n, const double *u), int n_input, int64_t n,
                enum ml_sampling sampling, uint64_t seed, struct found *found)
{
    double *x = malloc((size_t)(n * n_input) * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    for (int64_t run = 0; x && y && run < n; run++) {
        double u[MOST];
        for (int i = 0; i < n_input; i++)
            u[i] = ml_sample(sampling, seed, n, run, i);
        for (int i = 0; i < n_input; i++)
            x[i * n + run] = f == of_two_values && i == 0 ? (u[0] < 0.5 ? 3.0 : 7.0) : u[i];
        y[run] = f(n_input, u);
    }
    struct ml_given_inputs *inputs = ml_given_inputs_make(x, n, n_input);
    found->indices = (struct ml_chaos_indices){

        .size = sizeof found->indices,
        .is_even = sampling != ML_RANDOM,
        .first = found->first,
        .total = found->total};
    const int is_found = inputs && ml_chaos_indices_find(inputs, y, 200, &found->indices);
    ml_given_inputs_free(inputs);
    free(x);
    free(y);
    return is_found;
}

static void polynomials_are_found(void)
{
    struct found f;
    CHECK(find(product_and_square, 2, 4096, ML_SOBOL, 0, &f));
    CHECK_ERROR(fabs(f.first[0].value - 4.0 / 9.0), 1e-3);
    CHECK_ERROR(fabs(f.total[0].value - 1.0), 1e-3);
    CHECK_ERROR(fabs(f.first[1].value), 1e-3);
    CHECK_ERROR(fabs(f.total[1].value - 5.0 / 9.0), 1e-3);
    CHECK_ERROR(fabs(f.indices.explained - 1.0), 1e-12);
    CHECK(find(of_two_values, 2, 512, ML_SOBOL, 0, &f));
    CHECK_ERROR(fabs(f.first[0].value), 1e-4);
    CHECK_ERROR(fabs(f.total[0].value - 1.0), 1e-4);
    CHECK_ERROR(fabs(f.total[1].value - 1.0), 1e-4);
    CHECK(!find(product_and_square, 2, 4, ML_SOBOL, 0, &f));
}

/* Of 512 scrambled points Ishigami's indices to 1e-3; of random points the closed forms are in the
 * intervals of 95 % for 90 % of 200 seeds or more. */
static void closed_forms_are_found(void)
{
    int covered = 0, n = 0;
    struct found f;
    for (uint64_t seed = 1; seed <= (check_is_sanitized() ? 1U : 5U); seed++) {
        CHECK(find(ishigami, 3, 512, ML_SCRAMBLED_SOBOL, seed, &f));
        CHECK_ERROR(1.0 - f.indices.explained, 1e-2);
        for (int i = 0; i < 3; i++) {
            CHECK_ERROR(fabs(f.first[i].value - ishigami_first[i]), 2e-3);
            CHECK_ERROR(fabs(f.total[i].value - ishigami_total[i]), 2e-3);
        }
    }
    for (uint64_t seed = 1; seed <= (check_is_sanitized() ? 3U : 200U); seed++) {
        CHECK(find(ishigami, 3, 300, ML_RANDOM, seed, &f));
        for (int i = 0; i < 3; i++, n += 2) {
            covered += fabs(f.first[i].value - ishigami_first[i]) <= f.first[i].half;
            covered += fabs(f.total[i].value - ishigami_total[i]) <= f.total[i].half;
        }
    }
    CHECK_CASE("%d of %d", covered, n);
    if (getenv("VERBOSE"))
        printf("%d of %d\n", covered, n);
    CHECK(check_is_sanitized() || covered * 100 >= n * 90);
}

int main(void)
{
    polynomials_are_found();
    closed_forms_are_found();
    return check_done();
}
