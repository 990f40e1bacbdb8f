/* The registry of the methods, and properties computed from their tables. */
#include <math.h>
#include <stddef.h>

#include "integrators/method.h"

#define ML_METHOD(name) extern const struct ml_method ml_method_##name;
#include "integrators/methods.def"
#undef ML_METHOD

const struct ml_method *const ml_methods[] = {
#define ML_METHOD(name) &ml_method_##name,
#include "integrators/methods.def"
#undef ML_METHOD
    NULL,
};

/* Iteration of maps, x' = F(x), in the place of a method of integration. */
static const double map_nodes[] = {0.0};

const struct ml_method ml_method_map = {
    .name = "map",
    .doc = "iterates a map: of systems of formulas with `kind: map` only",
    .source = "its definition",
    .order = 1,
    .n_stage = 1,
    .n_step_stage = 1,
    .node = map_nodes,
    .is_map = true,
};

static double method_sum(const struct ml_sum *sum, const double *k)
{
    double total = 0.0;
    for (int i = 0; i < sum->n_term; i++)
        total += sum->terms[i].weight * k[sum->terms[i].stage];
    return total / sum->divisor;
}

/* R(z) = 1 + z b (I - z A)^-1 (1, ..., 1) = 1 + sum over k of z^(k+1) b A^k (1, ..., 1). */
void ml_method_stability(const struct ml_method *method, double *coefficients)
{
    double power[ML_MAX_STAGE]; /* A^k (1, ..., 1) */
    for (int i = 0; i < method->n_stage; i++)
        power[i] = 1.0;
    coefficients[0] = 1.0;
    if (!ml_method_is_tableau(method))
        return;
    for (int k = 0; k < method->n_stage; k++) {
        coefficients[k + 1] = method_sum(&method->step, power);
        /* Backwards in place: a row of A only has columns before it. */
        for (int i = method->n_stage - 1; i >= 0; i--)
            power[i] = method_sum(&method->stage[i], power);
    }
}

/* The larger of the eigenvalues of a 2 x 2 matrix, by size. */
static double method_spectral_radius(double complex trace, double complex determinant)
{
    const double complex half = 0.5 * trace, root = csqrt(half * half - determinant);
    return fmax(cabs(half + root), cabs(half - root));
}

/* A step's map of (x, h v), whose determinant is 1. */
static double method_splitting_growth(const struct ml_method *method, double complex square)
{
    double complex x[2] = {1.0, 0.0}, v[2] = {0.0, 1.0};
    for (int s = 0; s <= method->n_stage; s++)
        for (int c = 0; c < 2; c++) {
            x[c] += method->splitting->drift[s] * v[c];
            v[c] += s < method->n_stage ? method->splitting->kick[s] * square * x[c] : 0.0;
        }
    return method_spectral_radius(x[0] + v[1], 1.0);
}

double ml_method_growth(const struct ml_method *method, const double *coefficients,
                        double complex z)
{
    double complex sum = 0.0;
    if (method->splitting)
        return method_splitting_growth(method, z * z);
    for (int k = method->n_stage; k >= 0; k--)
        sum = sum * z + coefficients[k];
    return cabs(sum);
}
