/* Messages of all commands: errors with their exit codes, outcomes, results and figures. */
#ifndef ML_CLI_MESSAGES_H
#define ML_CLI_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "manylink/outcome.h"
#include "manylink/result.h"
#include "manylink/status.h"

/* Exit codes; 130 is that of shells for a process that SIGINT ended. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_SOME_RUNS_FAILED = 3,
    EXIT_INTERRUPTED = 130,
};

/* Prints the error to stderr, frees it and returns the exit code for it. */
int fail_with(struct ml_error *err);

/* Zeroed memory of `count` elements and one more, to be freed. Without memory it ends the command
 * with a message and EXIT_FAILED, as do take_text, printf into such memory, and need, which returns
 * the memory of others. */
void *take(size_t count, size_t size);
char *take_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *need(void *memory);

/* Prints to stderr that a result has no runs, its kind if known, and `purpose`, the results that a
 * command is for; returns EXIT_BAD_INPUT. */
int fail_without_runs(const struct ml_result *result, const char *path, const char *purpose);

/* Prints "12 finished, 3 diverged".
 *   counts  [outcome] as of ml_run_report */
void print_outcomes(const struct ml_outcome_count counts[ML_N_OUTCOME]);

/* Prints "result: OUT.h5 (1.2 MB)". */
void print_result(const char *path);

/* Prints a notice to stderr; its "warning:" and "note:" in colour on a terminal. */
void print_notice(const char *text);

/* Prints a notice about a study, whose place comes before "note:". */
void print_study_notice(const char *text);

/* A whole number in [low, high]; false if the text is not one. */
bool parse_count(const char *text, long long low, long long high, long long *out);

/* 1234567 -> "1.23 M"; buffer of at least 32 bytes, returned. */
char *format_count(double value, char *buffer);

/* 1.5e9 -> "1.50 GB"; buffer of at least 32 bytes, returned. */
char *format_bytes(double bytes, char *buffer);

/* printf, with control characters escaped as by ml_text_escape. */
void say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a word as a POSIX shell reads it, in quotes if it needs them. */
void say_word(FILE *to, const char *word);

#endif
