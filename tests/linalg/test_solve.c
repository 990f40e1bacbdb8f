/* Both back ends on matrices with a known solution, against each other, and on bad lanes. */
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"

enum { MAX_N = 24, RHS = 3, L = ML_LANES, TRI = MAX_N * (MAX_N + 1) / 2 };

static _Alignas(64) double a[TRI * L], a0[TRI * L], b[RHS * MAX_N * L];
static _Alignas(64) double work[MAX_N * (MAX_N + RHS) * L];

/* Symmetric positive definite, different in each lane. */
static double element(int i, int j, int lane)
{
    return (i == j ? 1.0 + 0.1 * lane : 0.0) + 1.0 / (1 + i + j);
}

static void fill(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int l = 0; l < L; l++)
                a[ml_tri(i, j) * L + l] = element(i, j, l);
}

/* b = A x with x_j = j + 1 + r for right-hand side r */
static void fill_rhs(int n)
{
    for (int r = 0; r < RHS; r++)
        for (int i = 0; i < n; i++)
            for (int l = 0; l < L; l++) {
                long double sum = 0.0L;
                for (int j = 0; j < n; j++)
                    sum += (long double)element(i, j, l) * (j + 1 + r);
                b[(r * n + i) * L + l] = (double)sum;
            }
}

static double worst_error(int n)
{
    double worst = 0.0;
    for (int r = 0; r < RHS; r++)
        for (int i = 0; i < n; i++)
            for (int l = 0; l < L; l++)
                worst = fmax(worst, fabs(b[(r * n + i) * L + l] - (i + 1 + r)) / n);
    return worst;
}

static void solve_inverts_the_product(const struct ml_kernels *k, const struct ml_solver *solver)
{
    for (int n = 1; n <= MAX_N; n++) {
        int info[L];
        CHECK_CASE("%s %s n=%d", k->isa, solver->name, n);
        fill(n);
        fill_rhs(n);
        solver->potrf(n, a, info, work);
        solver->potrs(n, RHS, a, b, work);
        for (int l = 0; l < L; l++)
            CHECK(info[l] == 0);
        CHECK_ERROR(worst_error(n), 4e-15);
    }
}

/* info is the order of the first leading minor that is not positive, as dpotrf's. */
static void bad_lanes_are_reported_and_leave_others_alone(const struct ml_kernels *k,
                                                          const struct ml_solver *solver)
{
    enum { N = 5, ROWS = N * (N + 1) / 2 };
    int info[L];
    CHECK_CASE("%s %s bad lanes", k->isa, solver->name);
    fill(N);
    solver->potrf(N, a, info, work);
    memcpy(a0, a, sizeof a);
    fill(N);
    a[ml_tri(2, 2) * L + 3] = -1.0;
    a[ml_tri(0, 0) * L + 6] = (double)NAN;
    a[ml_tri(4, 4) * L + 1] = 0.0;
    solver->potrf(N, a, info, work);
    for (int l = 0; l < L; l++)
        CHECK(info[l] == (l == 3 ? 3 : l == 6 ? 1 : l == 1 ? 5 : 0));
    for (int r = 0; r < ROWS; r++)
        for (int l = 0; l < L; l++)
            CHECK(info[l] > 0 || a[r * L + l] == a0[r * L + l]);
}

static void a_zero_pivot_is_singular(const struct ml_kernels *k, const struct ml_solver *solver)
{
    int info[L];
    CHECK_CASE("%s %s rank one", k->isa, solver->name);
    for (int i = 0; i < 3 * L; i++)
        a[i] = 1.0; /* all ones: the second pivot is exactly 0 */
    solver->potrf(2, a, info, work);
    for (int l = 0; l < L; l++)
        CHECK(info[l] == 2);
}

static void interleaved_bits_are_those_of_the_baseline(const struct ml_kernels *k)
{
    int info[L];
    CHECK_CASE("%s bits", k->isa);
    fill(MAX_N);
    ml_kernels_at(0)->solvers[ML_SOLVER_interleaved].potrf(MAX_N, a, info, work);
    memcpy(a0, a, sizeof a);
    fill(MAX_N);
    k->solvers[ML_SOLVER_interleaved].potrf(MAX_N, a, info, work);
    CHECK(memcmp(a, a0, sizeof a) == 0);
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        for (int s = 0; s < ML_N_SOLVER; s++) {
            if (!k->solvers[s].potrf)
                continue;
            solve_inverts_the_product(k, &k->solvers[s]);
            bad_lanes_are_reported_and_leave_others_alone(k, &k->solvers[s]);
            a_zero_pivot_is_singular(k, &k->solvers[s]);
        }
        interleaved_bits_are_those_of_the_baseline(k);
    }
    return check_done();
}
