/* The chain whose motion a result of inverse dynamics has: angles become positions with its
 * lengths. */
#ifndef ML_REPORT_CHAIN_H
#define ML_REPORT_CHAIN_H

#include <jansson.h>

#include "manylink/report.h"
#include "manylink/result.h"

/* {"down": angles count from the downward vertical, else from +x; "joint": they are joint angles,
 * else absolute; "lengths": [[m of each segment] of each result], or of one row where all results
 * have the same}, from the study in the result. NULL where that is of other systems, cannot be read
 * again (the tables or the plugin have moved), or has more than a million lengths: a page without a
 * moving figure. */
json_t *ml_report_chain(struct ml_result *result, const struct ml_report_options *options);

#endif
