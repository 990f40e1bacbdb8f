/* Numbers as they are written wherever a number is wanted: decimal, or arithmetic. */
#ifndef ML_EXPR_NUMBER_H
#define ML_EXPR_NUMBER_H

#include "expr/parse.h"
#include "yaml/number.h"

/* A number, or arithmetic of numbers by operations that are rounded correctly, each by itself: the
 * value is the same everywhere. False after saying why. */
bool ml_expr_number(const char *text, double *out, struct ml_number_fault *fault);

/* The same, and its unit as far as that is known; the number is in SI. */
bool ml_expr_number_in(const char *text, double *out, struct ml_si_unit *unit,
                       struct ml_number_fault *fault);

/* As ml_expr_names, where nothing has a name. */
extern const struct ml_expr_names ml_expr_no_names;

#endif
