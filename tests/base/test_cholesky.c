/* Factors of whole numbers are exact; a matrix that is not positive definite is refused. */
#include "base/cholesky.h"

#include "check.h"

enum { N = 3, STRIDE = 4 };

static void factors_of_whole_numbers_are_exact(void)
{
    /* L = [2 0 0; 6 1 0; -8 5 3], x = (1, -2, 3) */
    double a[N][STRIDE] = {{4, (double)NAN, (double)NAN, (double)NAN},
                           {12, 37, (double)NAN, (double)NAN},
                           {-16, -43, 98, (double)NAN}};
    const double l[N][N] = {{2, 0, 0}, {6, 1, 0}, {-8, 5, 3}};
    double x[N] = {4 - 24 - 48, 12 - 74 - 129, -16 + 86 + 294};
    CHECK(ml_cholesky_factorise(N, STRIDE, 0.0, &a[0][0]));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < STRIDE; j++)
            CHECK(j > i ? isnan(a[i][j]) : a[i][j] == l[i][j]);
    ml_cholesky_solve(N, STRIDE, &a[0][0], x);
    CHECK(x[0] == 1.0 && x[1] == -2.0 && x[2] == 3.0);
}

static void other_matrices_are_refused(void)
{
    double indefinite[] = {1, 0, 2, 1}, singular[] = {1, 0, 1, 1}, nan[] = {(double)NAN};
    CHECK(!ml_cholesky_factorise(2, 2, 0.0, indefinite));
    CHECK(!ml_cholesky_factorise(2, 2, 0.0, singular));
    CHECK(!ml_cholesky_factorise(1, 1, 0.0, nan));
    double above[] = {1, 0, 1, 1.5};
    CHECK(!ml_cholesky_factorise(2, 2, 0.5, above));
    CHECK(ml_cholesky_factorise(1, 1, 0.5, above));
}

int main(void)
{
    factors_of_whole_numbers_are_exact();
    other_matrices_are_refused();
    return check_done();
}
