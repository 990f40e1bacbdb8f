/* Tables that formulas call by their names. */
#ifndef ML_CONFIG_TABLES_H
#define ML_CONFIG_TABLES_H

#include "config/reader.h"
#include "expr/parse.h"

/* Index of a table by its name, or by that of its derivative, NAME'; -1: there is
 * none. */
int ml_find_table(const struct ml_reader *r, const char *name);

/* The node of that table or derivative at a node; ML_NO_NODE after writing to `fault`. */
int ml_call_table(struct ml_reader *r, struct ml_graph *graph, const char *name, int node,
                  struct ml_expr_fault *fault);

#endif
