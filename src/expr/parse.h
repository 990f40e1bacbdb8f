/* Formulas as text. */
#ifndef ML_EXPR_PARSE_H
#define ML_EXPR_PARSE_H

#include "expr/graph.h"
#include "expr/units.h"

/* Why a text is no formula. */
struct ml_expr_fault {
    int at; /* bytes before the fault */
    char what[240];
};

/* The names that a formula may use. */
struct ml_expr_names {
    /* The node of a name; ML_NO_NODE if there is no such name, or after writing to `fault`, whose
     * text is "" before. */
    int (*find)(void *context, const char *name, struct ml_expr_fault *fault);
    /* The known name nearest to it, for the message; NULL: none. */
    const char *(*nearest)(void *context, const char *name); /* NULL: there are none */
    void *context;

    /* The node of entry NAME[index] of an array; `is_computed`: the index is more than a number or
     * a name. NULL: there are no arrays. */
    int (*entry)(void *context, const char *name, double index, bool is_computed,
                 struct ml_expr_fault *fault);

    /* How many arguments a function of the study has, -1: there is none of this name; and the node
     * of a call. NULL: there are no functions. */
    int (*arity)(void *context, const char *name);
    int (*call)(void *context, const char *name, const int *args, struct ml_expr_fault *fault);

    /* The unit that the study gives a name; NULL: none. And the receiver of a doubt about the
     * text `at` bytes behind the start. NULL: units are not looked at. */
    const char *(*unit)(void *context, const char *name);
    void (*doubt)(void *context, int at, const char *what);
    bool may_be_nan; /* numbers may: `a == a` is a test of that, and no doubt */

    /* The value of another node `delay` ago, written NAME(t - delay). NULL: there is no
     * past. */
    int (*past)(void *context, int node, int delay, struct ml_expr_fault *fault);
};

/* Parentheses; sums and products in each other; arguments of functions; bytes of a name with its
 * NUL. */
enum { ML_EXPR_DEEPEST = 64, ML_EXPR_LOOPS = 4, ML_EXPR_ARGUMENTS = 16, ML_EXPR_NAME = 128 };

/* Words before a parenthesis that formulas have besides functions; a study may use them as names.
 */
#define ML_EXPR_SUM "sum"
#define ML_EXPR_PRODUCT "prod"

/* The text between a name and its delay in shown formulas. */
#define ML_EXPR_LATE "(t - "

/* Whether a word means something in all formulas: a function, pi, deg, and, or, not. */
bool ml_expr_is_word(const char *name);

/* Whether a text can be a name of formulas: letters, digits and _, no digit first, no such word. */
bool ml_expr_is_name(const char *name);

/* The node of a formula; ML_NO_NODE after writing the fault.
 *
 * Operators, the last binds most: or, ||; and, &&; not; comparisons; + and -; * and /; - before a
 * term; ^.
 *
 * Terms: numbers such as 1.5, 2e-3, 60deg, and 9.81 m/s^2 with its unit behind a blank; pi; names,
 * x' too; functions of expr/ops.def; parentheses; entries NAME[index], whose index is a formula of
 * literals and of indices; NAME(t - delay) and NAME[index](t - delay); sum(i, first, last, formula
 * of i) and prod, with ends of literals and indices, where the sum of nothing is 0.
 *
 *   names  NULL: no names
 *   unit   out: of the value, as far as the units of literals and names give that; NULL: ignored */
int ml_expr_parse_in(struct ml_graph *graph, const char *text, const struct ml_expr_names *names,
                     struct ml_si_unit *unit, struct ml_expr_fault *fault);

/* As ml_expr_parse_in, for a formula whose unit is not asked for. */
int ml_expr_parse(struct ml_graph *graph, const char *text, const struct ml_expr_names *names,
                  struct ml_expr_fault *fault);

#endif
