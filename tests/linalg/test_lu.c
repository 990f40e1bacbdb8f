/* Band matrices against LAPACK's dgbsv. */
#include <lapacke.h>
#include <string.h>

#include "check.h"
#include "linalg/lu.h"

enum { MOST = 64, N_RHS = 3, MOST_ROWS = 3 * 5 + 1 };

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static double matrix[MOST * MOST_ROWS], band[MOST * MOST_ROWS], same[MOST * MOST_ROWS],
    b[N_RHS * MOST], x[N_RHS * MOST];

/* The diagonal is small, so that rows are exchanged. Without diagonals above it the matrix is
 * triangular, and a random one as good as singular: there the diagonal is large. */
static void fill(int n, int lower, int upper, uint64_t seed)
{
    const int rows = 2 * lower + upper + 1;
    memset(band, 0, sizeof band);
    for (int j = 0; j < n; j++)
        for (int i = j - upper < 0 ? 0 : j - upper; i <= j + lower && i < n; i++)
            band[j * rows + lower + upper + i - j] =
                (i == j ? 0.1 : 1.0) * uniform(&seed) + (i == j && upper == 0 ? 3.0 : 0.0);
    for (int i = 0; i < N_RHS * n; i++)
        b[i] = uniform(&seed);
    memcpy(same, band, sizeof band);
    memcpy(x, b, sizeof b);
}

/* 1 over the condition number, by the norm of the largest column, from a copy of the matrix and
 * LAPACK's factors. */
static double find_rcond(int n, int lower, int upper, const lapack_int *pivots)
{
    const int rows = 2 * lower + upper + 1;
    double norm = 0.0, rcond = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++)
            sum += fabs(matrix[j * rows + i]);
        norm = fmax(norm, sum);
    }
    CHECK(LAPACKE_dgbcon(LAPACK_COL_MAJOR, '1', n, lower, upper, same, rows, pivots, norm,
                         &rcond) == 0);
    return rcond;
}

static void agrees_with_lapack(int n, int lower, int upper)
{
    const int rows = 2 * lower + upper + 1;
    int64_t pivots[MOST];
    lapack_int same_pivots[MOST];
    double worst = 0.0, largest = 0.0;
    CHECK_CASE("%d rows, %d and %d diagonals", n, lower, upper);
    fill(n, lower, upper, (uint64_t)(n * 100 + lower * 10 + upper));
    memcpy(matrix, band, sizeof matrix);
    CHECK(ml_band_solve(n, lower, upper, N_RHS, band, pivots, x) == 0);
    CHECK(LAPACKE_dgbsv(LAPACK_COL_MAJOR, n, lower, upper, N_RHS, same, rows, same_pivots, b, n) ==
          0);
    for (int j = 0; j < n; j++)
        CHECK(pivots[j] + 1 == same_pivots[j]);
    for (int i = 0; i < N_RHS * n; i++) {
        worst = fmax(worst, fabs(x[i] - b[i]));
        largest = fmax(largest, fabs(b[i]));
    }
    CHECK_ERROR(worst / largest * find_rcond(n, lower, upper, same_pivots), 1e-15);
}

static void a_singular_matrix_is_told(double bad)
{
    double a[3 * 4] = {0}, right[3] = {1, 1, 1}; /* one diagonal on either side */
    int64_t pivots[3];
    CHECK_CASE("a column of %g", bad);
    for (int j = 0; j < 3; j++)
        for (int i = 1; i < 4; i++)
            a[j * 4 + i] = j == 1 ? bad : 1.0;
    a[1 * 4 + 1] = 0.0; /* nothing is taken from what is below */
    CHECK(ml_band_solve(3, 1, 1, 1, a, pivots, right) == 2);
}

int main(void)
{
    for (int n = 1; n <= MOST; n += n < 12 ? 1 : 13)
        for (int lower = 0; lower <= 5; lower++)
            for (int upper = 0; upper <= 5; upper += 1 + 2 * (upper > 1))
                agrees_with_lapack(n, lower, upper);
    a_singular_matrix_is_told(0.0);
    a_singular_matrix_is_told((double)NAN);
    return check_done();
}
