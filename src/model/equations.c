/* Writes the functions that a made kernel has of the formulas of a study. */
#include "model/equations.h"

#include <stdlib.h>
#include <string.h>

#include "expr/program.h"

/* Programs and phases of the functions that model/equations.kern.h declares. */
struct written {
    const char *name;
    int program, phase;
};
static const struct written functions[] = {
    {"bare", ML_EQUATIONS_BARE, 0},           {"first", ML_EQUATIONS_TANGENT, 0},
    {"along", ML_EQUATIONS_TANGENT, 1},       {"first_forced", ML_EQUATIONS_FORCED, 0},
    {"along_forced", ML_EQUATIONS_FORCED, 1}, {"forcing", ML_EQUATIONS_FORCED, 2},
};

static bool is_of_system(const char *context) { return strcmp(context, "ml_rhs_ctx") == 0; }

/* Writes a function up to its body.
 *   stage, y  whether it takes these too */
static void write_head(FILE *to, const char *name, const char *ending, const char *context,
                       bool stage, bool y)
{
    (void)fprintf(to,
                  "ML_INLINE void %s_%s(const struct %s *ctx, %sint j, "
                  "const ml_vec *t, const ml_vec *x, %sml_vec *work, ml_vec *out)\n"
                  "{\n    const int G = %s;\n    (void)ctx, (void)j, (void)G, (void)t, (void)x, "
                  "(void)work%s;\n",
                  name, ending, context, stage ? "int stage, " : "", y ? "const ml_vec *y, " : "",
                  is_of_system(context) ? "ctx->n_group" : "1", stage ? ", (void)stage" : "");
}

void ml_equations_write(FILE *to, const struct ml_equations *equations, const char *name,
                        const char *context)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct written *f = &functions[i];
        write_head(to, name, f->name, context, f->phase == 0 && is_of_system(context),
                   f->phase == 1);
        ml_program_emit(to, &equations->programs[f->program], f->phase, f->phase == 2);
        (void)fprintf(to, "}\n");
    }
}

/* The energies; a system without energies has no caller. */
static void write_energies(FILE *to, const struct ml_equations *equations)
{
    const struct ml_program *program = &equations->seldom[ML_EQUATIONS_ENERGY];
    write_head(to, "equations", "energies", "ml_rhs_ctx", false, false);
    if (program->n_phase > 0)
        ml_program_emit(to, program, 0, false);
    else
        (void)fprintf(to, "    (void)out;\n");
    (void)fprintf(to, "}\n");
}

bool ml_equations_are_short(const struct ml_equations *equations)
{
    const int cost = 20; /* of a function, whose code is so many times as long */
    int n = 0;
    for (int p = 0; p < ML_N_EQUATIONS; p++)
        for (int i = 0; i < equations->programs[p].n_instruction; i++) {
            const enum ml_op op = equations->programs[p].instructions[i].op;
            n += op >= ML_OP_exp && op <= ML_OP_cos ? cost : 1;
        }
    return n <= ML_EQUATIONS_MOST_CODE;
}

char *ml_equations_code(const struct ml_equations *equations, struct ml_pool *pool)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    ml_equations_write(to, equations, "equations", "ml_rhs_ctx");
    write_energies(to, equations);
    const bool is_whole = fclose(to) == 0;
    char *code = is_whole ? ml_pool_text(pool, text, strlen(text)) : NULL;
    free(text);
    return code;
}
