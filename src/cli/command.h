/* The commands of the command line, and what they share. */
#ifndef ML_CLI_COMMAND_H
#define ML_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options.h"
#include "manylink/result.h"
#include "manylink/status.h"
#include "manylink/study.h"

/* Exit codes; 130 is what shells say of a process that SIGINT ended. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_SOME_RUNS_FAILED = 3,
    EXIT_INTERRUPTED = 130,
};

/* The commands, each in the file of its name; they return an exit code. */
int command_init(const struct command_line *line);
int command_run(const struct command_line *line);
int command_plan(const struct command_line *line);
int command_merge(const struct command_line *line);
int command_status(const struct command_line *line);
int command_verify(const struct command_line *line);
int command_slurm(const struct command_line *line);
int command_compile(const struct command_line *line);
int command_compare(const struct command_line *line);
int command_evaluate(const struct command_line *line);
int command_inverse(const struct command_line *line);
int command_info(const struct command_line *line);
int command_table(const struct command_line *line);
int command_export(const struct command_line *line);
int command_plot(const struct command_line *line);
int command_report(const struct command_line *line);
int command_list(const struct command_line *line);
int command_schema(const struct command_line *line);

/* Topic i of the command list, template i of init; false past the last. */
bool list_topic(int i, struct choice *out);
bool init_template(int i, struct choice *out);

/* What a command does with the study that its line names; returns an exit code. */
typedef int study_fn(const struct ml_study *study, const struct command_line *line);

/* Reads the study of a command line with $MANYLINK_ISA, reduced to one run if it says so, prints
 * its notices and hands it to `use`; prints what is wrong. Returns the exit code. */
int with_study(const struct command_line *line, study_fn *use);

/* "studies/pendulum.yaml" and ".h5" -> "pendulum.h5" in the current directory, to be freed; NULL
 * without memory. */
char *default_result(const char *study, const char *ending);

/* Prints the error to stderr, frees it and returns the exit code for it. */
int fail_with(struct ml_error *err);

/* Prints "manylink NAME: ..." to stderr and where help is; returns EXIT_BAD_INPUT. */
int fail_usage(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints to stderr that a result has no runs, what it is if that is known, and `what` a command is
 * for; returns EXIT_BAD_INPUT. */
int fail_without_runs(const struct ml_result *result, const char *path, const char *what);

/* Prints "12 finished, 3 diverged".
 *   counts  [outcome] as of ml_run_report */
void print_outcomes(const int64_t *counts);

/* Prints "result: OUT.h5 (1.2 MB)". */
void print_result(const char *path);

/* Prints to stderr what a user should know. */
void print_notice(const char *text);

/* A whole number in [low, high]; false if the text is not one. */
bool parse_count(const char *text, long long low, long long high, long long *out);

/* 1234567 -> "1.23 M"; buffer of at least 32 bytes, returned. */
char *format_count(double value, char *buffer);

/* 75.3 s -> "1 min 15 s"; buffer of at least 32 bytes, returned. */
char *format_duration(double seconds, char *buffer);

/* 1.5e9 -> "1.50 GB"; buffer of at least 32 bytes, returned. */
char *format_bytes(double bytes, char *buffer);

#endif
