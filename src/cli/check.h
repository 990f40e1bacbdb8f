/* Checks that evaluate makes on request. */
#ifndef ML_CLI_CHECK_H
#define ML_CLI_CHECK_H

#include <stdint.h>

#include "cli/options.h"
#include "manylink/study.h"

/* Compares every derivative of the study with differences, prints a line for each; returns the exit
 * code. */
int check_derivatives(const struct ml_study *study, int64_t run);

#endif
