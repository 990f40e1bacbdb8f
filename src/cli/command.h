/* What commands share that work on a study. */
#ifndef ML_CLI_COMMAND_H
#define ML_CLI_COMMAND_H

#include "cli/messages.h"
#include "cli/options.h"
#include "manylink/study.h"

/* What a command does with the study that its line names; returns an exit code. */
typedef int study_fn(const struct ml_study *study, const struct command_line *line);

/* Reads the study of a command line with $MANYLINK_ISA, reduced to one run if it says so, prints
 * its notices and hands it to `use`; prints what is wrong. Returns the exit code. */
int with_study(const struct command_line *line, study_fn *use);

/* "studies/pendulum.yaml" and ".h5" -> "pendulum.h5" in the current directory, to be freed; NULL
 * without memory. */
char *default_result(const char *study, const char *ending);

#endif
