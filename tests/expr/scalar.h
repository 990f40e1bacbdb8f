/* Operations and programs of formulas on single numbers, by the C library. */
#ifndef TESTS_SCALAR_H
#define TESTS_SCALAR_H

#include <math.h>

#include "expr/program.h"

/* The value of an operation, by the C library. */
static inline double scalar_compute(enum ml_op op, const double *v)
{
    switch (op) {
    case ML_OP_neg:
        return -v[0];
    case ML_OP_add:
        return v[0] + v[1];
    case ML_OP_sub:
        return v[0] - v[1];
    case ML_OP_mul:
        return v[0] * v[1];
    case ML_OP_div:
        return v[0] / v[1];
    case ML_OP_fma:
        return fma(v[0], v[1], v[2]);
    case ML_OP_fnma:
        return fma(-v[0], v[1], v[2]);
    case ML_OP_sqrt:
        return sqrt(v[0]);
    case ML_OP_abs:
        return fabs(v[0]);
    case ML_OP_min:
        return v[0] < v[1] ? v[0] : v[1];
    case ML_OP_max:
        return v[0] > v[1] ? v[0] : v[1];
    case ML_OP_exp:
        return exp(v[0]);
    case ML_OP_log:
        return log(v[0]);
    case ML_OP_sin:
        return sin(v[0]);
    case ML_OP_cos:
        return cos(v[0]);
    case ML_OP_sign:
        return (v[0] > 0.0) - (v[0] < 0.0);
    case ML_OP_mod:
        return v[0] - v[1] * floor(v[0] / v[1]);
    case ML_OP_floor:
        return floor(v[0]);
    case ML_OP_cbrt:
        return cbrt(v[0]);
    case ML_OP_tan:
        return tan(v[0]);
    case ML_OP_asin:
        return asin(v[0]);
    case ML_OP_acos:
        return acos(v[0]);
    case ML_OP_atan:
        return atan(v[0]);
    case ML_OP_sinh:
        return sinh(v[0]);
    case ML_OP_cosh:
        return cosh(v[0]);
    case ML_OP_tanh:
        return tanh(v[0]);
    case ML_OP_erf:
        return erf(v[0]);
    case ML_OP_hypot:
        return hypot(v[0], v[1]);
    case ML_OP_pow:
        return pow(v[0], v[1]);
    case ML_OP_atan2:
        return atan2(v[0], v[1]);
    case ML_OP_less:
        return v[0] < v[1];
    case ML_OP_at_most:
        return v[0] <= v[1];
    case ML_OP_equal:
        return v[0] == v[1];
    case ML_OP_and:
        return v[0] != 0.0 && v[1] != 0.0;
    case ML_OP_or:
        return v[0] != 0.0 || v[1] != 0.0;
    case ML_OP_not:
        return v[0] == 0.0;
    case ML_OP_where:
        return v[0] != 0.0 ? v[1] : v[2];
    default:
        return (double)NAN;
    }
}

/* Of an input, of x, y, k and t and the derivatives of the first three. */
static inline double scalar_input(enum ml_op op, int number, double value, const double *x,
                                  const double *dx)
{
    switch (op) {
    case ML_OP_LITERAL:
        return value;
    case ML_OP_STATE:
        return x[number];
    case ML_OP_PARAM:
        return x[2 + number];
    case ML_OP_TIME:
        return x[3];
    case ML_OP_STATE_DERIV:
        return dx[number];
    default:
        return dx[2 + number];
    }
}

/* One phase of a program. */
static inline void scalar_run(const struct ml_program *program, int phase, const double *x,
                              const double *dx, double *registers)
{
    const struct ml_phase *p = &program->phases[phase];
    for (int i = p->first; i < p->first + p->n; i++) {
        const struct ml_instruction *in = &program->instructions[i];
        double v[ML_OP_MOST] = {0};
        for (int k = 0; k < ml_ops[in->op].n_argument; k++)
            v[k] = registers[in->arg[k]];
        const double cosine = cos(v[0]);
        if (in->out != ML_NO_NODE)
            registers[in->out] = in->op < ML_OP_neg
                                     ? scalar_input(in->op, in->arg[0], in->value, x, dx)
                                     : scalar_compute(in->op, v);
        if (in->cosine != ML_NO_NODE)
            registers[in->cosine] = cosine;
    }
}

#endif
