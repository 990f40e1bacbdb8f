/* The table of one instruction set: its registry, solvers and kernels. */
#include "engine/kernels/kernels.h"

#include "linalg/complex_solve.h"
#include "linalg/orthonormalise.h"
#include "linalg/solve.kern.h"
#include "simd/exp.h"
#include "simd/log.h"
#include "simd/vmath.h"

#define ML_SYSTEM(name) extern const struct ml_kernel ML_K(ml_kernel_##name);
#include "model/systems.def"
#undef ML_SYSTEM
#ifndef ML_NO_BUILT_IN
#define ML_KERNEL(system, n, solver, columns, parameters, adaptive) \
    extern const struct ml_kernel ML_K(                             \
        ml_kernel_##system##_##n##_##solver##_##columns##_##parameters##_##adaptive);
#include "kernels.gen.def"
#undef ML_KERNEL
#endif
extern const struct ml_registry ML_K(ml_registry);

static const struct ml_kernel *const general[] = {
#define ML_SYSTEM(name) &ML_K(ml_kernel_##name),
#include "model/systems.def"
#undef ML_SYSTEM
};

static const struct ml_kernel *const built_in[] = {
#ifndef ML_NO_BUILT_IN
#define ML_KERNEL(system, n, solver, columns, parameters, adaptive) \
    &ML_K(ml_kernel_##system##_##n##_##solver##_##columns##_##parameters##_##adaptive),
#include "kernels.gen.def"
#undef ML_KERNEL
#endif
    NULL,
};

static void sincos_rows(int n, const double *x, double *sine, double *cosine)
{
    for (int i = 0; i < n; i++)
        ML_EACH_GROUP(g) {
            ml_vec angle = ml_load(x + g, i), s, c;
            ml_sincos(1, &angle, &s, &c);
            ml_store(sine + g, i, s);
            ml_store(cosine + g, i, c);
        }
}

static void sincos_update_rows(int n, const double *d, double *sine, double *cosine)
{
    for (int i = 0; i < n; i++)
        ML_EACH_GROUP(g) {
            ml_vec s = ml_load(sine + g, i), c = ml_load(cosine + g, i);
            ml_sincos_update(ml_load(d + g, i), &s, &c);
            ml_store(sine + g, i, s);
            ml_store(cosine + g, i, c);
        }
}

static void log_rows(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        ML_EACH_GROUP(g)
            ml_store(y + g, i, ml_log(ml_load(x + g, i)));
}

static void exp_rows(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        ML_EACH_GROUP(g)
            ml_store(y + g, i, ml_exp(ml_load(x + g, i)));
}

static void exp_near_rows(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        ML_EACH_GROUP(g)
            ml_store(y + g, i, ml_exp_near(ml_load(x + g, i)));
}

/* Whether leaves_rows finds nothing because all n + 2 values, and half of the range that they take
 * beyond it, are between low and high: the usual case, with a third of the operations. */
static bool stays_far(int n, long stride, const double *value, const double *low,
                      const double *high)
{
    ML_EACH_GROUP(g) {
        ml_vec least = ml_load(value + g, 0), most = least;
        for (int k = 1; k < n + 2; k++) {
            const ml_vec v = ml_load(value + k * stride + g, 0);
            least = ml_min(least, v);
            most = ml_max(most, v);
        }
        const ml_vec margin = 0.5 * (most - least);
        const ml_mask stays = (ml_mask)(most + margin < ml_load(high + g, 0)) &
                              (ml_mask)(least - margin >= ml_load(low + g, 0));
        if (ml_bits(~stays) != 0)
            return false;
    }
    return true;
}

static int leaves_rows(int n, long stride, const double *value, const double *low,
                       const double *high)
{
    if (stays_far(n, stride, value, low, high))
        return n;
    for (int k = 0; k < n; k++, value += stride)
        ML_EACH_GROUP(g) {
            const ml_vec older = ml_load(value + g, 0), old = ml_load(value + stride + g, 0);
            const ml_vec now = ml_load(value + 2 * stride + g, 0);
            const ml_vec margin = 0.5 * ml_max(ml_abs(old - older), ml_abs(now - old));
            const ml_mask stays = (ml_mask)(ml_max(old, now) + margin < ml_load(high + g, 0)) &
                                  (ml_mask)(ml_min(old, now) - margin >= ml_load(low + g, 0));
            if (ml_bits(~stays) != 0)
                return k;
        }
    return n;
}

static int turns_rows(int n, long stride, const double *value)
{
    for (int k = 0; k + 1 < n; k++, value += stride)
        ML_EACH_GROUP(g) {
            const ml_vec a = ml_load(value + g, 0), b = ml_load(value + stride + g, 0);
            const ml_vec c = ml_load(value + 2 * stride + g, 0);
            const ml_vec d = ml_load(value + 3 * stride + g, 0);
            const ml_mask is_monotone =
                (ml_mask)((b - a) * (c - b) > 0.0) & (ml_mask)((c - b) * (d - c) > 0.0);
            if (ml_bits(~is_monotone) != 0)
                return k;
        }
    return n - 1;
}

static int bends_rows(int n, long stride, const double *value, const double *sag, const double *low,
                      const double *high)
{
    for (int k = 0; k < n; k++, value += stride, sag += ML_LANES)
        ML_EACH_GROUP(g) {
            const ml_vec old = ml_load(value + stride + g, 0);
            const ml_vec now = ml_load(value + 2 * stride + g, 0);
            const ml_vec change = ml_abs(now - old);
            const ml_vec hidden = (double)ML_SAG_HIDES * ml_load(sag + g, 0);
            const ml_vec margin = change + hidden;
            const ml_mask bends = (ml_mask)(hidden > change);
            const ml_mask stays = (ml_mask)(ml_max(old, now) + margin < ml_load(high + g, 0)) &
                                  (ml_mask)(ml_min(old, now) - margin >= ml_load(low + g, 0));
            if (ml_bits(bends & ~stays) != 0)
                return k;
        }
    return n;
}

static void solve_complex(int n, int n_rhs, double *a)
{
    ML_EACH_GROUP(g)
        ml_complex_solve(n, n_rhs, a + g);
}

static void orthonormalise(int n_row, int n_column, double least, double *a, double *r)
{
    ML_EACH_GROUP(g)
        ml_orthonormalise(n_row, n_column, least, a + g, r + g);
}

static void add_effort(int n, const double *weight, const double *torque, const double *power,
                       double sums[3])
{
    double square = sums[0], gain = sums[1], loss = sums[2];
    for (int k = 0; k < n; k++) {
        square = fma(weight[k], torque[k] * torque[k], square);
        if (power[k] > 0.0)
            gain = fma(weight[k], power[k], gain);
        else if (power[k] < 0.0)
            loss = fma(weight[k], power[k], loss);
    }
    sums[0] = square, sums[1] = gain, sums[2] = loss;
}

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)

extern const struct ml_kernels ML_K(ml_kernels);
const struct ml_kernels ML_K(ml_kernels) = {
    .isa = STRING(ML_ISA_NAME),
    .width = ML_WIDTH,
    .registry = &ML_K(ml_registry),
    .solvers = ML_K(ml_solvers),
    .general = general,
    .built_in = built_in,
    .sincos = sincos_rows,
    .sincos_update = sincos_update_rows,
    .log = log_rows,
    .exp = exp_rows,
    .exp_near = exp_near_rows,
    .leaves = leaves_rows,
    .turns = turns_rows,
    .bends = bends_rows,
    .orthonormalise = orthonormalise,
    .add_effort = add_effort,
    .solve_complex = solve_complex,
};
