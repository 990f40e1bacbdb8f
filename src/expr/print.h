/* Nodes as formulas that people read: text that ml_expr_parse takes, or LaTeX. */
#ifndef ML_EXPR_PRINT_H
#define ML_EXPR_PRINT_H

#include <stdio.h>

#include "expr/graph.h"

struct ml_expr_print {
    FILE *to;
    const struct ml_graph *graph;
    const char *const *states, *const *params, *const *curves; /* names of inputs, and of curves */
    const char **names; /* [graph->n] of nodes that are written by their name; NULL: written out */
    bool is_latex;
};

/* Names nodes that are taken more than once and are no short formulas, and so many that no formula
 * is nested deeply.
 *   prefix  of the names, before a number
 * False without memory, or where conditions are nested too deeply. */
bool ml_expr_name_shared(const struct ml_expr_print *print, struct ml_pool *pool,
                         const bool *is_needed, const char *prefix);

/* A node, by its name if it has one; or written out. */
void ml_expr_print(const struct ml_expr_print *print, int node);
void ml_expr_print_whole(const struct ml_expr_print *print, int node);

/* A node written out, as a text of `pool`; NULL without memory. `to` and `names` of `print` have no
 * meaning. */
const char *ml_expr_print_text(const struct ml_expr_print *print, struct ml_pool *pool, int node);

/* A name as LaTeX: x_rate is x with a point, other _ and digits at the end are an index. */
void ml_expr_print_name(FILE *to, const char *name);

#endif
