/* Numbers in JSON, which has no NaN. */
#ifndef ML_CLI_JSON_NUMBER_H
#define ML_CLI_JSON_NUMBER_H

#include <jansson.h>
#include <math.h>

static inline json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

#endif
