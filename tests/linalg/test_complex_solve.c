/* Complex equations, a matrix in each lane, against LAPACK's zgesv, by every instruction set. */
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "engine/kernels/kernels.h"

enum { MOST = 12, RHS = 2, L = ML_LANES };

static _Alignas(64) double equations[MOST * (MOST + RHS) * 2 * L];
static double complex matrix[L][MOST * MOST], right[L][MOST * RHS];

/* In [-1, 1), the same everywhere. */
static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

static double *entry(int n, int i, int j, int lane)
{
    return &equations[2 * (i * (n + RHS) + j) * L + lane];
}

/* Small diagonals, so that lanes exchange different rows. */
static void fill(int n)
{
    uint64_t state = (uint64_t)n;
    for (int lane = 0; lane < L; lane++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n + RHS; j++) {
                double *own = entry(n, i, j, lane), share = i == j ? 1e-3 : 1.0;
                own[0] = share * drawn(&state);
                own[L] = share * drawn(&state);
                const double parts[] = {own[0], own[L]};
                memcpy(j < n ? &matrix[lane][i * n + j] : &right[lane][i * RHS + j - n], parts,
                       sizeof parts);
            }
}

static void lanes_have_solutions_of_lapack(const struct ml_kernels *kernels, int n)
{
    lapack_int pivots[MOST];
    double worst = 0.0;
    fill(n);
    kernels->solve_complex(n, RHS, equations);
    for (int lane = 0; lane < L; lane++) {
        CHECK(LAPACKE_zgesv(LAPACK_ROW_MAJOR, n, RHS, matrix[lane], n, pivots, right[lane], RHS) ==
              0);
        double largest = 0.0, error = 0.0;
        for (int i = 0; i < n; i++)
            for (int r = 0; r < RHS; r++) {
                const double *own = entry(n, i, n + r, lane);
                const double complex known = right[lane][i * RHS + r];
                largest = fmax(largest, cabs(known));
                error = fmax(error, hypot(own[0] - creal(known), own[L] - cimag(known)));
            }
        worst = fmax(worst, error / largest);
    }
    CHECK_CASE("%s, n = %d", kernels->isa, n);
    CHECK_ERROR(worst, 5e-14);
}

/* Of two equal rows in one lane. */
static void a_lane_without_pivot_leaves_the_others(const struct ml_kernels *kernels)
{
    const int n = 3, odd = 5;
    static double alone[sizeof equations / sizeof *equations];
    fill(n);
    kernels->solve_complex(n, RHS, equations);
    memcpy(alone, equations, sizeof equations);
    fill(n);
    for (int i = 0; i < n; i++)
        entry(n, i, 1, odd)[0] = entry(n, i, 1, odd)[L] = 0.0;
    kernels->solve_complex(n, RHS, equations);
    for (int lane = 0; lane < L; lane++)
        for (int i = 0; i < n; i++) {
            const double own = *entry(n, i, n, lane);
            if (lane == odd)
                CHECK(!isfinite(own));
            else
                CHECK(own == alone[entry(n, i, n, lane) - equations]);
        }
}

int main(void)
{
    for (int k = 0; ml_kernels_at(k); k++) {
        for (int n = 1; n <= MOST; n++)
            lanes_have_solutions_of_lapack(ml_kernels_at(k), n);
        a_lane_without_pivot_leaves_the_others(ml_kernels_at(k));
    }
    return check_done();
}
