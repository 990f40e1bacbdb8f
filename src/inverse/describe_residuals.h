/* The cutoffs of a filter that the columns of a table with a motion call for. */
#ifndef ML_INVERSE_DESCRIBE_RESIDUALS_H
#define ML_INVERSE_DESCRIBE_RESIDUALS_H

#include "columns/table.h"
#include "config/schema/yaml_writer.h"

/* Prints a line for each column of angles or of a marker's coordinates, whose numbers are read.
 *   time  [n_row] s; NULL: the rate is that of the table's header
 * ML_E_INPUT with a remedy where no column can be analysed. */
enum ml_status ml_residuals_describe(const struct ml_table *table, const char *path,
                                     const double *time, struct ml_yaml_writer *text,
                                     struct ml_error *err);

#endif
