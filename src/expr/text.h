/* Formulas written in one way. */
#ifndef ML_EXPR_TEXT_H
#define ML_EXPR_TEXT_H

#include "yaml/pool.h"

/* A formula's text with blanks around + - and comparisons, behind commas, and nowhere else.
 * Belongs to `pool`; NULL without memory. */
char *ml_expr_text(const char *text, struct ml_pool *pool);

#endif
