/* Ranges as text, and numbers outside of them. */
#include "yaml/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "yaml/number.h"

/* As %g if that is the number, "1e+06"; else all its digits. */
static const char *bound_text(double value, char text[ML_NUMBER_TEXT])
{
    (void)snprintf(text, ML_NUMBER_TEXT, "%g", value);
    return strtod(text, NULL) == value ? text : ml_number_text(value, text);
}

const char *ml_range_text(const struct ml_param *param, char text[ML_RANGE_TEXT])
{
    char low[ML_NUMBER_TEXT + 4] = "", high[ML_NUMBER_TEXT + 4] = "", number[ML_NUMBER_TEXT];
    if (isfinite(param->low))
        (void)snprintf(low, sizeof low, "%s %s",
                       param->flags & ML_OPEN_LOW ? ">" : ">=", bound_text(param->low, number));
    if (isfinite(param->high))
        (void)snprintf(high, sizeof high, "<= %s", bound_text(param->high, number));
    (void)snprintf(text, ML_RANGE_TEXT, "%s%s%s", low, *low && *high ? " and " : "", high);
    if (param->low == param->high)
        (void)snprintf(text, ML_RANGE_TEXT, "%s", bound_text(param->low, number));
    return text;
}

bool ml_param_allows(const struct ml_param *param, double value)
{
    bool is_above = param->flags & ML_OPEN_LOW ? value > param->low : value >= param->low;
    return is_above && value <= param->high;
}

void ml_report_range(struct ml_problems *problems, struct ml_location location,
                     const struct ml_param *param, double value)
{
    char range[ML_RANGE_TEXT], number[ML_NUMBER_TEXT];
    const struct ml_plausible_range *doubt = param->doubt;
    const bool has_cause = doubt && value == param->low && value < doubt->low;
    ml_problem(problems, location, "%s is %s but must be %s%s%s%s", param->name,
               ml_number_text(value, number), ml_range_text(param, range),
               ml_unit_text(" ", param->unit, "").text, has_cause ? ": " : "",
               has_cause ? doubt->cause : "");
}
