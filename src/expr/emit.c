/* One line of C for each instruction. */
#include "expr/program.h"

#include <math.h>

/* A register that is kept for later phases is in `work`; others are variables. */
static void emit_register(FILE *to, const struct ml_program *program, int place)
{
    if (place < program->n_kept)
        (void)fprintf(to, "work[%d * G + j]", place);
    else
        (void)fprintf(to, "r%d", place);
}

static void emit_call(FILE *to, const struct ml_program *program, const struct ml_instruction *in)
{
    (void)fprintf(to, "ml_op_%s(", ml_ops[in->op].name);
    for (int k = 0; k < ml_ops[in->op].n_argument; k++) {
        (void)fprintf(to, k > 0 ? ", " : "");
        emit_register(to, program, in->arg[k]);
    }
    (void)fprintf(to, ")");
}

/* A derivative may have the factor 1/1e-310. */
static void emit_literal(FILE *to, double value)
{
    if (isfinite(value))
        (void)fprintf(to, "ml_splat(%a)", value);
    else
        (void)fprintf(to, "ml_splat(%s)",
                      isnan(value)  ? "NAN"
                      : value < 0.0 ? "-INFINITY"
                                    : "INFINITY");
}

static void emit_value(FILE *to, const struct ml_program *program, const struct ml_instruction *in)
{
    switch (in->op) {
    case ML_OP_LITERAL:
        emit_literal(to, in->value);
        break;
    case ML_OP_TIME:
        (void)fprintf(to, "t[j]");
        break;
    case ML_OP_STATE:
        (void)fprintf(to, "x[%d * G + j]", in->arg[0]);
        break;
    case ML_OP_STATE_DERIV:
        (void)fprintf(to, "y[%d * G + j]", in->arg[0]);
        break;
    case ML_OP_PARAM:
    case ML_OP_MODE:
        (void)fprintf(to, "equations_param(ctx, j, %d)", in->arg[0]);
        break;
    case ML_OP_PARAM_DERIV:
        (void)fprintf(to, "equations_param_deriv(ctx, j, %d)", in->arg[0]);
        break;
    case ML_OP_CURVE:
        (void)fprintf(to, "equations_curve(ctx, %d, %d, ", in->arg[1], in->arg[2]);
        emit_register(to, program, in->arg[0]);
        (void)fprintf(to, ")");
        break;
    default:
        emit_call(to, program, in);
    }
}

static void emit_pair(FILE *to, const struct ml_program *program, const struct ml_instruction *in)
{
    if (in->anchor == ML_NO_NODE)
        (void)fprintf(to, "    equations_sincos(ctx, j, ");
    else
        (void)fprintf(to, "    ml_rhs_sincos_of(ctx, stage, j, work + %d * G + j, ", in->anchor);
    emit_register(to, program, in->arg[0]);
    (void)fprintf(to, ", &sine, &cosine);\n");
    const int places[] = {in->out, in->cosine};
    for (int i = 0; i < 2; i++)
        if (places[i] != ML_NO_NODE) {
            (void)fprintf(to, "    ");
            emit_register(to, program, places[i]);
            (void)fprintf(to, " = %s;\n", i == 0 ? "sine" : "cosine");
        }
}

static void emit_pivot(FILE *to, const struct ml_program *program, int place)
{
    (void)fprintf(to, "    ctx->smallest[j] = ml_min(");
    emit_register(to, program, place);
    (void)fprintf(to, ", ctx->smallest[j]);\n");
}

void ml_program_emit(FILE *to, const struct ml_program *program, int phase, bool is_added)
{
    const struct ml_phase *p = &program->phases[phase];
    const int n_row = ml_program_rows_of(program, phase);
    (void)fprintf(to, "    ml_vec sine, cosine;\n");
    for (int r = program->n_kept; r < program->n_register; r++)
        (void)fprintf(to, "    ml_vec r%d;\n", r);
    for (int i = p->first; i < p->first + p->n; i++) {
        const struct ml_instruction *in = &program->instructions[i];
        if (in->op == ML_OP_sin) {
            emit_pair(to, program, in);
            continue;
        }
        (void)fprintf(to, "    ");
        emit_register(to, program, in->out);
        (void)fprintf(to, " = ");
        emit_value(to, program, in);
        (void)fprintf(to, ";\n");
    }
    for (int o = n_row; o < p->n_output; o++)
        emit_pivot(to, program, p->outputs[o]);
    for (int o = 0; o < n_row; o++) {
        if (p->outputs[o] == ML_NO_NODE && is_added)
            continue;
        (void)fprintf(to, "    out[%d * G + j] %s ", o, is_added ? "+=" : "=");
        if (p->outputs[o] == ML_NO_NODE)
            (void)fprintf(to, "ml_splat(0.0)");
        else
            emit_register(to, program, p->outputs[o]);
        (void)fprintf(to, ";\n");
    }
}
