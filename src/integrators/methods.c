/* The registry of the explicit Runge-Kutta methods, and what follows from a table of any of them.
 */
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
    for (int k = 0; k < method->n_stage; k++) {
        coefficients[k + 1] = method_sum(&method->step, power);
        /* Backwards in place: a row of A only has columns before it. */
        for (int i = method->n_stage - 1; i >= 0; i--)
            power[i] = method_sum(&method->stage[i], power);
    }
}
