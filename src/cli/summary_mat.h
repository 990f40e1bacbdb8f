/* The summary of all runs as a MAT-file. */
#ifndef ML_CLI_SUMMARY_MAT_H
#define ML_CLI_SUMMARY_MAT_H

#include <stdbool.h>
#include <stdio.h>

#include "manylink/result.h"

/* Writes an array of every dataset of the summary and of the runs with its dimensions in their
 * order, a cell array of a dataset of labels; and the cell arrays `variables`, `names`, `units`,
 * `dimensions` and `descriptions` of all of them.
 *   fits  out: false where a file or variable cannot hold them; the file is not whole then */
enum ml_status summary_write_mat(FILE *to, struct ml_result *result, const char *title, bool *fits,
                                 struct ml_error *err);

#endif
