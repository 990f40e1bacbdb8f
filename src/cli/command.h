/* The commands of the command line, and what they share. */
#ifndef ML_CLI_COMMAND_H
#define ML_CLI_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

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

/* s that another process at work on the same result is waited for: a requeued job may be there
 * before its predecessor has gone. */
enum { PATIENCE = 60 };

/* A command; run gets its own name as argv[0] and returns an exit code. */
struct command {
    const char *name, *arguments, *doc;
    const char *options; /* help text, a line per option */
    int (*run)(const struct command *self, int argc, char **argv);
};

extern const struct command command_run, command_plan, command_evaluate, command_inverse,
    command_info, command_plot, command_list, command_schema, command_merge, command_status,
    command_verify, command_slurm, command_compile;

/* Options of every command that reads a study. */
struct study_options {
    const char **overrides; /* --set; freed by study_options_free */
    int n_override;
    bool is_quiet;      /* notices about the study are not printed */
    const char *member; /* --run K or --pick PATH=VALUE,...: one run only, see cli/member.h; NULL */
    bool is_pick;       /* which of the two it is */
};

void study_options_free(struct study_options *options);

/* Adds the argument of --set; false without memory. */
bool study_options_set(struct study_options *options, const char *assignment);

/* Whether no native code is loaded, as of --no-native before or after any command. */
void refuse_native(void);
bool native_is_refused(void);

/* What a command does with a study and its own arguments; returns an exit code. */
typedef int study_fn(const struct ml_study *study, const void *arguments);

/* Reads a study with $MANYLINK_ISA, prints its notices and hands it to `use`; prints what is wrong.
 * Returns the exit code. */
int with_study(const char *path, const struct study_options *options, study_fn *use,
               const void *arguments);

/* "studies/pendulum.yaml" and ".h5" -> "pendulum.h5" in the current directory, to be freed; NULL
 * without memory. */
char *default_result(const char *study, const char *ending);

/* Prints the error to stderr, frees it and returns the exit code for it. */
int fail_with(struct ml_error *err);

/* Prints "manylink NAME: ..." to stderr and where help is; returns EXIT_BAD_INPUT. */
int fail_usage(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a command's help and returns EXIT_DONE. */
int show_help(const struct command *command);

/* Prints "12 finished, 3 diverged".
 *   counts  [outcome] as of ml_run_report */
void print_outcomes(const int64_t *counts);

/* Prints "result: OUT.h5 (1.2 MB)". */
void print_result(const char *path);

/* Prints to stderr what a user should know. */
void print_notice(const char *text);

/* Prints a word in single quotes, for a POSIX shell. */
void print_quoted(FILE *to, const char *word);

/* A whole number in [low, high]; false if the text is not one. */
bool parse_count(const char *text, long long low, long long high, long long *out);

/* 1234567 -> "1.23 M"; buffer of at least 32 bytes, returned. */
char *format_count(double value, char *buffer);

/* 75.3 s -> "1 min 15 s"; buffer of at least 32 bytes, returned. */
char *format_duration(double seconds, char *buffer);

/* 1.5e9 -> "1.50 GB"; buffer of at least 32 bytes, returned. */
char *format_bytes(double bytes, char *buffer);

#endif
