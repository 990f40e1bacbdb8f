/* The range that a number may have, and messages about it. */
#ifndef ML_YAML_RANGE_H
#define ML_YAML_RANGE_H

#include "base/param.h"
#include "yaml/problems.h"

enum { ML_RANGE_TEXT = 96 };

/* "> 0 and <= 1e+06"; "" if every finite number is allowed. */
const char *ml_range_text(const struct ml_param *param, char text[ML_RANGE_TEXT]);

/* Whether a value is in the range of a param. */
bool ml_param_allows(const struct ml_param *param, double value);

/* Reports a value outside of the range. */
void ml_report_range(struct ml_problems *problems, struct ml_location location,
                     const struct ml_param *param, double value);

#endif
