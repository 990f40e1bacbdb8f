/* Functions that a study gives as formulas of their arguments: f(x, k). */
#ifndef ML_CONFIG_OWN_FUNCTIONS_H
#define ML_CONFIG_OWN_FUNCTIONS_H

#include "config/reader.h"
#include "expr/parse.h"

struct ml_own_function {
    const struct ml_node *place; /* the formula; its key is the head, "f(x, k)" */
    const char *name;
    int n_arg;
    const char *args[ML_EXPR_ARGUMENTS]; /* [n_arg] names */
    bool is_called, is_underway, is_wrong;
};

/* Takes apart the head; false after telling. is_name says of a text whether it can be a name. */
bool ml_own_function_read(struct ml_reader *r, const struct ml_node *place,
                          bool (*is_name)(const char *name), struct ml_own_function *out);

#endif
