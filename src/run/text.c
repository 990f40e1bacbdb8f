/* Numbers for programs, whatever their locale and rounding. */
#include "manylink/text.h"

#include <stdio.h>

#include "base/numeric_env.h"
#include "expr/number.h"

int ml_number_parse(const char *text, double *value, char *why, size_t size)
{
    struct ml_numeric_env env;
    struct ml_number_fault fault = {.what = "out of memory"};
    double number = 0.0;
    bool is_number = false;
    if (ml_numeric_env_set(&env)) {
        is_number = ml_expr_number(text, &number, &fault);
        ml_numeric_env_restore(&env);
    }
    if (is_number)
        *value = number;
    else if (size > 0)
        (void)snprintf(why, size, "%s", fault.what);
    return is_number;
}

const char *ml_number_print(double value, char text[ML_NUMBER_TEXT])
{
    struct ml_numeric_env env;
    text[0] = '\0';
    if (ml_numeric_env_set(&env)) {
        (void)ml_number_text(value, text);
        ml_numeric_env_restore(&env);
    }
    return text;
}
