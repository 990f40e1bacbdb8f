/* Q R of every instruction set against LAPACK's Householder factorisation, lane by lane. */
#include <lapacke.h>
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"

enum { MAX = 12, L = ML_LANES, TRI = MAX * (MAX + 1) / 2 };

static _Alignas(64) double a[MAX * MAX * L], q[MAX * MAX * L], r[TRI * L], q0[MAX * MAX * L];

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Columns that all but point the same way: the first, and `apart` times something else. */
static void fill(int n_row, int n_column, double apart, uint64_t seed)
{
    for (int c = 0; c < n_column; c++)
        for (int i = 0; i < n_row * L; i++) {
            double other = uniform(&seed) - 0.5;
            a[c * n_row * L + i] = c == 0 ? other : a[i] + apart * other;
        }
}

static void agrees_with_lapack(const struct ml_kernels *k, int n_row, int n_column, double apart)
{
    double worst_q = 0.0, worst_r = 0.0;
    CHECK_CASE("%s %d x %d, columns apart by %g", k->isa, n_row, n_column, apart);
    fill(n_row, n_column, apart, 11);
    memcpy(q, a, sizeof q);
    k->orthonormalise(n_row, n_column, 0.0, q, r);
    for (int lane = 0; lane < L; lane++) {
        double m[MAX * MAX], tau[MAX], diagonal[MAX];
        for (int i = 0; i < n_row * n_column; i++)
            m[i] = a[i * L + lane];
        CHECK(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n_row, n_column, m, n_row, tau) == 0);
        for (int c = 0; c < n_column; c++) {
            diagonal[c] = m[c * n_row + c];
            for (int p = 0; p <= c; p++) {
                /* LAPACK's diagonal may be negative: the row's sign */
                double expected = copysign(1.0, diagonal[p]) * m[c * n_row + p];
                double scale = fabs(diagonal[p]); /* of row p, whose error grows as it shrinks */
                worst_r =
                    fmax(worst_r, fabs(r[ml_tri(c, p) * L + lane] - expected) * fmin(scale, 1.0));
            }
        }
        CHECK(LAPACKE_dorgqr(LAPACK_COL_MAJOR, n_row, n_column, n_column, m, n_row, tau) == 0);
        for (int c = 0; c < n_column; c++)
            for (int p = 0; p <= c; p++) {
                double dot = p == c ? -1.0 : 0.0;
                for (int i = 0; i < n_row; i++)
                    dot += q[(c * n_row + i) * L + lane] * q[(p * n_row + i) * L + lane];
                worst_q = fmax(worst_q, fabs(dot));
            }
    }
    CHECK_ERROR(worst_q, 1e-14);
    CHECK_ERROR(worst_r, 1e-14);
}

static void gives_back_the_matrix(const struct ml_kernels *k, int n_row, int n_column)
{
    double worst = 0.0;
    CHECK_CASE("%s %d x %d, Q R", k->isa, n_row, n_column);
    fill(n_row, n_column, 1e-3, 5);
    memcpy(q, a, sizeof q);
    k->orthonormalise(n_row, n_column, 0.0, q, r);
    for (int c = 0; c < n_column; c++)
        for (int i = 0; i < n_row; i++)
            for (int l = 0; l < L; l++) {
                double sum = 0.0;
                for (int p = 0; p <= c; p++)
                    sum += q[(p * n_row + i) * L + l] * r[ml_tri(c, p) * L + l];
                worst = fmax(worst, fabs(sum - a[(c * n_row + i) * L + l]));
            }
    CHECK_ERROR(worst, 2e-15);
}

static void bits_are_those_of_the_baseline(const struct ml_kernels *k)
{
    CHECK_CASE("%s bits", k->isa);
    fill(6, 6, 0.1, 3);
    memcpy(q, a, sizeof q);
    memcpy(q0, a, sizeof q0);
    ml_kernels_at(0)->orthonormalise(6, 6, 0.0, q0, r);
    k->orthonormalise(6, 6, 0.0, q, r);
    CHECK(memcmp(q, q0, sizeof q) == 0);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        for (int n = 1; n <= MAX; n++) {
            agrees_with_lapack(k, n, n, 1.0);
            agrees_with_lapack(k, n, (n + 1) / 2, 1.0);
            agrees_with_lapack(k, n, n, 1e-5);
            gives_back_the_matrix(k, n, n);
        }
        bits_are_those_of_the_baseline(k);
    }
    return check_done();
}
