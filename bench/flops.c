/* One function for each function of the sources, with its name; a change there is a change here.
 * A fused multiply-add is written 2. */
#include "flops.h"

/* simd/vmath.h, ml_sincos_near: reduction, r^2, sine, cosine. */
double ml_bench_flops_sincos(void)
{
    const double reduction = 2 + 1 + 2 + 2 + 2;
    const double square = 1;
    const double sine = 5 * 2 + 1 + 2;
    const double cosine = 5 * 2 + 1 + 2 + 2;
    return reduction + square + sine + cosine;
}

/* simd/vmath.h, ml_sincos_update. */
static double sincos_update(void)
{
    const double square = 1;
    const double increment_s = 2 + 2 + 1 + 2, increment_c = 2 + 2 + 2 + 1;
    return square + increment_s + increment_c + 2 * (2 + 2);
}

/* model/chain/dynamics.kern.h, chain_sincos_stage: one angle; a later stage turns by a difference.
 */
static double sincos_stage(int is_first)
{
    return is_first ? ml_bench_flops_sincos() : 1 + sincos_update();
}

/* model/chain/forces.kern.h, chain_assemble_pairs. */
static double assemble_pairs(int n)
{
    const double gravity = 2 + 1, square = 1;
    const double pull = 1 + 2 + 1, mass = 1 + 2 + 1, forces = 2 + 2;
    return n * (gravity + square) + n * (n - 1) / 2.0 * (pull + mass + forces);
}

/* model/chain/forces.kern.h, chain_assemble_sums: products, forces and sums from both ends. */
static double assemble_sums(int n)
{
    const double products = 4, gravity = 2 + 1, square = 1;
    const double force = 2 + 2, sums = 2 + 2, mass = 1 + 2;
    return n * (products + gravity + square + 2 * force) + (n - 1) * 2 * sums +
           n * (n - 1) / 2.0 * mass;
}

static double assemble(int n)
{
    const int most_pairwise = 4; /* CHAIN_MAX_PAIRWISE */
    return n <= most_pairwise ? assemble_pairs(n) : assemble_sums(n);
}

/* linalg/solve.kern.h, ml_factor: L D L^T. */
static double factor(int n)
{
    const double inner = 2, column = 1 + 2, reciprocal = 1;
    double sum = reciprocal;
    for (int i = 1; i < n; i++)
        sum += i * (i - 1) / 2.0 * inner + i * column + reciprocal;
    return sum;
}

/* linalg/solve.kern.h, ml_substitute: forwards, backwards and by D. */
static double substitute(int n) { return n * (n - 1) / 2.0 * (2 + 2) + n; }

/* model/chain/recursive.kern.h, chain_accelerate_recursive: three passes. */
static double recursive(int n)
{
    const double outward = 4 + 3 + 1 + (2 + 2) + (2 + 2);
    const double inward = 1 + (2 + 2) + (2 + 2);
    const double factor = 2 * (1 + 2) + (2 + 2) + 1 + 2 + 2 + 3 * 2;
    const double substitute = (2 + 2) + (2 + 2) + 1, back = (2 + 2) + (2 + 2);
    return n * (outward + inward + factor + substitute + back);
}

double ml_bench_flops_rk4(int n, enum ml_solver_kind solver)
{
    const double stages = 2 + 4 + 4 + 3; /* integrators/rk4.kern.h, per number of the state */
    double angles = n * (sincos_stage(1) + 3 * sincos_stage(0));
    double rest =
        solver == ML_SOLVER_recursive ? recursive(n) : assemble(n) + factor(n) + substitute(n);
    return angles + 4 * rest + 2 * n * stages;
}
