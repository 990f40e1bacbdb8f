/* One run of a study instead of all: --run K or --pick PATH=VALUE,... */
#ifndef ML_CLI_MEMBER_H
#define ML_CLI_MEMBER_H

#include "cli/options.h"
#include "manylink/study.h"

/* Whether the line asks for one run. */
bool line_has_member(const struct command_line *line);

/* What overrides keys when the study is read: --set, and before it for a study of one run what
 * saves its trajectory at every step, unless some --set says what is saved. out->words is to be
 * freed. False without memory. */
bool member_overrides(const struct command_line *line, struct word_list *out);

/* Reduces the study to the run that the line names and prints which it is, unless quiet. Returns
 * -1, or an exit code after telling what is wrong. */
int keep_member(struct ml_study *study, const struct command_line *line);

#endif
