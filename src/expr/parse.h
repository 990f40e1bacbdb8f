/* Formulas as text. */
#ifndef ML_EXPR_PARSE_H
#define ML_EXPR_PARSE_H

#include "expr/graph.h"

/* Why a text is no formula. */
struct ml_expr_fault {
    int at; /* bytes before the fault */
    char what[240];
};

/* The names that a formula may use. */
struct ml_expr_names {
    /* The node of a name; ML_NO_NODE if there is no such name, or after writing to `fault`, whose
     * `what` is "" before. */
    int (*find)(void *context, const char *name, struct ml_expr_fault *fault);
    /* The known name nearest to it, for the message; NULL: none. */
    const char *(*nearest)(void *context, const char *name); /* NULL: there are none */
    void *context;
};

enum { ML_EXPR_DEEPEST = 64, ML_EXPR_NAME = 128 }; /* parentheses; bytes of a name with its NUL */

/* Whether a word means something in all formulas: a function, pi, deg, and, or, not. */
bool ml_expr_is_word(const char *name);

/* Whether a text can be a name of formulas: letters, digits and _, no digit first, no such word. */
bool ml_expr_is_name(const char *name);

/* The node of a formula; ML_NO_NODE after writing the fault:
 *   or, and, not, comparisons, + -, * /, - (before), ^, in this order, the last binds most
 *   numbers such as 1.5, 2e-3, 60deg; pi; names, x' too; functions of expr/ops.def; parentheses
 * names: NULL: there are none. */
int ml_expr_parse(struct ml_graph *graph, const char *text, const struct ml_expr_names *names,
                  struct ml_expr_fault *fault);

#endif
