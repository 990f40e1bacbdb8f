/* Interprets programs of formulas on lanes. */
#ifndef ML_MODEL_PROGRAM_KERN_H
#define ML_MODEL_PROGRAM_KERN_H

#include "expr/program.h"
#include "model/equations_ops.kern.h"
#include "model/rhs.h"

/* Where an instruction finds its numbers: rows of n vectors. */
struct ml_program_rows {
    int n;
    const ml_vec *t, *x, *y;
    const double *params, *param_derivs; /* rows of ML_LANES, at the first lane of the vectors */
    ml_vec *registers;
    const struct ml_signal *curves; /* by number */
    const struct ml_rhs_ctx *ctx; /* whose path sines and cosines take; NULL: any angle is right */
    int stage;                    /* of the step, where the program has stages */
};

/* Operations of one, two and three arguments, for ML_OP. */
#define PROGRAM_1(name) ml_op_##name(a[j])
#define PROGRAM_2(name) ml_op_##name(a[j], b[j])
#define PROGRAM_3(name) ml_op_##name(a[j], b[j], c[j])

ML_INLINE void ml_program_sincos(const struct ml_program_rows *rows, int j, ml_vec angle,
                                 ml_vec *sine, ml_vec *cosine)
{
    if (rows->ctx)
        ml_rhs_sincos(rows->ctx, j, angle, sine, cosine);
    else
        ml_sincos(1, &angle, sine, cosine);
}

/* Runs one instruction for all vectors side by side, so that they share the time it takes to find
 * the operation. */
ML_INLINE void ml_program_step(const struct ml_instruction *in, const struct ml_program_rows *rows)
{
    const int n = rows->n;
    ml_vec *r = rows->registers, *out = r + in->out * n;
    const ml_vec *a = r + in->arg[0] * n, *b = r + in->arg[1] * n, *c = r + in->arg[2] * n;
    switch (in->op) {
    case ML_OP_LITERAL:
        for (int j = 0; j < n; j++)
            out[j] = ml_splat(in->value);
        break;
    case ML_OP_TIME:
        for (int j = 0; j < n; j++)
            out[j] = rows->t[j];
        break;
    case ML_OP_STATE:
        for (int j = 0; j < n; j++)
            out[j] = rows->x[in->arg[0] * n + j];
        break;
    case ML_OP_STATE_DERIV:
        for (int j = 0; j < n; j++)
            out[j] = rows->y[in->arg[0] * n + j];
        break;
    case ML_OP_PARAM:
    case ML_OP_MODE:
        for (int j = 0; j < n; j++)
            out[j] = ml_load(rows->params + j * ML_WIDTH, in->arg[0]);
        break;
    case ML_OP_PARAM_DERIV:
        for (int j = 0; j < n; j++)
            out[j] = ml_load(rows->param_derivs + j * ML_WIDTH, in->arg[0]);
        break;
    case ML_OP_CURVE:
        for (int j = 0; j < n; j++)
            out[j] = ml_curve(rows->curves[in->arg[1]].breakpoints, in->arg[2], a[j]);
        break;
    case ML_OP_sin:
    case ML_OP_cos:
        for (int j = 0; j < n; j++) {
            ml_vec sine, cosine;
            if (in->anchor == ML_NO_NODE)
                ml_program_sincos(rows, j, a[j], &sine, &cosine);
            else
                ml_rhs_sincos_of(rows->ctx, rows->stage, j, r + in->anchor * n + j, a[j], &sine,
                                 &cosine);
            if (in->out != ML_NO_NODE)
                out[j] = sine;
            if (in->cosine != ML_NO_NODE)
                r[in->cosine * n + j] = cosine;
        }
        break;
#define ML_OP(name, n_argument, word)            \
    case ML_OP_##name:                           \
        for (int j = 0; j < n; j++)              \
            out[j] = PROGRAM_##n_argument(name); \
        break;
#define ML_OP_PAIR(name, word)
#include "expr/ops.def"
    case ML_N_OP:
        break;
    }
}

/* One phase of a program, into the registers. */
ML_INLINE void ml_program_compute(const struct ml_program *program, int phase,
                                  const struct ml_program_rows *rows)
{
    const struct ml_phase *p = &program->phases[phase];
    for (int i = p->first; i < p->first + p->n; i++)
        ml_program_step(&program->instructions[i], rows);
}

ML_INLINE void ml_program_lower(const struct ml_program_rows *rows, int place)
{
    for (int j = 0; j < rows->n; j++)
        rows->ctx->smallest[j] =
            ml_min(rows->registers[place * rows->n + j], rows->ctx->smallest[j]);
}

/* One phase of a program, whose outputs become rows or are added to them. */
static __attribute__((noinline, unused)) void ml_program_run(const struct ml_program *program,
                                                             int phase,
                                                             const struct ml_program_rows *rows,
                                                             bool is_added, ml_vec *out)
{
    const struct ml_phase *p = &program->phases[phase];
    const int n = rows->n, n_row = ml_program_rows_of(program, phase);
    ml_program_compute(program, phase, rows);
    for (int o = n_row; o < p->n_output; o++)
        ml_program_lower(rows, p->outputs[o]);
    for (int o = 0; o < n_row; o++)
        for (int j = 0; j < n; j++) {
            ml_vec value = ml_splat(0.0);
            if (p->outputs[o] != ML_NO_NODE)
                value = rows->registers[p->outputs[o] * n + j];
            else if (is_added)
                continue;
            out[o * n + j] = is_added ? (ml_vec)(out[o * n + j] + value) : value;
        }
}

#endif
