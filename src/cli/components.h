/* Names of the numbers that a dataset of a result has besides those of runs and times. */
#ifndef ML_CLI_COMPONENTS_H
#define ML_CLI_COMPONENTS_H

#include "manylink/result.h"

/* "summary/end_angle" -> "end_angle" */
const char *dataset_name(const struct ml_array_info *info);

/* Product of the sizes of dimensions first .. end - 1. */
int64_t component_count(const struct ml_array_info *info, int first, int end);

/* Name of component i, in row order over dimensions first .. end - 1: that of the dataset, then the
 * label of every dimension, each after the separator: "end_angle.upper". A dimension of numbers has
 * its number, one without a scale the position, from 0 on.
 *   name  to be freed; NULL on failure */
enum ml_status component_name(struct ml_result *result, const struct ml_array_info *info, int first,
                              int end, int64_t i, char separator, char **name,
                              struct ml_error *err);

#endif
