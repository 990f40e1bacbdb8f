/* Writes the functions that a made kernel has of forces by formula. */
#include "model/forces/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/forces/force.h"

static const char *const seen_names[] = {
#define ML_SEEN(name) #name,
#include "model/forces/seen.def"
};

/* The functions of one force, for FORMULA_RUN. */
static void write_force(FILE *to, const struct ml_formula *formula, int i)
{
    char prefix[32];
    (void)snprintf(prefix, sizeof prefix, "formula_%d", i);
    ml_equations_write(to, &formula->equations, prefix, "ml_law_at");
    (void)fprintf(to,
                  "enum { %s_kept = %d };\nML_INLINE void %s_see(const struct ml_law_at *at, "
                  "ml_vec *x, ml_vec *y)\n{\n    (void)at, (void)x, (void)y;\n",
                  prefix, ml_equations_kept(&formula->equations), prefix);
    for (int s = 0; s < formula->n_seen; s++)
        (void)fprintf(to, "    formula_take(at, formula_see_%s(at, %d), x + %d, y + %d);\n",
                      seen_names[formula->seen[s].kind], formula->seen[s].segment, s, s);
    (void)fprintf(to, "}\n");
}

static void write_all(FILE *to, const struct ml_force_use *forces, int n_force)
{
    int n = 0;
    for (int f = 0; f < n_force; f++)
        if (forces[f].formula)
            write_force(to, forces[f].formula, n++);
    (void)fprintf(to, "ML_INLINE void formula_run(const struct ml_law_at *at, ml_vec *value, "
                      "ml_vec *deriv)\n{\n    switch (at->law->i_formula) {\n");
    for (int i = 0; i < n; i++)
        (void)fprintf(to,
                      "    case %d:\n        FORMULA_RUN(formula_%d, at, value, deriv);\n"
                      "        break;\n",
                      i, i);
    (void)fprintf(to, "    }\n}\n");
}

char *ml_formula_code(const struct ml_force_use *forces, int n_force, struct ml_pool *pool)
{
    bool has_some = false;
    char *text = NULL;
    size_t size = 0;
    for (int f = 0; f < n_force; f++)
        has_some |= forces[f].formula != NULL;
    FILE *to = has_some ? open_memstream(&text, &size) : NULL;
    if (!to)
        return NULL;
    write_all(to, forces, n_force);
    const bool is_whole = fclose(to) == 0;
    char *code = is_whole ? ml_pool_text(pool, text, strlen(text)) : NULL;
    free(text);
    return code;
}
