/* Common part of commands, and of those that work on a study. */
#ifndef ML_CLI_COMMAND_H
#define ML_CLI_COMMAND_H

#include "cli/messages.h"
#include "cli/options.h"
#include "manylink/study.h"

/* Work of a command on the study that its line names; returns an exit code. */
typedef int study_fn(const struct ml_study *study, const struct command_line *line);

/* Reads the study of a command line with $MANYLINK_ISA, reduced to one run if the line says so,
 * prints the study's notices and errors and hands the study to `use`. Returns the exit code. */
int with_study(const struct command_line *line, study_fn *use);

/* As command_run, of a study that was read. */
int run_read_study(const struct ml_study *study, const struct command_line *line);

/* The commands, each in the file of its name; they return an exit code. */
int command_init(const struct command_line *line);
int command_run(const struct command_line *line);
int command_extend(const struct command_line *line);
int command_plan(const struct command_line *line);
int command_merge(const struct command_line *line);
int command_status(const struct command_line *line);
int command_verify(const struct command_line *line);
int command_sensitivity(const struct command_line *line);
int command_slurm(const struct command_line *line);
int command_compile(const struct command_line *line);
int command_show_code(const struct command_line *line);
int command_show_equations(const struct command_line *line);
int command_compare(const struct command_line *line);
int command_evaluate(const struct command_line *line);
int command_inverse(const struct command_line *line);
int command_gait(const struct command_line *line);
int command_fit(const struct command_line *line);
int command_probability(const struct command_line *line);
int command_tune(const struct command_line *line);
int command_info(const struct command_line *line);
int command_motion(const struct command_line *line);
int command_best(const struct command_line *line);
int command_worst(const struct command_line *line);
int command_table(const struct command_line *line);
int command_export(const struct command_line *line);
int command_plot(const struct command_line *line);
int command_report(const struct command_line *line);
int command_list(const struct command_line *line);
int command_schema(const struct command_line *line);

/* Topic i of the command list, template i of init; false past the last. */
bool list_topic(int i, struct choice *out);
bool init_template(int i, struct choice *out);

#endif
