/* JSON on standard output. */
#ifndef ML_CLI_JSON_OUTPUT_H
#define ML_CLI_JSON_OUTPUT_H

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "cli/messages.h"

/* A number; null where JSON has none: NaN and infinities. */
static inline json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Prints and releases a document, NULL without memory. Returns an exit code. */
static inline int json_print(json_t *root)
{
    const bool failed =
        !root || json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0;
    printf("\n");
    json_decref(root);
    return failed ? EXIT_FAILED : EXIT_DONE;
}

#endif
