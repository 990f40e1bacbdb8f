/* The summary of all runs as a MAT-file. */
#ifndef ML_CLI_SUMMARY_MAT_H
#define ML_CLI_SUMMARY_MAT_H

#include <stdbool.h>
#include <stdio.h>

#include "manylink/result.h"

/* Writes an array of every dataset of the summary, and of what else there is of runs, with its
 * dimensions in their order, a cell array of one of labels, and of all the cell arrays `variables`,
 * `names`, `units`, `dimensions` and `descriptions`. fits  out: false where there is more than a
 * file or variable can hold; nothing is whole then */
enum ml_status summary_write_mat(FILE *to, struct ml_result *result, const char *title, bool *fits,
                                 struct ml_error *err);

#endif
