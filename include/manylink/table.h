/* Tables of numbers as laboratories have them, in text: CSV, .mot, .sto and others
 * (docs/tables.md). */
#ifndef MANYLINK_TABLE_H
#define MANYLINK_TABLE_H

#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads columns of a table by their names; other columns may have any text. Thread-safe.
 *   order    name of a column whose numbers increase, which the table must have
 *   n        number of names
 *   names    [n] of the other columns
 *   columns  out: [1 + n][*n_row], first that of `order`, to be freed by the caller with free(); in
 *            SI where the name is followed by a unit, `angle [deg]`; NaN for an empty cell, and in
 *            all rows of a column that the table lacks. NULL on failure
 *   n_row    out: number of rows, without a last row that repeats the row before
 * ML_E_INPUT with the line and the column of every mistake, also where a name is asked for twice;
 * ML_E_MEMORY; of a file that cannot be read the status of its reason, such as ML_E_FILE. */
ML_API enum ml_status ml_table_columns(const char *path, const char *order, int n,
                                       const char *const *names, double **columns, int64_t *n_row,
                                       struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
