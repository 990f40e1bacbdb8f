/* Stands in for the one translation unit of a kernel. */
#include <assert.h>

#include "engine/ensemble.h"
#include "simd/exp.h"
#include "simd/far.c"
#include "simd/log.h"
#include "simd/vmath.h"
#include "systems/rhs.h"

extern __attribute__((visibility("default"))) void (*const ml_kernel_made)(double *x);

static void sine(double *x)
{
    ML_EACH_GROUP(g) {
        ml_vec angle = ml_get(x + g, 0), s, c;
        ml_sincos(1, &angle, &s, &c);
        ml_put(x + g, 0, s);
    }
}

void (*const ml_kernel_made)(double *x) = sine;
