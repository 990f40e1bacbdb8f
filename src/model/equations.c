/* Writes the functions that a made kernel has of the formulas of a study. */
#include "model/equations.h"

#include <stdlib.h>
#include <string.h>

#include "expr/emit.h"

/* Programs and phases of the functions that model/equations.kern.h declares. */
static const struct {
    const char *name, *more; /* more: arguments that others have not */
    int program, phase;
} functions[] = {
    {"bare", "", ML_EQUATIONS_BARE, 0},
    {"first", "", ML_EQUATIONS_TANGENT, 0},
    {"along", "const ml_vec *y, ", ML_EQUATIONS_TANGENT, 1},
    {"first_forced", "", ML_EQUATIONS_FORCED, 0},
    {"along_forced", "const ml_vec *y, ", ML_EQUATIONS_FORCED, 1},
    {"forcing", "", ML_EQUATIONS_FORCED, 2},
};

void ml_equations_write(FILE *to, const struct ml_equations *equations, const char *name,
                        const char *context)
{
    const bool is_system = strcmp(context, "ml_rhs_ctx") == 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        (void)fprintf(
            to,
            "ML_INLINE void %s_%s(const struct %s *ctx, int j, "
            "const ml_vec *t, const ml_vec *x, %sml_vec *work, ml_vec *out)\n"
            "{\n    const int G = %s;\n    (void)ctx, (void)j, (void)G, (void)t, (void)x, "
            "(void)work;\n",
            name, functions[i].name, context, functions[i].more, is_system ? "ctx->n_group" : "1");
        ml_program_emit(to, &equations->programs[functions[i].program], functions[i].phase,
                        functions[i].phase == 2);
        (void)fprintf(to, "}\n");
    }
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
    const bool is_whole = fclose(to) == 0;
    char *code = is_whole ? ml_pool_text(pool, text, strlen(text)) : NULL;
    free(text);
    return code;
}
