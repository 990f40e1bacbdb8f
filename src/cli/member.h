/* One run of a study instead of all: --run K or --pick PATH=VALUE,... */
#ifndef ML_CLI_MEMBER_H
#define ML_CLI_MEMBER_H

#include "cli/command.h"

/* The options with which a study of one run is read: those given, and before them one that saves
 * its trajectory at every step, unless some option sets what is saved. To be freed with
 * study_options_free. False without memory. */
bool member_options(const struct study_options *given, struct study_options *out);

/* Reduces the study to the run that options->member names and prints which it is, unless quiet.
 * Returns -1, or an exit code after telling what is wrong. */
int keep_member(struct ml_study *study, const struct study_options *options);

#endif
